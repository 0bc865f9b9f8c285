/** Live updates as they are deployed: the object reaches the database through Hyperdrive, and holds its connections. */
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import { startWays } from '../faults/ways.ts';
import { aNotification } from '../setup/rows.ts';
import type { Service } from '../setup/service.ts';
import { slowDown } from '../setup/slow-function.ts';
import { use } from '../setup/use.ts';
import { callerOf } from '../setup/wire.ts';
import { all, Wire } from './wire.ts';

const started = use(() => startWays(['hyperdrive']), 'stop');
let service: Service;
beforeAll(async () => {
  [service] = started.services as [Service];
});

const connections = async (): Promise<number> => {
  const [row] = await started.database.sql<{ count: number }[]>`
    select count(*)::integer from pg_stat_activity where datname = current_database() and usename = 'builder_api'`;
  return row?.count ?? 0;
};

const insert = (account: string, body = 'x') => {
  const { sql } = started.database;
  return sql`insert into builder.notifications ${sql(aNotification(account, { body }))}`;
};
const listen = async (account = randomUUID(), headers = {}) =>
  Wire.listen(service, await service.token({ account }), { headers });

it('a customer is sent what the service and others wrote, also after every backend was terminated', async () => {
  const account = randomUUID();
  const wire = await listen(account);
  await insert(account, 'from psql');
  await wire.received(1);
  const row = aNotification(account, { body: 'from the service' });
  const { send } = callerOf(service, service.secretKey);
  expect(await send('POST', '/notifications', row)).toMatchObject({ status: 201 });
  await wire.received(2);
  await started.database.sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`;
  await insert(account, 'after the cut');
  await wire.received(3);
  expect(wire.bodies).toEqual(['from psql', 'from the service', 'after the cut']);
  const health = await (await service.fetch('/health')).json();
  expect(health).toMatchObject({ status: 'ok', live: 'reading', delivery: 'off' });
  wire.close();
});

it('the object holds at most two connections while anybody listens, and none when everybody has left', async () => {
  const accounts = Array.from({ length: 20 }, () => randomUUID());
  const wires = await Promise.all(accounts.map(account => listen(account)));
  await Promise.all(accounts.map(account => insert(account)));
  await Promise.all(wires.map(wire => wire.received(1)));
  expect(await connections()).toBeLessThanOrEqual(2);
  for (const wire of wires) {
    wire.close();
  }
  await expect.poll(connections).toBe(0);
});

it('no connection is held when everybody has left while joins were waiting', {
  timeout: 60_000,
}, async () => {
  const { sql } = started.database;
  const restore = await slowDown(sql, 'builder.accounts_of_callers(json)', 0.5);
  const [a, b] = [await Wire.open(service), await Wire.open(service)];
  for (const wire of [a, b]) {
    wire.sendJoin('x', [all], await service.token({ account: randomUUID() }));
    await sleep(100);
  }
  a.close();
  b.close();
  await sleep(2000);
  await restore();
  await expect.poll(connections, { timeout: 20_000 }).toBe(0);
});

it('no connection is held when everybody has left while requests for sockets were waiting', {
  timeout: 60_000,
}, async () => {
  const url = new URL(service.url);
  const upgrade = [
    `GET /realtime/v1/websocket?apikey=${service.publishableKey} HTTP/1.1`,
    'host: localhost',
    'upgrade: websocket',
    'connection: Upgrade',
    'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
    'sec-websocket-version: 13',
    'cf-connecting-ip: 203.0.113.9',
    '\r\n',
  ].join('\r\n');
  // More than there are places for: some are cut off before they have a socket, and some after.
  const requests = Array.from({ length: 100 }, () => connect(Number(url.port), url.hostname));
  for (const request of requests) {
    request.on('error', () => {});
    request.write(upgrade);
  }
  const wire = await listen(randomUUID(), { 'cf-connecting-ip': '203.0.113.8' });
  for (const request of requests) {
    request.destroy();
  }
  wire.close();
  await expect.poll(connections, { timeout: 40_000 }).toBe(0);
  // All of their places are free again.
  const headers = { 'cf-connecting-ip': '203.0.113.9' };
  const sockets = await Promise.all(Array.from({ length: 25 }, () => Wire.open(service, { headers })));
  for (const socket of sockets) {
    socket.close();
  }
});
