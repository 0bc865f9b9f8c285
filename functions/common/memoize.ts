import { LruCache } from './lru-cache.ts';

/** Limits of the memoized results of pure functions. */
const memoizeLimits = {
  /** Characters of a cached text. Longer texts are rare, and would evict many short ones. */
  textLength: 1024,
  /** Cost of an entry besides its characters. */
  overhead: 256,
  /** Total cost of a function's entries: 30 to 60 texts, and at most a few megabytes of results. */
  budget: 16_384,
};
const { textLength, overhead, budget } = memoizeLimits;

/**
 * Caches the results of a pure function of a text, because requests repeat the same `select` and `order`. All callers share
 * a result, so they must not modify it.
 */
export function memoize<T extends {}>(compute: (text: string) => T): (text: string) => T {
  const results = new LruCache<T>(budget);
  return text => {
    const known = results.get(text);
    if (known !== undefined || text.length > textLength) {
      return known ?? compute(text);
    }
    const own = copyOf(text);
    const result = compute(own);
    results.set(own, result, own.length + overhead);
    return result;
  };
}

/** Returns a copy. A substring in V8 retains the whole text that it was taken from, here the URL of a request. */
const copyOf = (text: string): string => ` ${text}`.slice(1);
