/** What happens at the server to a message that was given up. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Connections } from '../../functions/database/connections.ts';
import { deadline } from '../../functions/database/database.ts';
import { createDatabase, type TestDatabase } from '../setup/database.ts';
import '../setup/with-resolvers.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

/** Processes of the login at work on a message with this text. */
async function atWork(text: string): Promise<number[]> {
  const rows = await database.sql<{ pid: number }[]>`
    select pid from pg_stat_activity
    where datname = current_database() and usename = 'builder_api' and state = 'active' and query like ${`%${text}%`}`;
  return rows.map(({ pid }) => pid);
}

const late = { ok: false, error: { is: 'unavailable', reason: 'DEADLINE' } };

it.concurrent('Postgres is at work on it no more', async () => {
  const connections = new Connections(database.apiUrl);
  const replies = Array.from({ length: 3 }, (_, n) =>
    connections.send(`/* an emoji: 🏈 */ select 'may be interrupted', pg_sleep(${60 + n})`, 'a'),
  );
  await expect.poll(() => atWork('may be interrupted')).toHaveLength(3);
  expect(await Promise.all(replies)).toEqual([late, late, late]);
  await expect.poll(() => atWork('may be interrupted')).toEqual([]);
}, 30_000);

it.concurrent('what Postgres cannot interrupt keeps its place until it ends', async () => {
  const connections = new Connections(database.apiUrl);
  const replies = Array.from({ length: 5 }, (_, n) =>
    connections.send(`select 'is stopped', pg_sleep(${60 + n})`, 'a'),
  );
  await expect.poll(() => atWork('is stopped')).toHaveLength(5);
  // A process that is stopped hears of no signal but the one to go on.
  const stopped = await atWork('is stopped');
  for (const pid of stopped) {
    process.kill(pid, 'SIGSTOP');
  }
  expect(await Promise.all(replies)).toEqual(Array(5).fill(late));
  const impatient = connections.send("select 'next' as said", 'a');
  const other = await connections.send("select 'other' as said", 'b');
  expect(other).toEqual({ ok: true, rows: [{ said: 'other' }] });
  expect(await impatient).toEqual({ ok: false, error: { is: 'too many at once' } });
  const next = connections.send("select 'next' as said", 'a');
  for (const pid of stopped) {
    process.kill(pid, 'SIGCONT');
  }
  expect(await next).toEqual({ ok: true, rows: [{ said: 'next' }] });
  expect(await atWork('is stopped')).toEqual([]);
}, 30_000);

it.concurrent('that nobody else is kept waiting by', async () => {
  const connections = new Connections(database.apiUrl);
  const given = connections.send(`select 'alone', pg_sleep(60)`, 'a');
  await sleep(deadline + 1000);
  expect(await given).toEqual(late);
  expect(await connections.send("select 'next' as said", 'a')).toEqual({
    ok: true,
    rows: [{ said: 'next' }],
  });
}, 30_000);
