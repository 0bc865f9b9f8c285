/** How the pool's connections are shared among callers and replaced after a time, at a real Postgres. */
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, it } from 'vitest';
import { Connections } from '../../functions/database/connections.ts';
import { useDatabase } from '../setup/database.ts';
import '../setup/with-resolvers.ts';

const database = useDatabase();
let connections: Connections;
beforeEach(() => {
  connections = new Connections(database.apiUrl);
});

/** The names of the messages in the order of their replies. */
function watch() {
  const replied: string[] = [];
  const send = async (callerKey: string, name: string, seconds: number): Promise<void> => {
    const reply = await connections.send(`select pg_sleep(${seconds})`, callerKey);
    replied.push(reply.ok ? name : JSON.stringify(reply.error));
  };
  return { replied, send };
}

it('a caller that holds its share waits for a connection of its own, while another caller gets one at once', async () => {
  const { replied, send } = watch();
  const first = [1.5, 1.5, 1.5, 1.5, 0.5].map((seconds, index) => send('a', `a${index}`, seconds));
  await Promise.all([...first, send('a', 'a5', 0), send('b', 'b0', 0)]);
  expect(replied.slice(0, 3)).toEqual(['b0', 'a4', 'a5']);
});

it('a connection is replaced after a time, and no message fails', async () => {
  connections = new Connections(database.apiUrl, 500);
  const pids = new Set<number>();
  let left = 150;
  const sendAll = async () => {
    while (left-- > 0) {
      const reply = await connections.send('select pg_backend_pid()::text as pid', 'a');
      expect(reply).toMatchObject({ ok: true });
      pids.add(reply.ok ? Number(reply.rows[0]?.['pid']) : 0);
      await sleep(40);
    }
  };
  await Promise.all([sendAll(), sendAll(), sendAll()]);
  expect(pids.size).toBeGreaterThanOrEqual(6);
  const open = () => database.sql`select from pg_stat_activity where pid = any (${[...pids]}::int[])`;
  await expect.poll(async () => (await open()).length).toBeLessThanOrEqual(6);
});

it('a connection that was idle for longer than its lifetime is not used again', async () => {
  connections = new Connections(database.apiUrl, 300);
  const process = () => connections.send('select pg_backend_pid()::text as pid', 'a');
  const before = await process();
  await sleep(400);
  expect(await process()).not.toEqual(before);
});
