/** What live updates cost: telling a change, and those who listen; and how soon they are told. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';
import { cpuMilliseconds, cpuOfFamily, residentMegabytes } from '../costs/processes.ts';
import { type Contestant, createToken, startOurs } from './contestants.ts';
import type { Database } from './place.ts';
import { percentile } from './throughput.ts';

export interface LiveResult {
  /** A change that each of so many callers is told of, all of one account: milliseconds of CPU. */
  fanOut: { callers: number; postgres: number; server: number };
  /** Megabytes that workerd holds, before so many sockets joined and after. */
  memory: { sockets: number; before: number; after: number };
  /** Milliseconds from sending a write to the frame that tells of it; each write is told to one socket. */
  delay: { sockets: number; writesPerSecond: number; p50: number; p99: number };
}

const team = 'c0000000-0000-4000-8000-000000000042';
const fanOutSockets = 1000;
const fanOutWrites = 10;
const delaySockets = 500;
const writesPerSecond = 100;
const delayWrites = 2000;

export async function measureLive(database: Database): Promise<LiveResult> {
  const ours = await startOurs(database);
  try {
    const result = { ...(await measureFanOut(ours, database)), delay: await measureDelay(ours) };
    report(result);
    return result;
  } finally {
    await ours.stop();
  }
}

async function measureFanOut(
  ours: Contestant,
  { sql }: Database,
): Promise<Pick<LiveResult, 'fanOut' | 'memory'>> {
  const before = residentMegabytes('workerd', ours.process);
  const listeners = await listen(ours, fanOutSockets, [team]);
  const after = residentMegabytes('workerd', ours.process);
  const used = async () => {
    const backends = await sql<{ pid: number }[]>`
      select pid from pg_stat_activity where usename = 'builder_api'`;
    const postgres = backends.reduce((sum, { pid }) => sum + cpuMilliseconds(pid), 0);
    return { postgres, server: cpuOfFamily(ours.process) };
  };
  const write = await writer(ours);
  const earlier = await used();
  for (let n = 0; n < fanOutWrites; n++) {
    await write(team, `fan-out ${n}`);
    await Promise.all(listeners.map(listener => listener.told(`fan-out ${n}`)));
  }
  const later = await used();
  closeAll(listeners);
  return {
    fanOut: {
      callers: fanOutSockets,
      postgres: (later.postgres - earlier.postgres) / fanOutWrites,
      server: ((later.server - earlier.server) * 1000) / fanOutWrites,
    },
    memory: { sockets: fanOutSockets, before: Math.round(before), after: Math.round(after) },
  };
}

async function measureDelay(ours: Contestant): Promise<LiveResult['delay']> {
  const listeners = await listen(ours, delaySockets);
  const write = await writer(ours);
  const times: Promise<number>[] = [];
  const begun = performance.now();
  for (let n = 0; n < delayWrites; n++) {
    await sleep(Math.max(0, begun + (n * 1000) / writesPerSecond - performance.now()));
    times.push(timeOf(listeners[n % delaySockets] as Listener, `delay ${n}`, write));
  }
  const found = await Promise.all(times);
  closeAll(listeners);
  return { sockets: delaySockets, writesPerSecond, p50: percentile(found, 50), p99: percentile(found, 99) };
}

async function timeOf(listener: Listener, body: string, write: Write): Promise<number> {
  const sent = performance.now();
  const told = listener.told(body);
  await write(listener.account, body);
  return (await told) - sent;
}

function closeAll(listeners: Listener[]): void {
  for (const listener of listeners) {
    listener.close();
  }
}

type Write = (account: string, body: string) => Promise<void>;

/** Inserts notifications, as staff. */
async function writer({ url, headers }: Contestant): Promise<Write> {
  const token = await createToken({ account: randomUUID(), staff: true });
  return async (account, body) => {
    const response = await fetch(`${url}/notifications`, {
      method: 'POST',
      headers: { ...headers, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ account_id: account, body, dismissed: false }),
    });
    if (!response.ok) {
      throw new Error(`A notification was not written: ${response.status} ${await response.text()}`);
    }
  };
}

const topic = 'realtime:bench';
const heartbeatInterval = 25_000;
const postgres_changes = [{ event: '*', schema: 'public', table: 'notifications' }];

interface Listener {
  /** The account of the user who listens. */
  account: string;
  /** Resolves when it is sent the notification with this body, to that time by performance.now(). */
  told(body: string): Promise<number>;
  close(): void;
}

/** So many listeners, each of a user of its own who is a member of those accounts too. */
async function listen(ours: Contestant, sockets: number, also: string[] = []): Promise<Listener[]> {
  const listeners: Listener[] = [];
  while (listeners.length < sockets) {
    const some = Array.from({ length: 20 }, async () => {
      const account = randomUUID();
      return startListener(ours, account, await createToken({ account, also }));
    });
    listeners.push(...(await Promise.all(some)));
  }
  return listeners;
}

/** Resolves when it has joined. */
async function startListener(
  { url, headers }: Contestant,
  account: string,
  access_token: string,
): Promise<Listener> {
  const address = new URL('/realtime/v1/websocket?vsn=2.0.0', url.replace(/^http/, 'ws'));
  address.searchParams.set('apikey', headers['apikey'] ?? '');
  const socket = new WebSocket(address);
  const send = (message: unknown[]): void => socket.send(JSON.stringify(message));
  const toldAt = new Map<string, number>();
  const waiting = new Map<string, (at: number) => void>();
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.once('open', () =>
      send(['1', '1', topic, 'phx_join', { config: { postgres_changes }, access_token }]),
    );
    socket.on('message', data => {
      const now = performance.now();
      const [, , , event, payload] = JSON.parse(String(data));
      if (event === 'phx_reply' && payload.status === 'error') {
        reject(new Error(`A join was refused: ${payload.response.reason}`));
      } else if (event === 'phx_reply') {
        resolve();
      } else if (event === 'postgres_changes') {
        const { body } = payload.data.record;
        toldAt.set(body, now);
        waiting.get(body)?.(now);
      }
    });
  });
  const heartbeat = setInterval(() => send([null, '2', 'phoenix', 'heartbeat', {}]), heartbeatInterval);
  return {
    account,
    told: async body => toldAt.get(body) ?? new Promise(resolve => void waiting.set(body, resolve)),
    close() {
      clearInterval(heartbeat);
      socket.close(1001);
    },
  };
}

function report({ fanOut, memory, delay }: LiveResult): void {
  console.log(
    `\nLive updates\n` +
      `  a change told to ${fanOut.callers} callers ${fanOut.postgres.toFixed(0)} ms of the database, and ${fanOut.server.toFixed(0)} ms of the worker\n` +
      `  ${memory.sockets} sockets: ${memory.before} MB before, ${memory.after} MB after\n` +
      `  ${delay.writesPerSecond} writes a second, ${delay.sockets} sockets: told after p50 ${delay.p50.toFixed(0)} ms, p99 ${delay.p99.toFixed(0)} ms`,
  );
}
