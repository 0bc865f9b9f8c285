/**
 * Postgres stops executing a message that has reached its deadline. Each test uses an `expect` of its own, since they run
 * concurrently.
 */
import { type ExpectStatic, it } from 'vitest';
import { Connections } from '../../functions/database/connections.ts';
import { HyperdriveDatabase } from '../../functions/database/hyperdrive.ts';
import { type Message, message, sql } from '../../functions/database/sql.ts';
import { timeoutSetting } from '../../functions/database/statements.ts';
import { useDatabase } from '../setup/database.ts';
import { startPgBouncer } from '../setup/deployed/pgbouncer.ts';
import '../setup/with-resolvers.ts';

const database = useDatabase();

const minute = 60_000;

/** Sleeps for a minute, with settings that allow it. */
const sleeping = (text: string): Message =>
  message(sql`select where ${timeoutSetting(2 * minute)}`, sql`select ${text}, pg_sleep(60)`);

/** The backends of the login that are executing a message with this text. */
async function backendsExecuting(text: string): Promise<number[]> {
  const rows = await database.sql<{ pid: number }[]>`
    select pid from pg_stat_activity
    where datname = current_database() and usename = 'builder_api' and state = 'active' and query like ${`%${text}%`}`;
  return rows.map(({ pid }) => pid);
}

const timeout = { ok: false, error: { is: 'unavailable', reason: 'DEADLINE' } };
const throughPort = (port: number): string =>
  Object.assign(new URL(database.apiUrl), { port: String(port) }).href;

it.concurrent('Postgres stops a message at its deadline: on the pool, which then has a connection for the next', async ({
  expect,
}) => {
  const connections = new Connections(database.apiUrl);
  const replies = ['one', 'two', 'three', 'four', 'five'].map(number =>
    connections.send(sleeping(`pool ${number}`).text, 'a'),
  );
  await expect.poll(() => backendsExecuting('pool ')).toHaveLength(5);
  expect(await Promise.all(replies)).toEqual(Array(5).fill(timeout));
  const next = await connections.send("select 'next' as said", 'a');
  expect(next).toEqual({ ok: true, rows: [{ said: 'next' }] });
  await expect.poll(() => backendsExecuting('pool ')).toEqual([]);
});

/** Sends a message to a pooler, and waits until its deadline has passed. */
async function giveUp(expect: ExpectStatic, port: number, text: string): Promise<void> {
  const reply = new HyperdriveDatabase({ connectionString: throughPort(port) }).send(sleeping(text), 'a');
  await expect.poll(() => backendsExecuting(text)).toHaveLength(1);
  expect(await reply).toEqual(timeout);
  await expect.poll(() => backendsExecuting(text)).toEqual([]);
}

it.concurrent('Postgres stops a message at its deadline: behind PgBouncer in transaction mode', {
  tags: ['pgbouncer'],
}, async ({ expect }) => {
  const pooler = await startPgBouncer({ database });
  await giveUp(expect, pooler.port, 'behind PgBouncer');
  await pooler.remove();
});
