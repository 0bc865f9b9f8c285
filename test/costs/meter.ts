/**
 * Measures what a service uses during an attack: its workerd, and for each message the Postgres backends of its login,
 * including those whose connection was abandoned.
 */
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

export class Meter {
  readonly #sql: Sql;
  readonly #worker: number;
  readonly #workerBefore: { megabytes: number; seconds: number };
  readonly #backends = new Map<number, Backend>();
  readonly #most: Usage = {
    backendSeconds: 0,
    backendMegabytes: 0,
    workingBackends: 0,
    workerMegabytes: 0,
    workerSeconds: 0,
  };
  #running: Promise<void>[] = [];
  #stopped = false;

  private constructor(sql: Sql, worker: number) {
    this.#sql = sql;
    this.#worker = worker;
    forgetPeak(worker);
    this.#workerBefore = { megabytes: memoryOf(worker)?.now ?? 0, seconds: cpuOf(worker) ?? 0 };
  }

  /**
   * Starts when no backend is active. `sql` is the superuser's connection to the service's database; `worker` is the process id
   * of its workerd.
   */
  static async start(sql: Sql, worker: number): Promise<Meter> {
    const meter = new Meter(sql, worker);
    await meter.#untilIdle();
    for (const { pid, start } of await meter.#listBackends()) {
      forgetPeak(pid);
      const seconds = cpuOf(pid) ?? 0;
      const megabytesBefore = memoryOf(pid)?.now ?? 0;
      meter.#backends.set(pid, { start, secondsBefore: seconds, seconds, megabytesBefore });
    }
    meter.#running = [
      meter.#repeat(readEvery, () => meter.#readMemory()),
      meter.#repeat(lookEvery, () => meter.#look()),
    ];
    return meter;
  }

  /** Waits until no backend is active, terminates those that don't finish, and returns what was used. */
  async stop(): Promise<Usage> {
    await this.#untilIdle();
    this.#stopped = true;
    await Promise.all(this.#running);
    await this.#sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and usename <> current_user and state = 'active'`;
    return this.#most;
  }

  async #untilIdle(): Promise<void> {
    const end = Date.now() + idleTimeout;
    while ((await this.#listBackends()).some(({ works }) => works) && Date.now() < end) {
      await sleep(lookEvery);
    }
  }

  async #repeat(every: number, work: () => unknown): Promise<void> {
    while (!this.#stopped) {
      await work();
      await sleep(every);
    }
  }

  #readMemory(): void {
    for (const [pid, { megabytesBefore }] of this.#backends) {
      const memory = memoryOf(pid);
      if (memory) {
        this.#note('backendMegabytes', memory.peak - megabytesBefore);
      }
    }
    const memory = memoryOf(this.#worker);
    if (memory) {
      this.#note('workerMegabytes', memory.peak - this.#workerBefore.megabytes);
      this.#note('workerSeconds', (cpuOf(this.#worker) ?? 0) - this.#workerBefore.seconds);
    }
  }

  #listBackends() {
    return this.#sql<{ pid: number; start: string; works: boolean }[]>`
      select pid, coalesce(query_start::text, '') as start, state = 'active' as works
      from pg_stat_activity
      where datname = current_database() and usename <> current_user`;
  }

  /** CPU that a backend used between readings of two messages counts for the later one. */
  async #look(): Promise<void> {
    const backends = await this.#listBackends();
    for (const { pid, start } of backends) {
      const known = this.#backends.get(pid) ?? {
        start: '',
        secondsBefore: 0,
        seconds: 0,
        megabytesBefore: 0,
      };
      const seconds = cpuOf(pid) ?? known.seconds;
      const secondsBefore = known.start === start ? known.secondsBefore : known.seconds;
      this.#backends.set(pid, { ...known, start, secondsBefore, seconds });
      this.#note('backendSeconds', seconds - secondsBefore);
    }
    this.#note('workingBackends', backends.filter(({ works }) => works).length);
  }

  #note(what: keyof Usage, used: number): void {
    this.#most[what] = Math.max(this.#most[what], used);
  }
}
