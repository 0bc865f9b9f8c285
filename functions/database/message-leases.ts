/**
 * How many messages each sender has under way in this isolate, where no queue of ours stands before the database. A
 * lease ends by itself: when a client hangs up, workerd drops the request, and nothing of it runs any more that could
 * give the lease back. Nobody waits here, since a promise of one request must not be awaited by another.
 */

/** Of one sender: what three browsers send at once, and Hyperdrive's smallest plan has connections for. */
const limit = 20;
/** Milliseconds: the database stops after 5 s what a client asked for and no longer waits for. */
const term = 6000;
/** Senders that are on record before those whose leases have all ended are looked for. */
const sendersBeforeTidying = 1000;

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
    if (ends.length >= limit) {
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
    if (this.#ends.size >= sendersBeforeTidying) {
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
