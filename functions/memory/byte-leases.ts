/**
 * The memory of this isolate that large bodies and answers take, in bytes: each caller has a share, and all together have a
 * bound. A lease ends by itself, since nothing gives it back when workerd drops a request whose client hung up.
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
  /** Milliseconds that a lease lasts at most. */
  term: number;
  /** Milliseconds that one is waited for. */
  acquireTimeout: number;
}

export class ByteLeases {
  readonly #bounds: LeaseBounds;
  readonly #leases = new Set<Lease>();

  constructor(bounds: LeaseBounds) {
    this.#bounds = bounds;
  }

  /** A lease, to be given back; else which bound it would pass. More than a share is had when nothing else is. */
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

  /** Waits for a lease, and fails when there is none in time. */
  async acquire(owner: string, bytes: number, reason: string): Promise<Result<Lease>> {
    const end = Date.now() + this.#bounds.acquireTimeout;
    for (;;) {
      const taken = this.take(owner, bytes, Date.now());
      if (typeof taken === 'object') {
        return ok(taken);
      }
      if (Date.now() >= end) {
        return taken === 'share'
          ? fail<Failure>({ is: 'too many at once' })
          : fail<Failure>({ is: 'overloaded', reason });
      }
      // A promise of one request must not be awaited by another, so each looks by itself.
      await new Promise(resolve => setTimeout(resolve, limits.memoryRetryInterval));
    }
  }
}
