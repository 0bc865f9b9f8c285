/**
 * More connections to `npm start` than its limit of open files allows, from clients that never close one.
 * @module-tag full
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useDatabase } from '../setup/database.ts';
import { mapAtOnce } from '../setup/map-at-once.ts';
import { makeTemporaryDirectory } from '../setup/temporary-directory.ts';
import { use } from '../setup/use.ts';
import { keepLoginPassword } from './login-password.ts';
import { type Program, startCommand } from './program.ts';

const directory = use(makeTemporaryDirectory, 'remove');
const database = useDatabase();
let program: Program;
let address: URL;
let key: string;
const sockets: Socket[] = [];

beforeAll(async () => {
  const data = join(directory.path, 'data');
  await keepLoginPassword(data);
  const command = `ulimit -n 1000; exec '${process.execPath}' --import tsx functions/local/start.ts --data '${data}'`;
  program = startCommand('sh', ['-c', command], { env: { DATABASE_URL: database.ownerUrl, PORT: '0' } });
  await program.printed('Ctrl-C stops it.');
  const printed = (label: string) => new RegExp(`^${label} +(\\S+)$`, 'm').exec(program.output())?.[1] ?? '';
  address = new URL(printed('address'));
  key = printed('publishable key');
});
afterAll(async () => {
  for (const socket of sockets) {
    socket.destroy();
  }
  expect(await program.interrupt()).toMatchObject({ code: 0 });
});

/** Opens a connection, which stays open on this side whatever the server does. */
async function open(): Promise<Socket> {
  const socket = connect({ port: Number(address.port), host: address.hostname, allowHalfOpen: true });
  sockets.push(socket.on('error', () => {}));
  await once(socket, 'connect');
  return socket;
}

/** Asks for a WebSocket, and returns the status. Reads no further. */
async function openWebSocket(network: number): Promise<number> {
  const socket = await open();
  const lines = [
    `GET /realtime/v1/websocket?apikey=${key}&vsn=1.0.0 HTTP/1.1`,
    ...[`Host: ${address.host}`, `CF-Connecting-IP: 203.0.113.${network}`],
    ...['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'],
    `Sec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}`,
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  const [answer] = await once(socket, 'data');
  socket.pause();
  return Number(/^HTTP\/1\.1 (\d+)/.exec(String(answer))?.[1]);
}

const health = async () => (await fetch(new URL('health', address))).status;

it('sockets of live updates take at most half of the files, closed ones too, and more are refused with a reason', async () => {
  const networks = Array.from({ length: 300 }, (_, n) => (n % 20) + 1);
  const statuses = await mapAtOnce(networks, 20, openWebSocket);
  expect(statuses.filter(status => status === 101)).toHaveLength(250);
  expect(new Set(statuses)).toEqual(new Set([101, 503]));
  expect(await health()).toBe(200);
});

it('connections beyond the limit are closed, and the service continues', async () => {
  await mapAtOnce(Array(800).fill(0), 100, () => open().catch(() => {}));
  await expect.poll(() => health().catch(() => 0), { timeout: 60_000 }).toBe(200);
});
