import { monotonicNow } from '../common/monotonic.ts';

/** Counts messages or bytes within windows of time. */
export class WindowCounter {
  readonly #milliseconds: number;
  #began = 0;
  #count = 0;

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  get count(): number {
    return monotonicNow() - this.#began > this.#milliseconds ? 0 : this.#count;
  }

  add(amount: number): void {
    const { count } = this;
    this.#began = count === 0 ? monotonicNow() : this.#began;
    this.#count = count + amount;
  }
}
