/**
 * Measures what a service uses during an attack: its workerd, and for each message the Postgres backends of its login,
 * including those whose connection was abandoned.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from 'postgres';
import { cpuOf, forgetPeak, memoryOf } from './processes.ts';

export interface Usage {
  /** The most CPU that a backend used for one message, and the most memory that one allocated for all of them. */
  backendSeconds: number;
  backendMegabytes: number;
  /** The most backends that were active at the same time. */
  workingBackends: number;
  workerMegabytes: number;
  workerSeconds: number;
  /** The ids of the requests that the backends executed when they used the most. */
  culprits: Partial<Record<Figure, string>>;
}

type Figure = Exclude<keyof Usage, 'culprits'>;

interface Backend {
  /** The id of its current or last request. */
  request: string;
  /** `query_start` of pg_stat_activity, which differs for each message. */
  start: string;
  /** Its CPU seconds at the start of that message, and at the last reading. */
  secondsBefore: number;
  seconds: number;
  /** Its memory before the attack; 0 when it started later. */
  megabytesBefore: number;
  /** Whether its message is from before the attack, and so no cost of it. */
  isOlder: boolean;
}

const newBackend: Backend = {
  request: '',
  start: '',
  secondsBefore: 0,
  seconds: 0,
  megabytesBefore: 0,
  isOlder: false,
};

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
    culprits: {},
  };
  #running: Promise<void>[] = [];
  #stopped = false;

  private constructor(sql: Sql, worker: number) {
    this.#sql = sql;
    this.#worker = worker;
    forgetPeak(worker);
    this.#workerBefore = { megabytes: memoryOf(worker)?.now ?? 0, seconds: cpuOf(worker) ?? 0 };
  }

  /** `sql` is the superuser's connection to the service's database; `worker` is the process id of its workerd. */
  static async start(sql: Sql, worker: number): Promise<Meter> {
    const meter = new Meter(sql, worker);
    for (const { pid, start, works, request } of await meter.#listBackends()) {
      forgetPeak(pid);
      const seconds = cpuOf(pid) ?? 0;
      const megabytesBefore = memoryOf(pid)?.now ?? 0;
      meter.#backends.set(pid, {
        request,
        start,
        secondsBefore: seconds,
        seconds,
        megabytesBefore,
        isOlder: works,
      });
    }
    meter.#running = [
      meter.#repeat(readEvery, () => meter.#readMemory()),
      meter.#repeat(lookEvery, () => meter.#look()),
    ];
    return meter;
  }

  /** Waits until no backend is active, terminates those that don't finish, and returns what was used. */
  async stop(): Promise<Usage> {
    const end = Date.now() + idleTimeout;
    while ((await this.#look()) > 0 && Date.now() < end) {
      await sleep(lookEvery);
    }
    this.#stopped = true;
    await Promise.all(this.#running);
    await this.#sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and usename <> current_user and state = 'active'`;
    return this.#most;
  }

  async #repeat(every: number, work: () => unknown): Promise<void> {
    while (!this.#stopped) {
      await work();
      await sleep(every);
    }
  }

  #readMemory(): void {
    for (const [pid, { request, megabytesBefore, isOlder }] of this.#backends) {
      const memory = memoryOf(pid);
      if (memory && !isOlder) {
        this.#note('backendMegabytes', memory.peak - megabytesBefore, request);
      }
    }
    const memory = memoryOf(this.#worker);
    if (memory) {
      this.#note('workerMegabytes', memory.peak - this.#workerBefore.megabytes);
      this.#note('workerSeconds', (cpuOf(this.#worker) ?? 0) - this.#workerBefore.seconds);
    }
  }

  #listBackends() {
    return this.#sql<{ pid: number; start: string; works: boolean; request: string }[]>`
      select pid, coalesce(query_start::text, '') as start, state = 'active' as works,
        coalesce(substring(query from 'request_id=([\\w.-]+)'), '') as request
      from pg_stat_activity
      where datname = current_database() and usename <> current_user`;
  }

  /** The number of backends that execute messages of the attack. */
  async #look(): Promise<number> {
    let working = 0;
    for (const { pid, start, works, request } of await this.#listBackends()) {
      const { isOlder } = this.#follow(pid, start, request);
      working += works && !isOlder ? 1 : 0;
    }
    this.#note('workingBackends', working);
    return working;
  }

  /** CPU that a backend used between readings of two messages counts for the later one. */
  #follow(pid: number, start: string, request: string): Backend {
    const known = this.#backends.get(pid) ?? newBackend;
    const seconds = cpuOf(pid) ?? known.seconds;
    const backend =
      known.start === start
        ? { ...known, seconds }
        : { ...known, request, start, secondsBefore: known.seconds, seconds, isOlder: false };
    if (known.isOlder && !backend.isOlder) {
      backend.megabytesBefore = memoryOf(pid)?.now ?? 0;
    }
    this.#backends.set(pid, backend);
    if (!backend.isOlder) {
      this.#note('backendSeconds', seconds - backend.secondsBefore, request);
    }
    return backend;
  }

  #note(what: Figure, used: number, request?: string): void {
    if (used > this.#most[what]) {
      this.#most[what] = used;
      if (request) {
        this.#most.culprits[what] = request;
      }
    }
  }
}
