/** Who sends behind whom on the pool's connections, to a real Postgres. */
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

/** Which of the messages, by their names, were answered so far, and by which of Postgres's processes. */
function watch() {
  const answered: string[] = [];
  const processes = new Map<string, string | null | undefined>();
  const send = async (sender: string, name: string, seconds: number): Promise<void> => {
    const text = `select pg_sleep(${seconds}); select pg_backend_pid()::text as pid`;
    const reply = await connections.send(text, sender);
    answered.push(reply.ok ? name : JSON.stringify(reply.error));
    processes.set(name, reply.ok ? reply.rows[0]?.['pid'] : undefined);
  };
  return { answered, processes, send };
}

it('a sender that has its share of them sends a second message behind the first of each, and no third', async () => {
  const { answered, processes, send } = watch();
  const first = [1, 0.3, 0.3, 0.3, 0.3].map((seconds, index) => send('a', `first ${index}`, seconds));
  const second = first.map((_, index) => send('a', `second ${index}`, 0));
  await Promise.all([...first, ...second, send('a', 'third', 0)]);
  const processOf = (name: string) => processes.get(name);
  expect(first.map((_, index) => processOf(`second ${index}`))).toEqual(
    first.map((_, index) => processOf(`first ${index}`)),
  );
  expect(answered.slice(-2)).toEqual(['first 0', 'second 0']);
  expect(processOf('third')).not.toBe(processOf('first 0'));
});

it('nobody is sent behind a message of another, nor anybody behind its own while another waits', async () => {
  const { answered, processes, send } = watch();
  const both = ['a', 'b'].flatMap(sender =>
    [1, 1, 1, 1, 0.3].map((seconds, index) => send(sender, sender + index, seconds)),
  );
  const other = send('c', 'c0', 0);
  const sixth = send('a', 'a5', 0);
  await Promise.all([...both, other, sixth]);
  // Each took a place that came free when the short ones ended.
  expect(answered.slice(0, 4).sort()).toEqual(['a4', 'a5', 'b4', 'c0']);
  expect(processes.get('a4')).not.toBe(processes.get('b4'));
});

it('nobody is sent behind a message that is under way for long', async () => {
  const { answered, send } = watch();
  const first = [2, 2, 2, 2, 0.6].map((seconds, index) => send('a', `first ${index}`, seconds));
  await sleep(300);
  const late = send('a', 'late', 0);
  await Promise.all([...first, late]);
  expect(answered.slice(0, 2)).toEqual(['first 4', 'late']);
});

it("an error of the first message is not the second's", async () => {
  const failing = Array.from({ length: 5 }, () => connections.send('select 1 / 0', 'a'));
  const { answered, send } = watch();
  await send('a', 'second', 0);
  expect((await Promise.all(failing)).map(reply => !reply.ok && reply.error.is)).toEqual(
    Array(5).fill('refused'),
  );
  expect(answered).toEqual(['second']);
});
