/** Longer texts are not cached: they are rare, and each would evict many short ones. */
const lengthLimit = 1024;
/**
 * What a text counts in addition to its length, because the result of a short text can be large: `select=*` has a list
 * of outputs, and their SQL, for every collection and kind of caller.
 */
const overhead = 256;
/** What all texts of a function may count together: 30 to 60 texts, and a few megabytes of results at most. */
const budget = 16_384;

/**
 * Caches the results of a pure function of a text, because requests repeat the same `select` and `order`. The least
 * recently used result is dropped first. All callers share a result, so none may modify it.
 */
export function memoize<T>(compute: (text: string) => T, limit = budget): (text: string) => T {
  /** In order of use, the least recently used first. */
  const results = new Map<string, T>();
  let used = 0;
  return text => {
    const cached = results.get(text);
    if (cached !== undefined) {
      results.delete(text);
      results.set(text, cached);
      return cached;
    }
    if (text.length > lengthLimit) {
      return compute(text);
    }
    const own = copyOf(text);
    const result = compute(own);
    results.set(own, result);
    used += own.length + overhead;
    for (const oldest of results.keys()) {
      if (used <= limit) {
        break;
      }
      results.delete(oldest);
      used -= oldest.length + overhead;
    }
    return result;
  };
}

/** A copy. V8's substring would keep the whole text it was taken from in memory, here the URL of a request. */
const copyOf = (text: string): string => ` ${text}`.slice(1);

/**
 * The same for a pure function of an object that is itself cached. `nameOf` tells the further arguments apart; there must
 * be few, and clients must not be able to choose them. The results live as long as the object.
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
