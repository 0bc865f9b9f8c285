import { leastRecentlyUsed, type Used } from './least-recently-used.ts';
import { limits } from './limits.ts';

const { textLength, overhead } = limits.memoize;

interface Cached<T> extends Used {
  text: string;
  value: T;
}

/** Keeps values by texts of requests, until they count more than `budget` together: then the least recently used is dropped. */
export class BoundedCache<T> {
  readonly #budget: number;
  readonly #values = new Map<string, Cached<T>>();
  #size = 0;
  #uses = 0;

  constructor(budget: number = limits.memoize.budget) {
    this.#budget = budget;
  }

  get(text: string): { value: T } | undefined {
    const cached = this.#values.get(text);
    if (cached) {
      this.#uses += 1;
      cached.lastUsed = this.#uses;
    }
    return cached;
  }

  /** Keeps what `compute` returns for a text that is not kept yet, and returns it; without keeping it if the text is long. */
  add(text: string, compute: (text: string) => T): T {
    if (text.length > textLength) {
      return compute(text);
    }
    const own = copyOf(text);
    const value = compute(own);
    this.#uses += 1;
    this.#values.set(own, { text: own, value, lastUsed: this.#uses });
    this.#size += own.length + overhead;
    while (this.#size > this.#budget) {
      const evicted = leastRecentlyUsed(this.#values.values())?.text ?? '';
      this.#values.delete(evicted);
      this.#size -= evicted.length + overhead;
    }
    return value;
  }
}

/** Returns a copy. V8's substring would keep the whole text it was taken from in memory, here the URL of a request. */
const copyOf = (text: string): string => ` ${text}`.slice(1);
