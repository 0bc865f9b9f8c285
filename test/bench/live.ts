/** What live updates cost: telling a change, and those who listen; and how soon they are told. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Contestant, createToken, startOurs } from './contestants.ts';
import { cpuMicroseconds, cpuSeconds, residentMegabytes } from './cpu.ts';
import { type Listener, listen } from './listener.ts';
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
  const before = await residentMegabytes('workerd', ours.process);
  const listeners = await listen(ours, fanOutSockets, [team]);
  const after = await residentMegabytes('workerd', ours.process);
  const used = async () => {
    const backends = await sql<{ pid: number }[]>`
      select pid from pg_stat_activity where usename = 'builder_api'`;
    const each = await Promise.all(backends.map(({ pid }) => cpuMicroseconds(pid)));
    return { postgres: each.reduce((sum, one) => sum + one, 0), server: await cpuSeconds(ours.process) };
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
      postgres: (later.postgres - earlier.postgres) / 1000 / fanOutWrites,
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

function report({ fanOut, memory, delay }: LiveResult): void {
  console.log(
    `\nLive updates\n` +
      `  a change told to ${fanOut.callers} callers ${fanOut.postgres.toFixed(0)} ms of the database, and ${fanOut.server.toFixed(0)} ms of the worker\n` +
      `  ${memory.sockets} sockets: ${memory.before} MB before, ${memory.after} MB after\n` +
      `  ${delay.writesPerSecond} writes a second, ${delay.sockets} sockets: told after p50 ${delay.p50.toFixed(0)} ms, p99 ${delay.p99.toFixed(0)} ms`,
  );
}
