import { limits } from './limits.ts';

const { textLength, overhead } = limits.memoize;

/**
 * A pure function of a text with a cache of its results, the least recently used of which is dropped first: the same
 * `select` and `order` come again and again. A result is shared by all callers, so none may change it.
 */
export function memoize<T>(
  compute: (text: string) => T,
  limit: number = limits.memoize.budget,
): (text: string) => T {
  /** The least recently used first. */
  const results = new Map<string, T>();
  let used = 0;
  return text => {
    const cached = results.get(text);
    if (cached !== undefined) {
      results.delete(text);
      results.set(text, cached);
      return cached;
    }
    if (text.length > textLength) {
      return compute(text);
    }
    const own = detached(text);
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

/** A part of a text holds on to all of it, here the whole address of a request: this copy does not. */
const detached = (text: string): string => ` ${text}`.slice(1);

/**
 * The same for a pure function of an object that is itself cached, and of further arguments that `nameOf` tells apart
 * (few, and none of them a client's to choose). Its results live as long as the object.
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
