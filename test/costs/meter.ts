/**
 * Measures what a service uses while it is attacked: each Postgres backend of its login, those too whose connection was
 * given up, by the message that it works on; and its workerd.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from 'postgres';
import { cpuOf, forgetPeak, memoryOf } from './processes.ts';

export interface Usage {
  /** The most CPU that a backend used for one message, and the most memory that one got for all of them. */
  backendSeconds: number;
  backendMegabytes: number;
  /** The most backends that worked at the same time. */
  workingBackends: number;
  workerMegabytes: number;
  workerSeconds: number;
}

interface Backend {
  /** Of its memory when it was first seen; nothing, when that was after the attack had begun. */
  megabytesBefore: number;
  /** `query_start` of pg_stat_activity, which is another for each message. */
  start: string;
  /** Of CPU, when it began with that message, and when it was last looked at. */
  secondsBefore: number;
  seconds: number;
  /** The message was there before the attack: it is none of its cost. */
  isOlder: boolean;
}

/** Milliseconds between two readings of memory, and of what the backends do. */
const readEvery = 25;
const lookEvery = 100;
/** Milliseconds that backends get to end their work after the last answer: longer than a statement may run. */
const patience = 15_000;

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

  /** `sql`: as the superuser, in the service's database. `worker`: the process of its workerd. */
  static async start(sql: Sql, worker: number): Promise<Meter> {
    const meter = new Meter(sql, worker);
    await meter.#look();
    for (const [pid, backend] of meter.#backends) {
      forgetPeak(pid);
      backend.megabytesBefore = memoryOf(pid)?.now ?? 0;
      backend.isOlder = true;
    }
    meter.#most.backendSeconds = 0;
    meter.#most.workingBackends = 0;
    meter.#running = [
      meter.#repeat(readEvery, () => meter.#readMemory()),
      meter.#repeat(lookEvery, () => meter.#look()),
    ];
    return meter;
  }

  /** Waits until no backend works any more, ends those that don't come to an end, and answers what was used. */
  async stop(): Promise<Usage> {
    const end = Date.now() + patience;
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

  /** How many backends work. */
  async #look(): Promise<number> {
    const backends = await this.#sql<{ pid: number; start: string; works: boolean }[]>`
      select pid, coalesce(query_start::text, '') as start, state = 'active' as works from pg_stat_activity
      where datname = current_database() and usename <> current_user`;
    for (const { pid, start } of backends) {
      this.#follow(pid, start);
    }
    const working = backends.filter(({ works }) => works).length;
    this.#note('workingBackends', working);
    return working;
  }

  /** What a backend used between two messages that were looked at counts for the later. */
  #follow(pid: number, start: string): void {
    const seconds = cpuOf(pid) ?? 0;
    const known = this.#backends.get(pid) ?? {
      megabytesBefore: 0,
      start,
      secondsBefore: 0,
      seconds: 0,
      isOlder: false,
    };
    const isSame = known.start === start;
    const secondsBefore = isSame ? known.secondsBefore : known.seconds;
    const isOlder = isSame && known.isOlder;
    this.#backends.set(pid, { ...known, start, secondsBefore, seconds, isOlder });
    if (!isOlder) {
      this.#note('backendSeconds', seconds - secondsBefore);
    }
  }

  #note(what: keyof Usage, used: number): void {
    this.#most[what] = Math.max(this.#most[what], used);
  }
}
