/** A connection gives each message its own answer, whether the driver reads it, as the first, or we do, as all others. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { Connection } from '../../functions/database/connection.ts';
import { loopback } from '../../functions/local/port.ts';
import { useDatabase } from '../setup/database.ts';
import { postgresPort } from '../setup/service.ts';
import '../setup/with-resolvers.ts';

const database = useDatabase();
const opened: Connection[] = [];
afterEach(() => opened.splice(0).forEach(connection => void connection.abandon()));

function open(url = database.apiUrl): Connection {
  const connection = new Connection(url);
  opened.push(connection);
  return connection;
}

const rows = (...of: object[]) => ({ ok: true, rows: of });

it.each([
  'select 1 as a',
  "select null as a, '' as b, 'é🏈 ''\\' as c",
  'select 1 as a, 2 as a',
  'select 1 as a; select 2 as b',
  'select 1 as a; select where true',
  'select 1 as a where false',
  "select set_config('role', 'builder_anon', true); select current_user as a",
  'create temporary table t (a int)',
  'create temporary table t (a int); insert into t values (1), (2); select count(*)::text as a from t',
  'select to_json(generate_series(1, 2000))::text as a',
  "select repeat('🏈', 300000) as a",
  'select 1.50::text as a, 12345678901234567890 as b',
  "do $$ begin raise notice 'heard'; end $$; select 1 as a",
  "set timezone to 'Asia/Tokyo'; select 1 as a",
  'select 1 / 0',
  'select 1 as a; select 1 / 0',
  'select nothing',
  "do $$ begin raise exception 'no' using detail = 'why', hint = 'so', errcode = 'PT409'; end $$",
  "do $$ begin raise exception ''; end $$",
])('the first message and the second have the same answer: %s', async text => {
  const [fresh, used] = [open(), open()];
  expect(await used.send('select 1 as a')).toEqual(rows({ a: '1' }));
  expect(await used.send(text)).toEqual(await fresh.send(text));
});

/** A port that leads to Postgres, from where each byte arrives by itself. */
async function slicing(): Promise<{ url: string; close(): void }> {
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
      for (const byte of chunk) {
        client.write(Buffer.from([byte]));
        await new Promise(setImmediate);
      }
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

it.each([
  'select 1 / 0',
  'select 0 as a',
])('no message gets the answer of another one, although its end comes late: %s, first', async first => {
  const { url, close } = await slicing();
  const connection = open(url);
  await connection.send(first);
  for (const a of ['1', '2', '3']) {
    expect(await connection.send(`select ${a} as a`)).toEqual(rows({ a }));
    expect(await connection.send(`select ${a} / 0`)).toMatchObject({ error: { sqlstate: '22012' } });
  }
  close();
});

it('what Postgres says between two messages is no answer, and its end of the connection is seen', async () => {
  const connection = open();
  const self = 'select pg_backend_pid()::text as pid';
  await connection.send(self);
  const reply = await connection.send(self);
  const pid = reply.ok ? Number(reply.rows[0]?.['pid']) : 0;
  await database.sql`select pg_terminate_backend(${pid})`;
  await expect.poll(() => connection.mayCarryMore).toBe(false);
});

it('two messages at once are a mistake of the program', async () => {
  const connection = open();
  const first = connection.send('select 1 as a');
  await expect(connection.send('select 2 as a')).rejects.toThrow('one message at a time');
  expect(await first).toEqual(rows({ a: '1' }));
});
