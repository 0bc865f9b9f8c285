/**
 * A fair queue for a few slots: callers with waiters are served in turn, and no caller holds more than its share. Knows
 * neither the purpose of a slot nor the time.
 */
export interface Bounds {
  slots: number;
  /** Maximum number of slots of one caller, so that some are left for others. */
  share: number;
  /** Maximum number of waiters of all callers. */
  waiters: number;
  waitersPerCaller: number;
}

/**
 * The result of `acquire`. `too many`: this caller has too many waiters, or its own requests kept the slots busy until the
 * timeout. `full`: all callers together have too many waiters. `timeout`: other callers kept the slots busy.
 */
export type Acquisition = 'acquired' | 'too many' | 'full' | 'timeout';

interface Waiter {
  /** When it times out, by monotonicNow(). */
  until: number;
  resolve: (acquisition: Acquisition) => void;
}

interface CallerQueue {
  callerKey: string;
  acquired: number;
  waiters: Waiter[];
}

export class FairQueue {
  readonly #bounds: Bounds;
  /** The queues of all callers that hold a slot or wait for one, by caller key. */
  readonly #queues = new Map<string, CallerQueue>();
  /** The queues with waiters; the first is served next. */
  #waiting: CallerQueue[] = [];
  #acquired = 0;
  #waiters = 0;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  /** Requests a slot. After `acquired`, the caller must `release` it. After `wait`, it must call `wait` at once. */
  acquire(callerKey: string): Exclude<Acquisition, 'timeout'> | 'wait' {
    const queue = this.#queueOf(callerKey);
    const { slots, share, waiters, waitersPerCaller } = this.#bounds;
    if (this.#acquired < slots && queue.acquired < share) {
      this.#count(queue);
      return 'acquired';
    }
    if (queue.waiters.length >= waitersPerCaller) {
      return 'too many';
    }
    if (this.#waiters >= waiters) {
      return 'full';
    }
    return 'wait';
  }

  wait(callerKey: string, waiter: Waiter): void {
    const queue = this.#queueOf(callerKey);
    if (queue.waiters.push(waiter) === 1) {
      this.#waiting.push(queue);
    }
    this.#queues.set(callerKey, queue);
    this.#waiters += 1;
  }

  release(callerKey: string): void {
    const queue = this.#queues.get(callerKey);
    if (queue === undefined) {
      return;
    }
    queue.acquired -= 1;
    this.#acquired -= 1;
    this.#deleteWhenIdle(queue);
    const next = this.#waiting.find(({ acquired }) => acquired < this.#bounds.share);
    const first = next?.waiters.shift();
    if (next && first) {
      this.#waiters -= 1;
      this.#waiting = this.#waiting.filter(other => other !== next);
      if (next.waiters.length > 0) {
        this.#waiting.push(next);
      }
      this.#count(next);
      first.resolve('acquired');
    }
  }

  /** Ends waiters whose `until` has passed. */
  timeOut(now: number): void {
    for (const queue of this.#waiting) {
      while (queue.waiters[0] && queue.waiters[0].until <= now) {
        this.#waiters -= 1;
        // A caller that holds its whole share was kept waiting by its own requests.
        queue.waiters.shift()?.resolve(queue.acquired < this.#bounds.share ? 'timeout' : 'too many');
      }
      this.#deleteWhenIdle(queue);
    }
    this.#waiting = this.#waiting.filter(({ waiters }) => waiters.length > 0);
  }

  #queueOf(callerKey: string): CallerQueue {
    return this.#queues.get(callerKey) ?? { callerKey, acquired: 0, waiters: [] };
  }

  #count(queue: CallerQueue): void {
    queue.acquired += 1;
    this.#acquired += 1;
    this.#queues.set(queue.callerKey, queue);
  }

  #deleteWhenIdle(queue: CallerQueue): void {
    if (queue.acquired === 0 && queue.waiters.length === 0) {
      this.#queues.delete(queue.callerKey);
    }
  }
}
