/**
 * What Postgres does with a message that has reached its deadline. Each test uses an `expect` of its own, since they run
 * concurrently.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { it } from 'vitest';
import { limits } from '../../functions/common/limits.ts';
import { Connections } from '../../functions/database/connections.ts';
import { HyperdriveDatabase } from '../../functions/database/hyperdrive.ts';
import { terminateOnce } from '../../functions/database/terminate.ts';
import { loopback } from '../../functions/local/port.ts';
import { sql } from '../../functions/statement/sql.ts';
import { startHyperdrive } from '../faults/hyperdrive.ts';
import { useDatabase } from '../setup/database.ts';
import { postgresPort } from '../setup/service.ts';
import '../setup/with-resolvers.ts';

const database = useDatabase();

/** The backends of the login that are executing a message with this text. */
async function backendsExecuting(text: string): Promise<number[]> {
  const rows = await database.sql<{ pid: number }[]>`
    select pid from pg_stat_activity
    where datname = current_database() and usename = 'builder_api' and state = 'active' and query like ${`%${text}%`}`;
  return rows.map(({ pid }) => pid);
}

const timeout = { ok: false, error: { is: 'unavailable', reason: 'DEADLINE' } };

it.concurrent('Postgres stops executing it', async ({ expect }) => {
  const connections = new Connections(database.apiUrl);
  const replies = Array.from({ length: 3 }, (_, n) =>
    connections.send(`/* an emoji: 🏈 */ select 'may be interrupted', pg_sleep(${60 + n})`, 'a'),
  );
  await expect.poll(() => backendsExecuting('may be interrupted')).toHaveLength(3);
  expect(await Promise.all(replies)).toEqual([timeout, timeout, timeout]);
  await expect.poll(() => backendsExecuting('may be interrupted')).toEqual([]);
}, 30_000);

it.concurrent('Postgres stops executing it behind Hyperdrive, too', async ({ expect }) => {
  const standIn = await startHyperdrive(postgresPort());
  const connectionString = Object.assign(new URL(database.apiUrl), { port: String(standIn.port) }).href;
  const behind = new HyperdriveDatabase({ connectionString });
  const message = sql`/* an emoji: 🏈 */ select 'behind Hyperdrive', pg_sleep(60)`;
  const reply = behind.send(message, 'a');
  await expect.poll(() => backendsExecuting('behind Hyperdrive')).toHaveLength(1);
  expect(await reply).toEqual(timeout);
  await expect.poll(() => backendsExecuting('behind Hyperdrive')).toEqual([]);
  await standIn.stop();
}, 30_000);

it.concurrent('a message that Postgres cannot interrupt keeps its connection in use until it ends', async ({
  expect,
}) => {
  const connections = new Connections(database.apiUrl);
  const replies = Array.from({ length: 5 }, (_, n) =>
    connections.send(`select 'is stopped', pg_sleep(${60 + n})`, 'a'),
  );
  await expect.poll(() => backendsExecuting('is stopped')).toHaveLength(5);
  // A stopped process handles no signal but SIGCONT.
  const stopped = await backendsExecuting('is stopped');
  for (const pid of stopped) {
    process.kill(pid, 'SIGSTOP');
  }
  expect(await Promise.all(replies)).toEqual(Array(5).fill(timeout));
  const impatient = connections.send("select 'next' as said", 'a');
  const other = await connections.send("select 'other' as said", 'b');
  expect(other).toEqual({ ok: true, rows: [{ said: 'other' }] });
  expect(await impatient).toEqual({ ok: false, error: { is: 'too many at once' } });
  const next = connections.send("select 'next' as said", 'a');
  for (const pid of stopped) {
    process.kill(pid, 'SIGCONT');
  }
  expect(await next).toEqual({ ok: true, rows: [{ said: 'next' }] });
  await expect.poll(() => backendsExecuting('is stopped')).toEqual([]);
}, 30_000);

it.concurrent('what stops it leaves no connection where nobody answers', async ({ expect }) => {
  const open = new Set<Socket>();
  const query = 'Q'.charCodeAt(0);
  // It lets everything through but messages, as a pooler does whose connections are all in use.
  const pooler = createServer(client => {
    const server = connect(postgresPort(), loopback);
    open.add(client);
    client.once('close', () => {
      open.delete(client);
      server.destroy();
    });
    for (const socket of [client, server]) {
      // Either end may reset its connection.
      socket.on('error', () => {});
    }
    server.pipe(client);
    client.on('data', chunk => chunk[0] === query || server.write(chunk)).on('end', () => server.end());
  }).listen(0, loopback);
  await once(pooler, 'listening');
  const { port } = pooler.address() as AddressInfo;
  const url = Object.assign(new URL(database.apiUrl), { port: String(port) }).href;
  expect(await terminateOnce(url, 'never answered')).toBe(0);
  await expect.poll(() => open.size).toBe(0);
  pooler.close();
}, 30_000);

it.concurrent('it is also stopped while no other request waits', async ({ expect }) => {
  const connections = new Connections(database.apiUrl);
  const reply = connections.send(`select 'alone', pg_sleep(60)`, 'a');
  await sleep(limits.database.deadline + 1000);
  expect(await reply).toEqual(timeout);
  expect(await connections.send("select 'next' as said", 'a')).toEqual({
    ok: true,
    rows: [{ said: 'next' }],
  });
}, 30_000);
