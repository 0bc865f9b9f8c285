import { monotonicNow } from './monotonic.ts';

interface Entry<T> {
  value: T;
  size: number;
  /** When it expires, by monotonicNow(). */
  until: number;
}

/** A cache of bounded size with text keys. Evicts the least recently used values. */
export class LruCache<T extends {}> {
  readonly #maxSize: number;
  /** In the order of their last use, oldest first. */
  readonly #entries = new Map<string, Entry<T>>();
  #size = 0;

  /** `maxSize` is in the unit of the entries' sizes; by default, the number of entries. */
  constructor(maxSize: number) {
    this.#maxSize = maxSize;
  }

  /** The total size of the entries, including expired ones. */
  get size(): number {
    return this.#size;
  }

  /** The value that is evicted next. */
  get leastRecentlyUsed(): T | undefined {
    return this.#entries.values().next().value?.value;
  }

  /** Returns a value that has not expired. */
  get(key: string): T | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) {
      return undefined;
    }
    if (entry.until <= monotonicNow()) {
      this.delete(key);
      return undefined;
    }
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** `ttl`: milliseconds after which the value expires. */
  set(key: string, value: T, size = 1, ttl = Number.POSITIVE_INFINITY): void {
    this.delete(key);
    this.#entries.set(key, { value, size, until: monotonicNow() + ttl });
    this.#size += size;
    for (const evicted of this.#entries.keys()) {
      if (this.#size <= this.#maxSize) {
        return;
      }
      this.delete(evicted);
    }
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (entry !== undefined) {
      this.#entries.delete(key);
      this.#size -= entry.size;
    }
  }
}
