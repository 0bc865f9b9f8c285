import { LruCache } from './lru-cache.ts';

/** Results of pure functions of a text that are kept. */
const memoizeLimits = {
  /** Characters of a text: longer ones are rare, and would push out many short ones. */
  textLength: 1024,
  /**
   * What a text counts beside its characters, since a short one can have a large result: of `select=*` there is a list
   * of outputs, and their SQL, for every collection and kind of caller.
   */
  overhead: 256,
  /** What the texts of one function count together: 30 to 60 of them, and a few megabytes of results at most. */
  budget: 16_384,
};
const { textLength, overhead, budget: usualBudget } = memoizeLimits;

/**
 * Caches the results of a pure function of a text, because requests repeat the same `select` and `order`. All callers share
 * a result, so none may modify it.
 */
export function memoize<T extends {}>(
  compute: (text: string) => T,
  budget: number = usualBudget,
): (text: string) => T {
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
