/** Requests and programs reach a database whose name has a space and other characters, at an IPv6 address. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { loopback } from '../../functions/local/port.ts';
import { runProgram, startCommand } from '../local/program.ts';
import { databaseAt } from '../setup/database.ts';
import { startService } from '../setup/service.ts';
import { callerOf } from '../setup/wire.ts';

const { ownerUrl: serverUrl, template } = inject('postgres');
const name = `my db ä%2F ${randomBytes(4).toString('hex')}`;
let server: Sql;
let sql: Sql;
let proxy: Server;
let owner: string;

beforeAll(async () => {
  server = postgres(serverUrl, { max: 1, onnotice: () => {} });
  await server`create database ${server(name)} template ${server(template)}`;
  sql = postgres(serverUrl, { database: name, max: 1, onnotice: () => {} });
  proxy = createServer(client => {
    const behind = connect(Number(new URL(serverUrl).port), loopback);
    client.pipe(behind).pipe(client);
    client.on('error', () => behind.destroy());
    behind.on('error', () => client.destroy());
  }).listen(0, '::1');
  await once(proxy, 'listening');
  const url = Object.assign(new URL(serverUrl), { pathname: encodeURIComponent(name) });
  owner = url.href.replace(url.host, `[::1]:${(proxy.address() as AddressInfo).port}`);
});
afterAll(async () => {
  await sql.end();
  proxy.close();
  await server`drop database ${server(name)} with (force)`;
  await server.end();
});

it('requests reach a database with an unusual name and address', async () => {
  const { port } = proxy.address() as AddressInfo;
  const database = databaseAt(owner, sql, async () => {});
  const service = await startService({ database, databasePort: port });
  const reply = await callerOf(service, service.secretKey).get('/graphics?select=id');
  await service.stop();
  expect([reply.status, reply.body]).toEqual([200, []]);
});

it('npm run migrate and npm run webhook reach a database with an unusual name and address', async () => {
  const env = { DATABASE_URL: owner };
  const { ended } = startCommand(process.execPath, ['--import', 'tsx', 'sql/run-migrate.ts'], { env });
  const { code, stdout, stderr } = await ended;
  expect([code, stdout], stderr).toEqual([0, expect.stringContaining('The database is up to date.')]);
  expect(await runProgram('webhook', ['list'], env)).toMatchObject({ code: 0, stderr: '' });
});
