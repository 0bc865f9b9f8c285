/** Pages while Postgres crashes and assigns transaction numbers again, and joins while it can't be reached. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres, { type Sql } from 'postgres';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { ExamplePages } from '../live/example-page.ts';
import { all, Wire } from '../live/wire.ts';
import { startService } from '../setup/service.ts';
import { use } from '../setup/use.ts';
import { startCluster } from './cluster.ts';
import { startLink } from './link.ts';
import { expectInformed, write } from './noted-rows.ts';

// What is not committed stays in memory for ten seconds, and a crash loses it.
const settings = ['wal_writer_delay=10s', 'wal_writer_flush_after=1GB'];
const cluster = use(() => startCluster({ settings }), 'remove');
/** Between the service and Postgres. */
const link = use(() => startLink(Number(new URL(cluster.database.ownerUrl).port)), 'stop');
const service = use(() => startService({ database: cluster.database, databasePort: link.port }), 'stop');
let sql: Sql;
const pages = new ExamplePages();
beforeAll(async () => {
  sql = cluster.database.sql;
});
afterEach(() => pages.stop());

/** Rolls back transactions that have written nothing: their numbers are assigned, but a crash forgets them. */
const burn = (count: number) =>
  sql.unsafe('begin; select pg_current_xact_id(); rollback;'.repeat(count)).simple();

const nextTransaction = async (): Promise<bigint> => {
  const [row] = await sql<{ next: string }[]>`select pg_snapshot_xmax(pg_current_snapshot())::text as next`;
  return BigInt(row?.next ?? 0);
};

/** Resolves when the service has asked Postgres something twice since the call. */
async function untilServiceAsked(): Promise<void> {
  for (let times = 0; times < 2; times++) {
    const [now] = await sql`select clock_timestamp() as at`;
    const asked = () => sql`
      select from pg_stat_activity where usename = 'builder_api' and query_start > ${now?.['at']}`;
    const hasAsked = async () => (await asked()).length > 0;
    await expect.poll(hasAsked, { timeout: 20_000, interval: 50 }).toBe(true);
  }
}

/** Crashes until transaction numbers that the service has seen come again. Returns the last of them. */
async function crashAndForget(account: string): Promise<bigint> {
  for (;;) {
    // A transaction that writes and never commits.
    const open = postgres(cluster.database.ownerUrl, { max: 1, onnotice: () => {} });
    await open`begin`;
    await write(open, account, ...Array.from({ length: 40 }, (_, number) => `never ${number}`));
    await burn(3000);
    await untilServiceAsked();
    const before = await nextTransaction();
    await link.refuse();
    await cluster.stop('immediate');
    await sleep(500);
    await cluster.start();
    await open.end();
    if ((await nextTransaction()) < before) {
      return before;
    }
    // The numbers were written in time.
    await link.resume();
  }
}

it('pages show every change when transaction numbers come again because Postgres is killed and started', {
  tags: ['full'],
}, async () => {
  const account = randomUUID();
  const opened = await pages.open(service, account, sql);
  await write(sql, account, 'before');
  const before = await crashAndForget(account);
  await write(sql, account, ...Array.from({ length: 5 }, (_, number) => `again ${number}`));
  while ((await nextTransaction()) <= before) {
    await burn(1000);
  }
  await write(sql, account, 'behind');
  await link.resume();
  await expectInformed(sql, account, opened);
});

it('a join is answered only when every later commit will be sent', async () => {
  const account = randomUUID();
  const wire = await Wire.open(service);
  link.stall();
  const reply = wire.reply(wire.sendJoin('x', [all], await service.token({ account, staff: true })));
  // Enough for an answer that does not wait for the database.
  await sleep(1000);
  const wasAnswered = wire.messages.some(({ event }) => event === 'phx_reply');
  await write(sql, account, 'before or after the answer');
  await link.resume();
  expect(await reply).toMatchObject({ status: 'ok' });
  await write(sql, account, 'after the answer');
  await wire.until(({ payload }) => payload?.data?.record?.body === 'after the answer');
  expect(wasAnswered ? wire.changes().length : 2).toBe(2);
  wire.close();
});
