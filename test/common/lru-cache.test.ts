import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LruCache } from '../../functions/common/lru-cache.ts';

const start = 1_800_000_000_000;
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: start }));
afterEach(() => void vi.useRealTimers());

function filled(maxSize: number, entries: [key: string, size: number][]): LruCache<string> {
  const cache = new LruCache<string>(maxSize);
  for (const [key, size] of entries) {
    cache.set(key, `value of ${key}`, size);
  }
  return cache;
}
const kept = (cache: LruCache<string>, keys: string): string =>
  [...keys].filter(key => cache.get(key) !== undefined).join('');

it('the LRU cache evicts the least recently used entries when all together are too large', () => {
  const cache = filled(10, [
    ['a', 4],
    ['b', 3],
    ['c', 3],
  ]);
  expect(cache.get('a')).toBe('value of a');
  expect(cache.leastRecentlyUsed).toBe('value of b');
  cache.set('d', 'value of d', 4);
  expect(kept(cache, 'abcd')).toBe('ad');
  expect(cache.size).toBe(8);
});

it('the LRU cache replaces a value with its size, and does not keep an entry that is too large by itself', () => {
  const cache = filled(10, [
    ['a', 9],
    ['a', 1],
    ['b', 9],
  ]);
  expect(kept(cache, 'ab')).toBe('ab');
  expect(filled(10, [['a', 11]]).size).toBe(0);
});

it('the LRU cache returns a value until it expires', () => {
  const cache = new LruCache<string>(10);
  cache.set('a', 'value', 1, 1000);
  vi.setSystemTime(start + 999);
  expect(cache.get('a')).toBe('value');
  vi.setSystemTime(start + 1000);
  expect(cache.get('a')).toBeUndefined();
  expect(cache.size).toBe(0);
});
