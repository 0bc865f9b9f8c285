/**
 * A connection gives each message its own reply, however it arrives and whatever Postgres sends beside it. The connections of the
 * pool are shared among callers and replaced after a time.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Connection } from '../../functions/database/connection.ts';
import { Connections } from '../../functions/database/connections.ts';
import { PreparedStatements } from '../../functions/database/prepared-statements.ts';
import { loopback } from '../../functions/local/port.ts';
import { useDatabase } from '../setup/database.ts';
import { postgresPort } from '../setup/service.ts';
import '../setup/with-resolvers.ts';

const database = useDatabase();
const opened: Connection[] = [];
afterEach(() => opened.splice(0).forEach(connection => void connection.abandon()));

/** A connection of a pool, which prepares statements, or one over Hyperdrive. */
function open(url = database.apiUrl, prepares = true): Connection {
  const connection = new Connection(url, prepares ? new PreparedStatements() : undefined);
  opened.push(connection);
  return connection;
}

const ownPid = 'select pg_backend_pid()::text as pid';
const rows = (...of: object[]) => ({ ok: true, rows: of });

const refused = (error: object) => ({ ok: false, error: { is: 'refused', ...error } });

it.each<[string, object]>([
  ['select 1 as a', rows({ a: '1' })],
  ["select null as a, '' as b, 'é🏈 ''\\' as c", rows({ a: null, b: '', c: "é🏈 '\\" })],
  ["select set_config('role', 'builder_anon', true); select current_user as a", rows({ a: 'builder_anon' })],
  ["select repeat('🏈', 300000) as a", rows({ a: '🏈'.repeat(300_000) })],
  ["do $$ begin raise notice 'ignored'; end $$; select 1 as a", rows({ a: '1' })],
  [
    "do $$ begin raise exception 'no' using detail = 'why', hint = 'so', errcode = 'PT409'; end $$",
    refused({ sqlstate: 'PT409', message: 'no', details: 'why', hint: 'so' }),
  ],
])('a first and a later message get the rows of their last statement, or its error: %s', async (text, reply) => {
  for (const prepares of [true, false]) {
    const connection = open(database.apiUrl, prepares);
    expect(await connection.send(text)).toEqual(reply);
    expect(await connection.send('select 1 as a')).toEqual(rows({ a: '1' }));
    expect(await connection.send(text)).toEqual(reply);
  }
});

/** What forwards a chunk from Postgres. */
type Forward = (chunk: Buffer, client: Socket) => Promise<void>;

/** A port that leads to Postgres, whose answers are forwarded so. */
async function forwarding(forward: Forward): Promise<{ url: string; close(): void }> {
  const sockets: Socket[] = [];
  const proxy = createServer({ noDelay: true }, client => {
    const server = connect(postgresPort(), loopback);
    sockets.push(client, server);
    for (const socket of [client, server]) {
      socket.on('error', () => {});
    }
    client.pipe(server);
    server.on('data', async chunk => {
      server.pause();
      await forward(chunk, client);
      server.resume();
    });
  }).listen(0, loopback);
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  return {
    url: Object.assign(new URL(database.apiUrl), { port: String(port) }).href,
    close() {
      proxy.close();
      sockets.forEach(socket => void socket.destroy());
    },
  };
}

const byteByByte: Forward = async (chunk, client) => {
  for (const byte of chunk) {
    client.write(Buffer.from([byte]));
    await new Promise(setImmediate);
  }
};

const isEnd = (chunk: Buffer): boolean => chunk.subarray(-6).equals(Buffer.from('Z\0\0\0\x05I'));
const notice = Buffer.from('N\0\0\0\x11SNOTICE\0Mab\0\0');

/** Sends the first bytes of a notice with each answer, and the rest of it later. */
const withNotice =
  (bytes: number): Forward =>
  async (chunk, client) => {
    const begins = isEnd(chunk);
    client.write(begins ? Buffer.concat([chunk, notice.subarray(0, bytes)]) : chunk);
    if (begins) {
      await sleep(20);
      client.write(notice.subarray(bytes));
    }
  };

