/**
 * How many messages each sender has under way in this isolate, where no queue of ours stands before the database. A
 * lease ends by itself: when a client hangs up, workerd drops the request, and nothing of it runs any more that could
 * give the lease back. Nobody waits here, since a promise of one request must not be awaited by another.
 */
import { limits } from '../common/limits.ts';

const { messagesOfCaller, leaseTerm: term, callersBeforeTidying } = limits.hyperdrive;

export class Leases {
  /** When each ends, in milliseconds since 1970, in that order. */
  readonly #ends = new Map<string, number[]>();

  /** On record. */
  get senders(): number {
    return this.#ends.size;
  }

  /** A lease, to be given back; nothing when the sender has too many. */
  take(sender: string, now: number): number | undefined {
    const ends = this.#ends.get(sender) ?? this.#open(sender, now);
    while (ends[0] !== undefined && ends[0] <= now) {
      ends.shift();
    }
    if (ends.length >= messagesOfCaller) {
      return undefined;
    }
    ends.push(now + term);
    return now + term;
  }

  release(sender: string, lease: number): void {
    const ends = this.#ends.get(sender) ?? [];
    const index = ends.indexOf(lease);
    if (index >= 0) {
      ends.splice(index, 1);
    }
    if (ends.length === 0) {
      this.#ends.delete(sender);
    }
  }

  #open(sender: string, now: number): number[] {
    if (this.#ends.size >= callersBeforeTidying) {
      for (const [other, ends] of this.#ends) {
        if ((ends.at(-1) ?? 0) <= now) {
          this.#ends.delete(other);
        }
      }
    }
    const ends: number[] = [];
    this.#ends.set(sender, ends);
    return ends;
  }
}
