/**
 * Bounds the messages that each caller has in flight in this isolate, for a database that is reached without our own
 * queue. A lease expires by itself: when a client hangs up, workerd drops the request, and none of its code runs any
 * more to release the lease. There are no waiters, since one request must not await a promise of another.
 */
import { limits } from '../common/limits.ts';

const { messagesOfCaller, leaseTerm: term, callersBeforeTidying } = limits.hyperdrive;

export class Leases {
  /** When each lease of a caller expires, in milliseconds since 1970, in ascending order. */
  readonly #expiries = new Map<string, number[]>();

  /** The number of callers in memory. */
  get callers(): number {
    return this.#expiries.size;
  }

  /** Returns a lease for `release`, or undefined when the caller has too many. */
  acquire(callerKey: string, now: number): number | undefined {
    const expiries = this.#expiries.get(callerKey) ?? this.#add(callerKey, now);
    while (expiries[0] !== undefined && expiries[0] <= now) {
      expiries.shift();
    }
    if (expiries.length >= messagesOfCaller) {
      return undefined;
    }
    expiries.push(now + term);
    return now + term;
  }

  release(callerKey: string, lease: number): void {
    const expiries = this.#expiries.get(callerKey) ?? [];
    const index = expiries.indexOf(lease);
    if (index >= 0) {
      expiries.splice(index, 1);
    }
    if (expiries.length === 0) {
      this.#expiries.delete(callerKey);
    }
  }

  #add(callerKey: string, now: number): number[] {
    if (this.#expiries.size >= callersBeforeTidying) {
      for (const [other, expiries] of this.#expiries) {
        if ((expiries.at(-1) ?? 0) <= now) {
          this.#expiries.delete(other);
        }
      }
    }
    const expiries: number[] = [];
    this.#expiries.set(callerKey, expiries);
    return expiries;
  }
}
