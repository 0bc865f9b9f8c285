import { leastRecentlyUsed, type Used } from './least-recently-used.ts';
import { limits } from './limits.ts';

const { textLength, overhead } = limits.memoize;

interface Cached<T> extends Used {
  text: string;
  result: T;
}

/**
 * Caches the results of a pure function of a text, because requests repeat the same `select` and `order`. The least
 * recently used result is dropped first. All callers share a result, so none may modify it.
 */
export function memoize<T>(
  compute: (text: string) => T,
  limit: number = limits.memoize.budget,
): (text: string) => T {
  const results = new Map<string, Cached<T>>();
  let size = 0;
  let uses = 0;
  return text => {
    uses += 1;
    const cached = results.get(text);
    if (cached) {
      cached.lastUsed = uses;
      return cached.result;
    }
    if (text.length > textLength) {
      return compute(text);
    }
    const own = copyOf(text);
    const result = compute(own);
    results.set(own, { text: own, result, lastUsed: uses });
    size += own.length + overhead;
    while (size > limit) {
      const evicted = leastRecentlyUsed(results.values())?.text ?? '';
      results.delete(evicted);
      size -= evicted.length + overhead;
    }
    return result;
  };
}

/** Returns a copy. V8's substring would keep the whole text it was taken from in memory, here the URL of a request. */
const copyOf = (text: string): string => ` ${text}`.slice(1);

/**
 * Caches the results of a pure function of an object that is itself cached. `nameOf` tells the further arguments apart;
 * there must be few, and clients must not be able to choose them. The results live as long as the object.
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
