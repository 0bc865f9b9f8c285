/**
 * Leases on resources that the requests of an isolate share: memory for large bodies and responses, and messages in flight
 * through Hyperdrive. There is a limit per caller and one in total. Leases expire, because workerd may drop a request whose
 * client hung up, and then no code releases its lease.
 */

import type { Failure } from '../common/failure/failure.ts';
import { fail, ok, type Result } from '../common/failure/result.ts';
import { limits } from '../common/limits.ts';
import { monotonicNow } from '../common/monotonic.ts';

/** Milliseconds between two attempts to take a lease. */
const retryInterval = 20;

export interface Lease {
  readonly owner: string;
  /** By monotonicNow(). */
  readonly until: number;
}

interface LeaseBounds {
  /** The maximum amount of all callers, and of one. */
  ofAll: number;
  ofCaller: number;
}

export class Leases {
  readonly #bounds: LeaseBounds;
  readonly #term: number;
  /** The amounts by lease. The leases expire in this order, since all have the same term. */
  readonly #amounts = new Map<Lease, number>();
  /** Running sums, in total and per caller, so that taking a lease takes constant time. */
  #all = 0;
  readonly #own = new Map<string, number>();

  /** `term`: milliseconds after which a lease expires. */
  constructor(bounds: LeaseBounds, term: number) {
    this.#bounds = bounds;
    this.#term = term;
  }

  /**
   * Takes a lease, or returns the limit that prevents it: the caller's `share`, or `full` for the total. A caller's only
   * lease may exceed its share, and the only lease may exceed the total; otherwise a large one could never be granted.
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

  /** Waits for a lease, up to a timeout. Polls, because on Workers one request must not await a promise of another. */
  async acquire(owner: string, amount: number, reason: string): Promise<Result<Lease>> {
    const end = monotonicNow() + limits.memory.acquireTimeout;
    for (;;) {
      const lease = this.take(owner, amount, monotonicNow());
      if (typeof lease === 'object') {
        return ok(lease);
      }
      if (monotonicNow() >= end) {
        return lease === 'share'
          ? fail<Failure>({ is: 'too many at once' })
          : fail<Failure>({ is: 'overloaded', reason });
      }
      await new Promise(resolve => setTimeout(resolve, retryInterval));
    }
  }
}
