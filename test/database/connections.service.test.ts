/** How the pool's connections are shared among callers, at a real Postgres. */
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

it('of several callers that wait, each gets a connection in turn', async () => {
  const { replied, send } = watch();
  const both = ['a', 'b'].flatMap(callerKey =>
    [1.5, 1.5, 1.5, 1.5, 0.5].map((seconds, index) => send(callerKey, callerKey + index, seconds)),
  );
  await Promise.all([...both, send('c', 'c0', 0), send('a', 'a5', 0)]);
  expect(replied.slice(0, 4).sort()).toEqual(['a4', 'a5', 'b4', 'c0']);
});

it('an error of one message leaves the next on its connection alone', async () => {
  const failing = Array.from({ length: 5 }, () => connections.send('select 1 / 0', 'a'));
  const { replied, send } = watch();
  await send('a', 'second', 0);
  expect((await Promise.all(failing)).map(reply => !reply.ok && reply.error.is)).toEqual(
    Array(5).fill('refused'),
  );
  expect(replied).toEqual(['second']);
});
