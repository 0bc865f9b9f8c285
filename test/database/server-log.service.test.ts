/** What stands of requests in the log of the Postgres that `npm start` runs. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { aGraphic, aQuote } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { type Reply, useCallers } from '../setup/wire.ts';

const service = useService();
const { customer, staff } = useCallers(service);

async function serverLog(): Promise<string> {
  const [row] = await service.sql`select current_setting('data_directory') as directory`;
  return readFile(join(row?.['directory'], 'server.log'), 'utf8');
}

const secret = randomUUID();
const isPrivate = {
  contact_email: `${secret}@private.example`,
  customer_notes: secret,
  customization: { text: secret.repeat(25_000) },
};

async function addTwice(graphic: object): Promise<Reply> {
  await staff.send('POST', '/graphics', graphic);
  return staff.send('POST', '/graphics', graphic);
}

it.each<[what: string, send: () => Promise<Reply>, status: number, logged: string]>([
  [
    'of 0.9 MB to another account',
    () => customer.send('POST', '/quotes', aQuote(randomUUID(), isPrivate)),
    403,
    'account_id must be an account of the token',
  ],
  [
    'with a code that is taken',
    () => addTwice(aGraphic({ description: secret })),
    409,
    'duplicate key value violates unique constraint "graphics_',
  ],
])('a refused write %s leaves its error in the log, and nothing of its body', async (_, send, status, logged) => {
  expect(await send()).toMatchObject({ status });
  const log = await serverLog();
  expect(log).toContain(logged);
  expect(log).not.toContain(secret);
});
