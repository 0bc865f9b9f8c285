/** Random choices from a seed: the same seed makes the same requests. */
export class Chance {
  #state: number;

  /** Each `turn` has its own random sequence, so that a request can be repeated without those before it. */
  constructor(seed: number, turn = 0) {
    this.#state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(turn + 1, 0x85ebca6b)) >>> 0;
  }

  /** From 0, inclusive, to 1, exclusive (mulberry32). */
  real(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  }

  below(limit: number): number {
    return Math.floor(this.real() * limit);
  }

  /** True with this probability in percent. */
  percent(likelihood: number): boolean {
    return this.real() * 100 < likelihood;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  /** One of the makers, each as likely as its weight. */
  weighted<T>(...choices: [weight: number, make: () => T][]): T {
    let at = this.real() * choices.reduce((sum, [weight]) => sum + weight, 0);
    const chosen = choices.find(([weight]) => {
      at -= weight;
      return at < 0;
    });
    return (chosen ?? (choices[0] as [number, () => T]))[1]();
  }

  several<T>(least: number, most: number, make: () => T): T[] {
    return Array.from({ length: least + this.below(most - least + 1) }, make);
  }
}
