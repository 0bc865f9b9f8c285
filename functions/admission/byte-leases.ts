/**
 * Leases on this isolate's memory, in bytes, for large bodies and responses: there is a limit for each caller and one
 * for all together. A lease expires, because no code runs to release it when workerd drops a request whose client hung
 * up.
 */

import { limits } from '../common/limits.ts';
import { fail, ok, type Result } from '../common/result.ts';
import type { Failure } from '../failure/failure.ts';

export interface Lease {
  readonly owner: string;
  bytes: number;
  /** Milliseconds since 1970. */
  readonly until: number;
}

export interface LeaseBounds {
  bytes: number;
  bytesOfCaller: number;
  /** Milliseconds after which a lease expires. */
  term: number;
  /** Milliseconds that `acquire` waits for a lease. */
  acquireTimeout: number;
}

export class ByteLeases {
  readonly #bounds: LeaseBounds;
  readonly #leases = new Set<Lease>();

  constructor(bounds: LeaseBounds) {
    this.#bounds = bounds;
  }

  /**
   * A lease, or the limit that prevents it: the caller's `share`, or `full` for the limit of all. A single lease may
   * exceed either limit, or it could never be granted.
   */
  take(owner: string, bytes: number, now: number): Lease | 'share' | 'full' {
    let all = 0;
    let own = 0;
    for (const lease of this.#leases) {
      if (lease.until <= now) {
        this.#leases.delete(lease);
      } else {
        all += lease.bytes;
        own += lease.owner === owner ? lease.bytes : 0;
      }
    }
    if (own > 0 && own + bytes > this.#bounds.bytesOfCaller) {
      return 'share';
    }
    if (all > 0 && all + bytes > this.#bounds.bytes) {
      return 'full';
    }
    const lease = { owner, bytes, until: now + this.#bounds.term };
    this.#leases.add(lease);
    return lease;
  }

  release(lease: Lease): void {
    this.#leases.delete(lease);
  }

  /** Waits for a lease, and fails after `acquireTimeout`. */
  async acquire(owner: string, bytes: number, reason: string): Promise<Result<Lease>> {
    const end = Date.now() + this.#bounds.acquireTimeout;
    for (;;) {
      const lease = this.take(owner, bytes, Date.now());
      if (typeof lease === 'object') {
        return ok(lease);
      }
      if (Date.now() >= end) {
        return lease === 'share'
          ? fail<Failure>({ is: 'too many at once' })
          : fail<Failure>({ is: 'overloaded', reason });
      }
      // A promise of one request must not be awaited by another, so each looks by itself.
      await new Promise(resolve => setTimeout(resolve, limits.memoryRetryInterval));
    }
  }
}
