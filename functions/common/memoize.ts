import { LruCache } from './lru-cache.ts';

/** Limits of the memoized results of pure functions. */
const memoizeLimits = {
  /** Characters of a cached text. Longer texts are rare, and would evict many short ones. */
  textLength: 1024,
  /**
   * Cost of an entry besides its characters. A short text can have a large result: `select=*` has a list of outputs, and
   * their SQL, for every collection and kind of caller.
   */
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

/**
 * Caches the results of a pure function of an object that is itself cached. `nameOf` returns a key for the other arguments,
 * which must be few and not chosen by clients. The results live as long as the object.
 */
export function memoizeBy<Key extends object, Rest extends unknown[], T>(
  compute: (key: Key, ...rest: Rest) => T,
  nameOf: (...rest: Rest) => string,
): (key: Key, ...rest: Rest) => T {
  const results = new WeakMap<Key, Map<string, T>>();
  return (key, ...rest) => {
    let ofKey = results.get(key);
    if (ofKey === undefined) {
      ofKey = new Map();
      results.set(key, ofKey);
    }
    const name = nameOf(...rest);
    let result = ofKey.get(name);
    if (result === undefined) {
      result = compute(key, ...rest);
      ofKey.set(name, result);
    }
    return result;
  };
}
