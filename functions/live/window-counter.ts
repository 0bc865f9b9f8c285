/** Counts what happens within windows of time: messages, or bytes. */
export class WindowCounter {
  readonly #milliseconds: number;
  #began = 0;
  #count = 0;

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  /** What was counted in the window that is under way. */
  get count(): number {
    return Date.now() - this.#began > this.#milliseconds ? 0 : this.#count;
  }

  add(amount: number): void {
    const now = Date.now();
    if (now - this.#began > this.#milliseconds) {
      this.#began = now;
      this.#count = 0;
    }
    this.#count += amount;
  }
}