describe.each<[string, Forward]>([
  ['comes byte by byte', byteByByte],
  ['has a byte of a notice behind it', withNotice(1)],
])('no message gets the answer of another one, although each %s', (_, forward) => {
  it.each([
    ['select 1 / 0', true],
    ['select 0 as a', false],
  ])('after %s (by the pool: %s)', async (first, prepares) => {
    const { url, close } = await forwarding(forward);
    const connection = open(url, prepares);
    await connection.send(first);
    for (const a of ['1', '2', '3']) {
      expect(await connection.send(`select ${a} as a`)).toEqual(rows({ a }));
      expect(await connection.send(`select ${a} / 0`)).toMatchObject({ error: { sqlstate: '22012' } });
    }
    close();
  });
});

it('a message succeeds when Postgres ends the connection right after its reply', async () => {
  const fatal = Buffer.from('E\0\0\0\x15VFATAL\0C57P01\0M\0\0');
  let isLast = false;
  const { url, close } = await forwarding(async (chunk, client) => {
    if (isLast) {
      client.end(Buffer.concat([chunk, fatal]));
    } else {
      client.write(chunk);
    }
  });
  const connection = open(url);
  await connection.send('select 1 as a');
  isLast = true;
  expect(await connection.send('select 2 as a')).toEqual(rows({ a: '2' }));
  await expect.poll(() => connection.mayCarryMore).toBe(false);
  close();
});

it.each([
  ['a reply', 'Z\0\0\0\x05I'],
  ['a notice', notice],
])('a connection carries no message after %s that belongs to none', async (_, unsolicited) => {
  let client: Socket | undefined;
  const { url, close } = await forwarding(async (chunk, to) => {
    client = to;
    to.write(chunk);
  });
  const connection = open(url);
  await connection.send('select 1 as a');
  client?.write(unsolicited);
  await expect.poll(() => connection.mayCarryMore).toBe(false);
  close();
});

it('a connection that Postgres ends between two messages carries no other', async () => {
  const connection = open();
  await connection.send(ownPid);
  const reply = await connection.send(ownPid);
  const pid = reply.ok ? Number(reply.rows[0]?.['pid']) : 0;
  await database.sql`select pg_terminate_backend(${pid})`;
  await expect.poll(() => connection.mayCarryMore).toBe(false);
});

let connections: Connections;
beforeEach(() => {
  connections = new Connections(database.apiUrl);
});

it('a caller that holds its share waits for a connection of its own, while another caller gets one at once', async () => {
  const replied: string[] = [];
  const send = async (callerKey: string, name: string, statement = 'select'): Promise<void> => {
    const reply = await connections.send(statement, callerKey);
    replied.push(reply.ok ? name : JSON.stringify(reply.error));
  };
  let rest: Promise<unknown>[] = [];
  await database.sql.begin(async holder => {
    await holder`select pg_advisory_xact_lock(0), pg_advisory_lock(1)`;
    const locking = ['a0', 'a1', 'a2', 'a3'].map(name => send('a', name, 'select pg_advisory_xact_lock(0)'));
    const fifth = [send('a', 'a4', 'select pg_advisory_xact_lock(1)'), send('a', 'a5')];
    rest = locking;
    await send('b', 'b0');
    await holder`select pg_advisory_unlock(1)`;
    await Promise.all(fifth);
  });
  await Promise.all(rest);
  expect(replied.slice(0, 3)).toEqual(['b0', 'a4', 'a5']);
});

it('a connection is replaced after a time, and no message fails', async () => {
  connections = new Connections(database.apiUrl, 500);
  const pids = new Set<number>();
  let left = 60;
  const sendAll = async () => {
    while (left-- > 0) {
      const reply = await connections.send(ownPid, 'a');
      expect(reply).toMatchObject({ ok: true });
      pids.add(reply.ok ? Number(reply.rows[0]?.['pid']) : 0);
      await sleep(40);
    }
  };
  await Promise.all([sendAll(), sendAll(), sendAll()]);
  expect(pids.size).toBeGreaterThan(3);
  const open = () => database.sql`select from pg_stat_activity where pid = any (${[...pids]}::int[])`;
  await expect.poll(async () => (await open()).length).toBeLessThanOrEqual(6);
});
