/**
 * The address of the database leads to another server, which may lack the latest commits, or the server there has become
 * read-only.
 * @module-tag full
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { afterAll, describe, expect, it } from 'vitest';
import { ExamplePages } from '../live/example-page.ts';
import { aQuote } from '../setup/rows.ts';
import { type Service, startService } from '../setup/service.ts';
import { use } from '../setup/use.ts';
import { signIn } from '../setup/wire.ts';
import { expectInformed, startWriters, write } from './noted-rows.ts';
import { startPair } from './pair.ts';
import { eachTime, endureRounds, type Fault } from './under-load.ts';
import { startBothWays } from './ways.ts';

const pair = use(startPair, 'remove');
const both = use(() => startBothWays({ database: pair.database, databasePort: pair.address.port }), 'stop');

/** Milliseconds. */
const lasts = 100;

async function setReadOnly(value: 'on' | 'off'): Promise<void> {
  const { sql } = pair.database;
  await sql.unsafe(`alter system set default_transaction_read_only = ${value}`).catch(() => {});
  await sql`select pg_reload_conf()`;
}

it.each<[what: string, fault: Fault]>([
  [
    'the primary is killed and the standby promoted, which gets a standby of its own',
    { strike: () => pair.killPrimary(), mend: () => pair.promote() },
  ],
  [
    'the address leads to the standby for a time, whose connections nobody ends',
    {
      strike() {
        pair.address.leadTo(pair.standby?.port ?? 0);
        pair.address.cut();
      },
      lasts,
      mend: () => pair.address.leadTo(pair.primary.port),
    },
  ],
  [
    'the primary is read-only for a time',
    { strike: () => setReadOnly('on'), lasts, mend: () => setReadOnly('off') },
  ],
])(`%s, ${eachTime}`, async (_, fault) => {
  await endureRounds(pair.database, both.services, { prepare: () => pair.complete(), ...fault });
});

it('a worker with READ_REPLICA refuses writes at once, and reads', async () => {
  await pair.complete();
  const service = await startService({
    database: pair.database,
    databasePort: pair.standby?.port ?? 0,
    bindings: { READ_REPLICA: '1' },
  });
  const account = randomUUID();
  const customer = await signIn(service, { account });
  const { status, body, headers } = await customer.send('POST', '/quotes', aQuote(account));
  expect([status, body.code, headers.get('retry-after')]).toEqual([405, '25006', null]);
  expect(headers.get('allow')).toBe('OPTIONS,GET,HEAD');
  expect((await customer.get('/quotes')).status).toBe(200);
  await service.stop();
});

describe('pages show every change', () => {
  const pages = new ExamplePages();
  afterAll(() => pages.stop());

  /** Pages of an account, by each version of the client. */
  async function open() {
    await pair.complete();
    const account = randomUUID();
    const { sql } = pair.database;
    return { account, sql, opened: await pages.open(both.services[0] as Service, account, sql) };
  }
  async function failOver(): Promise<void> {
    await pair.killPrimary();
    await pair.promote();
  }

  it('when the primary is killed and a standby with every commit is promoted', async () => {
    const { account, sql, opened } = await open();
    const writers = startWriters(sql, account);
    await sleep(1500);
    await failOver();
    await sleep(1000);
    await writers.stop();
    await expectInformed(sql, account, opened);
  });

  it('when the promoted standby lacks the latest commits, whose transaction numbers come again', async () => {
    const { account, sql, opened } = await open();
    await write(sql, account, 'in both');
    await pair.detach();
    await write(sql, account, ...Array.from({ length: 40 }, (_, number) => `lost ${number}`));
    for (const page of opened) {
      await expect.poll(() => page.bodies).toContain('lost 39');
    }
    // The service meets the new primary only when its numbers are beyond those of the old one.
    await pair.address.refuse();
    await failOver();
    const address = new URL(pair.database.ownerUrl);
    const promoted = postgres(Object.assign(address, { port: pair.primary.port }).href);
    await write(promoted, account, ...Array.from({ length: 60 }, (_, number) => `new ${number}`));
    await promoted.end();
    await pair.address.resume();
    await expectInformed(sql, account, opened);
  });
});
