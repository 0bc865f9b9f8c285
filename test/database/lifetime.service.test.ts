/** A connection has a bounded lifetime, and no request fails when it ends. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Connections } from '../../functions/database/connections.ts';
import { useDatabase } from '../setup/database.ts';
import '../setup/with-resolvers.ts';

const database = useDatabase();

/** Sends so many messages, three at a time, and returns how many each backend executed. */
async function countByProcess(connections: Connections, messages: number, pause = 0): Promise<number[]> {
  const counts = new Map<string, number>();
  const sendAll = async () => {
    while (messages-- > 0) {
      const reply = await connections.send('select pg_backend_pid()::text as pid', 'a');
      const pid = reply.ok ? String(reply.rows[0]?.['pid']) : JSON.stringify(reply.error);
      counts.set(pid, (counts.get(pid) ?? 0) + 1);
      await sleep(pause);
    }
  };
  await Promise.all([sendAll(), sendAll(), sendAll()]);
  expect([...counts.keys()].filter(pid => !/^\d+$/.test(pid))).toEqual([]);
  return [...counts.values()];
}

const openConnections = async () =>
  (
    await database.sql`
    select from pg_stat_activity where datname = current_database() and usename = 'builder_api'`
  ).length;

it('a connection is replaced after a time', async () => {
  const connections = new Connections(database.apiUrl, 500);
  const counts = await countByProcess(connections, 150, 40);
  expect(counts.length).toBeGreaterThanOrEqual(6);
  await expect.poll(openConnections).toBeLessThanOrEqual(6);
});

it('a connection that was idle for longer than its lifetime is not used again', async () => {
  const connections = new Connections(database.apiUrl, 300);
  const [before] = await processesOf(connections);
  await sleep(400);
  const [after] = await processesOf(connections);
  expect(after).not.toBe(before);
});

const processesOf = async (connections: Connections) => {
  const reply = await connections.send('select pg_backend_pid()::text as pid', 'a');
  return reply.ok ? reply.rows.map(({ pid }) => pid) : [];
};
