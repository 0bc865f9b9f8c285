/** Which messages are pipelined on the pool's connections, to a real Postgres. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { Connections } from '../../functions/database/connections.ts';
import { createDatabase, type TestDatabase } from '../setup/database.ts';
import '../setup/with-resolvers.ts';

let database: TestDatabase;
let connections: Connections;
beforeAll(async () => {
  database = await createDatabase();
});
beforeEach(() => {
  connections = new Connections(database.apiUrl);
});
afterAll(() => database.drop());

/** The names of the messages in the order of their replies, and the backend that executed each. */
function watch() {
  const replied: string[] = [];
  const backends = new Map<string, string | null | undefined>();
  const send = async (callerKey: string, name: string, seconds: number): Promise<void> => {
    const text = `select pg_sleep(${seconds}); select pg_backend_pid()::text as pid`;
    const reply = await connections.send(text, callerKey);
    replied.push(reply.ok ? name : JSON.stringify(reply.error));
    backends.set(name, reply.ok ? reply.rows[0]?.['pid'] : undefined);
  };
  return { replied, backends, send };
}

it('a caller that holds its share of connections pipelines a second message on each, and no third', async () => {
  const { replied, backends, send } = watch();
  const first = [1, 0.3, 0.3, 0.3, 0.3].map((seconds, index) => send('a', `first ${index}`, seconds));
  const second = first.map((_, index) => send('a', `second ${index}`, 0));
  await Promise.all([...first, ...second, send('a', 'third', 0)]);
  const backendOf = (name: string) => backends.get(name);
  expect(first.map((_, index) => backendOf(`second ${index}`))).toEqual(
    first.map((_, index) => backendOf(`first ${index}`)),
  );
  expect(replied.slice(-2)).toEqual(['first 0', 'second 0']);
  expect(backendOf('third')).not.toBe(backendOf('first 0'));
});

it("no message is pipelined behind another caller's, nor behind its own caller's while another caller waits", async () => {
  const { replied, backends, send } = watch();
  const both = ['a', 'b'].flatMap(callerKey =>
    [1, 1, 1, 1, 0.3].map((seconds, index) => send(callerKey, callerKey + index, seconds)),
  );
  const other = send('c', 'c0', 0);
  const sixth = send('a', 'a5', 0);
  await Promise.all([...both, other, sixth]);
  // Each acquired a connection that a short one released.
  expect(replied.slice(0, 4).sort()).toEqual(['a4', 'a5', 'b4', 'c0']);
  expect(backends.get('a4')).not.toBe(backends.get('b4'));
});

it('no message is pipelined behind one that has been in flight for long', async () => {
  const { replied, send } = watch();
  const first = [2, 2, 2, 2, 0.6].map((seconds, index) => send('a', `first ${index}`, seconds));
  await sleep(300);
  const late = send('a', 'late', 0);
  await Promise.all([...first, late]);
  expect(replied.slice(0, 2)).toEqual(['first 4', 'late']);
});

it('an error of the first message leaves the pipelined second alone', async () => {
  const failing = Array.from({ length: 5 }, () => connections.send('select 1 / 0', 'a'));
  const { replied, send } = watch();
  await send('a', 'second', 0);
  expect((await Promise.all(failing)).map(reply => !reply.ok && reply.error.is)).toEqual(
    Array(5).fill('refused'),
  );
  expect(replied).toEqual(['second']);
});
