/**
 * Pages while Postgres terminates backends, or crashes and assigns transaction numbers again.
 *
 * @module-tag full
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres, { type Sql } from 'postgres';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ExamplePages } from '../live/example-page.ts';
import { all, Wire } from '../live/wire.ts';
import { rounds } from '../setup/full-size.ts';
import { startService } from '../setup/service.ts';
import { use } from '../setup/use.ts';
import { startCluster } from './cluster.ts';
import { startLink } from './link.ts';
import { expectInformed, startWriters, write } from './noted-rows.ts';

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

async function terminateBackends(): Promise<void> {
  for (let times = 0; times < rounds(20, 200); times++) {
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'builder_api'`;
    await sleep(100);
  }
}

const stopAndStart = (how: 'fast' | 'immediate') => async () => {
  await cluster.stop(how);
  await sleep(500);
  await cluster.start();
};

/** Kills a process of the server, after which the others forget what they have in memory. */
async function crashOfProcess(): Promise<void> {
  const [row] = await sql`select pg_backend_pid() as pid`;
  process.kill(row?.['pid'], 'SIGKILL');
  await expect.poll(() => sql`select`.then(Boolean, () => false), { timeout: 20_000 }).toBe(true);
}

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
async function crashAndForget(account: string, crash: () => Promise<void>): Promise<bigint> {
  for (;;) {
    // A transaction that writes and never commits.
    const open = postgres(cluster.database.ownerUrl, { max: 1, onnotice: () => {} });
    await open`begin`;
    await write(open, account, ...Array.from({ length: 40 }, (_, number) => `never ${number}`));
    await burn(3000);
    await untilServiceAsked();
    const before = await nextTransaction();
    await link.refuse();
    await crash();
    await open.end();
    if ((await nextTransaction()) < before) {
      return before;
    }
    // The numbers were written in time.
    await link.resume();
  }
}

describe('pages show every change', { timeout: 120_000 }, () => {
  it.each([
    ['terminates backends again and again', terminateBackends],
    ['is stopped and started', stopAndStart('fast')],
  ])('while Postgres %s', async (_what, fault) => {
    const account = randomUUID();
    const opened = await pages.open(service, account, sql);
    const writers = startWriters(sql, account);
    await sleep(500);
    await fault();
    await sleep(500);
    await writers.stop();
    await expectInformed(sql, account, opened, 40_000);
  });

  it.each([
    ['is killed and started', stopAndStart('immediate')],
    ['restarts itself after one of its processes was killed', crashOfProcess],
  ])('when transaction numbers come again because Postgres %s', async (_what, crash) => {
    const account = randomUUID();
    const opened = await pages.open(service, account, sql);
    await write(sql, account, 'before');
    const before = await crashAndForget(account, crash);
    await write(sql, account, ...Array.from({ length: 5 }, (_, number) => `again ${number}`));
    while ((await nextTransaction()) <= before) {
      await burn(1000);
    }
    await write(sql, account, 'behind');
    await link.resume();
    await expectInformed(sql, account, opened, 40_000);
  });
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
