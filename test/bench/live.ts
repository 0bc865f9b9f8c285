/** What live updates cost: a listener, and a change; and how soon changes are sent. */
import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';
import { cpuMilliseconds, cpuOfFamily, residentMegabytes } from '../costs/processes.ts';
import { mapAtOnce } from '../setup/map-at-once.ts';
import { type Contestant, createToken, startOurs } from './contestants.ts';
import type { Database } from './place.ts';
import { percentile } from './throughput.ts';

export type LiveResult = Awaited<ReturnType<typeof measureLive>>;

const team = 'c0000000-0000-4000-8000-000000000042';
const fanOutSockets = 1000;
const fanOutWrites = 10;
const delaySockets = 500;
const writesPerSecond = 100;
const delayWrites = 2000;
/** Milliseconds. */
const heartbeatInterval = 25_000;

export async function measureLive(database: Database) {
  const ours = await startOurs(database);
  try {
    const { fanOut, memory } = await measureFanOut(ours, database);
    const delay = await measureDelay(ours);
    console.log(`
Live updates
  a change sent to ${fanOut.callers} callers: ${fanOut.postgres.toFixed(0)} ms of the database, ${fanOut.server.toFixed(0)} ms of the worker
  ${memory.sockets} sockets: ${memory.before} MB before, ${memory.after} MB after
  ${writesPerSecond} writes a second, ${delay.sockets} sockets: sent after p50 ${delay.p50.toFixed(0)} ms, p99 ${delay.p99.toFixed(0)} ms`);
    return { fanOut, memory, delay };
  } finally {
    await ours.stop();
  }
}

async function measureFanOut(ours: Contestant, { sql }: Database) {
  const before = residentMegabytes('workerd', ours.process);
  const listeners = await listen(ours, fanOutSockets, [team]);
  const after = residentMegabytes('workerd', ours.process);
  const used = async () => {
    const backends = await sql<{ pid: number }[]>`
      select pid from pg_stat_activity where usename = 'builder_api'`;
    const postgres = backends.reduce((sum, { pid }) => sum + cpuMilliseconds(pid), 0);
    return { postgres, server: cpuOfFamily(ours.process) * 1000 };
  };
  const write = await writer(ours);
  const earlier = await used();
  for (let n = 0; n < fanOutWrites; n++) {
    const received = listeners.map(({ sent }) => once(sent, `fan-out ${n}`));
    await write(team, `fan-out ${n}`);
    await Promise.all(received);
  }
  const later = await used();
  listeners.forEach(close);
  return {
    /** Milliseconds of CPU of a change that is sent to so many callers of one account. */
    fanOut: {
      callers: fanOutSockets,
      postgres: (later.postgres - earlier.postgres) / fanOutWrites,
      server: (later.server - earlier.server) / fanOutWrites,
    },
    /** Megabytes that workerd holds, before so many sockets joined and after. */
    memory: { sockets: fanOutSockets, before: Math.round(before), after: Math.round(after) },
  };
}

/** Measures the milliseconds from a write to the frame with its change; each change is sent to one socket. */
async function measureDelay(ours: Contestant) {
  const listeners = await listen(ours, delaySockets);
  const write = await writer(ours);
  const timeOf = async ({ account, sent }: Listener, body: string): Promise<number> => {
    const written = performance.now();
    const [[at]] = await Promise.all([once(sent, body), write(account, body)]);
    return at - written;
  };
  const times: Promise<number>[] = [];
  const begun = performance.now();
  for (let n = 0; n < delayWrites; n++) {
    await sleep(Math.max(0, begun + (n * 1000) / writesPerSecond - performance.now()));
    times.push(timeOf(listeners[n % delaySockets] as Listener, `delay ${n}`));
  }
  const found = await Promise.all(times);
  listeners.forEach(close);
  return { sockets: delaySockets, writesPerSecond, p50: percentile(found, 50), p99: percentile(found, 99) };
}

/** Returns what inserts a notification, as staff. */
async function writer({ url, headers }: Contestant) {
  const token = await createToken({ account: randomUUID(), staff: true });
  const all = { ...headers, authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return async (account_id: string, text: string): Promise<void> => {
    const body = JSON.stringify({ account_id, body: text, dismissed: false });
    const response = await fetch(`${url}/notifications`, { method: 'POST', headers: all, body });
    if (!response.ok) {
      throw new Error(`A notification was not written: ${response.status} ${await response.text()}`);
    }
  };
}

interface Listener {
  /** The account of its user. */
  account: string;
  socket: WebSocket;
  /** Emits the body of each notification that it is sent, with the time by performance.now(). */
  sent: EventEmitter;
}

/** Opens so many listeners, each of a user of its own who is a member of those accounts too. */
const listen = (ours: Contestant, sockets: number, also: string[] = []): Promise<Listener[]> =>
  mapAtOnce(Array.from({ length: sockets }), 20, () => startListener(ours, also));

/** Resolves when it has joined. */
async function startListener({ url, headers }: Contestant, also: string[]): Promise<Listener> {
  const account = randomUUID();
  const address = new URL('/realtime/v1/websocket?vsn=2.0.0', url.replace(/^http/, 'ws'));
  address.searchParams.set('apikey', headers['apikey'] ?? '');
  const [socket, sent] = [new WebSocket(address), new EventEmitter()];
  socket.on('message', data => {
    const [, , , event, payload] = JSON.parse(String(data));
    if (event === 'postgres_changes') {
      sent.emit(payload.data.record.body, performance.now());
    } else {
      sent.emit(event, payload);
    }
  });
  await once(socket, 'open');
  const send = (...message: unknown[]): void => socket.send(JSON.stringify(message));
  const postgres_changes = [{ event: '*', schema: 'public', table: 'notifications' }];
  const access_token = await createToken({ account, also });
  send('1', '1', 'realtime:bench', 'phx_join', { config: { postgres_changes }, access_token });
  const [{ status, response }] = await once(sent, 'phx_reply');
  if (status !== 'ok') {
    throw new Error(`A join was refused: ${response.reason}`);
  }
  const heartbeat = setInterval(() => send(null, '2', 'phoenix', 'heartbeat', {}), heartbeatInterval);
  socket.once('close', () => clearInterval(heartbeat));
  return { account, socket, sent };
}

const close = ({ socket }: Listener): void => socket.close(1001);
