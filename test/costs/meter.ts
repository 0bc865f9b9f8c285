/** Measures what workerd, and the Postgres backends for each message, abandoned ones too, use during an attack. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from 'postgres';
import { cpuOf, forgetPeak, memoryOf } from './processes.ts';

/** The most CPU that a backend used for one message, the most memory that one allocated for all of them, and so on. */
export type Usage = Record<
  'backendSeconds' | 'backendMegabytes' | 'workingBackends' | 'workerMegabytes' | 'workerSeconds',
  number
>;

interface Backend {
  /** `query_start` of pg_stat_activity, which differs for each message. */
  start: string;
  /** Its CPU seconds at the start of that message, and at the last reading. */
  secondsBefore: number;
  seconds: number;
  /** Its memory before the attack; 0 when it started later. */
  megabytesBefore: number;
}

/** Milliseconds between two readings of memory, and of pg_stat_activity. */
const readEvery = 25;
const lookEvery = 100;
/** Milliseconds for backends to finish after the last response: longer than a statement may run. */
const idleTimeout = 15_000;

/**
 * Starts when no backend is active. `sql` is the superuser's connection to the service's database; `worker` is the process id
 * of its workerd. The returned function waits until no backend is active, terminates those that don't finish, and returns what
 * was used.
 */
export async function startMeter(sql: Sql, worker: number): Promise<() => Promise<Usage>> {
  forgetPeak(worker);
  const workerBefore = { megabytes: memoryOf(worker)?.now ?? 0, seconds: cpuOf(worker) ?? 0 };
  const backends = new Map<number, Backend>();
  const most: Usage = {
    backendSeconds: 0,
    backendMegabytes: 0,
    workingBackends: 0,
    workerMegabytes: 0,
    workerSeconds: 0,
  };
  const note = (what: keyof Usage, used: number): void => {
    most[what] = Math.max(most[what], used);
  };

  const listBackends = () => sql<{ pid: number; start: string; works: boolean }[]>`
    select pid, coalesce(query_start::text, '') as start, state = 'active' as works
    from pg_stat_activity
    where datname = current_database() and usename <> current_user`;

  async function untilIdle(): Promise<void> {
    const end = Date.now() + idleTimeout;
    while ((await listBackends()).some(({ works }) => works) && Date.now() < end) {
      await sleep(lookEvery);
    }
  }

  function readMemory(): void {
    for (const [pid, { megabytesBefore }] of backends) {
      note('backendMegabytes', (memoryOf(pid)?.peak ?? 0) - megabytesBefore);
    }
    note('workerMegabytes', (memoryOf(worker)?.peak ?? 0) - workerBefore.megabytes);
    note('workerSeconds', (cpuOf(worker) ?? 0) - workerBefore.seconds);
  }

  /** CPU that a backend used between readings of two messages counts for the later one. */
  async function look(): Promise<void> {
    const active = await listBackends();
    for (const { pid, start } of active) {
      const known = backends.get(pid) ?? { start: '', secondsBefore: 0, seconds: 0, megabytesBefore: 0 };
      const seconds = cpuOf(pid) ?? known.seconds;
      const secondsBefore = known.start === start ? known.secondsBefore : known.seconds;
      backends.set(pid, { ...known, start, secondsBefore, seconds });
      note('backendSeconds', seconds - secondsBefore);
    }
    note('workingBackends', active.filter(({ works }) => works).length);
  }

  await untilIdle();
  for (const { pid, start } of await listBackends()) {
    forgetPeak(pid);
    const seconds = cpuOf(pid) ?? 0;
    backends.set(pid, { start, secondsBefore: seconds, seconds, megabytesBefore: memoryOf(pid)?.now ?? 0 });
  }
  let stopped = false;
  const repeat = async (every: number, work: () => unknown): Promise<void> => {
    while (!stopped) {
      await work();
      await sleep(every);
    }
  };
  const running = [repeat(readEvery, readMemory), repeat(lookEvery, look)];
  return async () => {
    await untilIdle();
    stopped = true;
    await Promise.all(running);
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and usename <> current_user and state = 'active'`;
    return most;
  };
}
