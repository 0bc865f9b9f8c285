/** One that is told to read again while it catches up is not told of what is older than that. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { aNotification, aQuote } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { slowDown } from '../setup/slow-function.ts';
import { all, allQuotes, Wire } from './wire.ts';

const service = useService();

it('a quote that is back is not told as deleted afterwards', { timeout: 90_000 }, async () => {
  const { sql } = service;
  const account = randomUUID();
  const token = await service.token({ account });
  const bindings = [all, allQuotes];
  await Wire.listen(service, await service.token({ account: randomUUID() }), { bindings });
  const [quote] = await sql`insert into builder.quotes ${sql(aQuote(account))} returning id`;
  const id = quote?.['id'];
  const wire = await Wire.listen(service, token, { bindings });
  await sleep(1200);
  await wire.heartbeat();
  await wire.heartbeat();
  wire.cut();
  await sql`insert into builder.notifications ${sql(aNotification(account))}`;
  for (let n = 0; n < 10; n++) {
    await sql`insert into builder.changes (collection, operation, account_id, key)
      select 'notifications', 'U', gen_random_uuid(), (n + ${n * 10_000}::integer)::text from generate_series(1, 10000) n`;
  }
  await sql`update builder.quotes set deleted_at = now() where id = ${id}`;
  await sleep(4000);
  // Its first page takes too long to read.
  const restore = await slowDown(sql, 'builder.account_ids()', 0.6);
  const back = await Wire.open(service, { ref: wire.ref });
  try {
    expect(await back.join('x', bindings, token)).toMatchObject({ status: 'ok' });
    await back.until(({ event, payload }) => event === 'system' && payload.status === 'error');
  } finally {
    await restore();
  }
  const at = back.messages.length;
  await sql`update builder.quotes set deleted_at = null where id = ${id}`;
  await sleep(5000);
  const after = back.messages
    .slice(at)
    .map(({ event, payload }) =>
      event === 'postgres_changes'
        ? `${payload.data.table} ${payload.data.type}`
        : `${event} ${payload.message ?? ''}`,
    );
  expect(after.filter(text => text.startsWith('quotes')).at(-1)).toBe('quotes INSERT');
  back.close();
});
