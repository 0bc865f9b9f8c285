/**
 * Leases on what the requests of this isolate share: the bytes of large bodies and responses in its memory, and the messages
 * in flight to a database that is reached without a queue of our own. There is a limit for each caller and one for all
 * together. A lease expires, because no code runs to release it when workerd drops a request whose client hung up.
 */
import { limits } from '../common/limits.ts';
import { fail, ok, type Result } from '../common/result.ts';
import type { Failure } from '../failure/failure.ts';

/** Milliseconds between two attempts to get memory. */
const retryInterval = 20;

export interface Lease {
  readonly owner: string;
  /** Milliseconds since 1970. */
  readonly until: number;
}

interface LeaseBounds {
  /** The most that all callers have together, and the most that one has. */
  ofAll: number;
  ofCaller: number;
}

export class Leases {
  readonly #bounds: LeaseBounds;
  readonly #term: number;
  /** By when they expire, since all have the same term; each with its amount. */
  readonly #amounts = new Map<Lease, number>();
  /** The sums of all leases and of each caller's, kept so that taking one costs the same however many there are. */
  #all = 0;
  readonly #own = new Map<string, number>();

  /** `term`: milliseconds after which a lease expires. */
  constructor(bounds: LeaseBounds, term: number) {
    this.#bounds = bounds;
    this.#term = term;
  }

  /**
   * Takes a lease, or returns the limit that prevents it: the caller's `share`, or `full` for the limit of all. A single
   * lease may exceed either limit, or it could never be granted.
   */
  take(owner: string, amount: number, now: number): Lease | 'share' | 'full' {
    this.#expire(now);
    const own = this.#own.get(owner) ?? 0;
    if (own > 0 && own + amount > this.#bounds.ofCaller) {
      return 'share';
    }
    if (this.#all > 0 && this.#all + amount > this.#bounds.ofAll) {
      return 'full';
    }
    const lease = { owner, until: now + this.#term };
    this.#amounts.set(lease, amount);
    this.#count(owner, amount);
    return lease;
  }

  /** Changes the amount of a lease, if it has not expired. */
  resize(lease: Lease, amount: number): void {
    const before = this.#amounts.get(lease);
    if (before !== undefined) {
      this.#amounts.set(lease, amount);
      this.#count(lease.owner, amount - before);
    }
  }

  release(lease: Lease): void {
    this.resize(lease, 0);
    this.#amounts.delete(lease);
  }

  #expire(now: number): void {
    for (const lease of this.#amounts.keys()) {
      if (lease.until > now) {
        return;
      }
      this.release(lease);
    }
  }

  #count(owner: string, amount: number): void {
    this.#all += amount;
    const own = (this.#own.get(owner) ?? 0) + amount;
    if (own > 0) {
      this.#own.set(owner, own);
    } else {
      this.#own.delete(owner);
    }
  }

  /** Waits for a lease, and fails after some time. One request must not await a promise of another, so each looks by itself. */
  async acquire(owner: string, amount: number, reason: string): Promise<Result<Lease>> {
    const end = Date.now() + limits.memory.acquireTimeout;
    for (;;) {
      const lease = this.take(owner, amount, Date.now());
      if (typeof lease === 'object') {
        return ok(lease);
      }
      if (Date.now() >= end) {
        return lease === 'share'
          ? fail<Failure>({ is: 'too many at once' })
          : fail<Failure>({ is: 'overloaded', reason });
      }
      await new Promise(resolve => setTimeout(resolve, retryInterval));
    }
  }
}
