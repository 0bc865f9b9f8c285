/** Long patterns on long texts, and long arrays in long arrays. */
import { beforeAll, expect, it } from 'vitest';
import { rounds, sample } from '../setup/full-size.ts';
import { expectCheap } from './expect-cheap.ts';
import { query, store, storeLargest } from './quotes.ts';
import { useTarget } from './target.ts';

const target = useTarget();
beforeAll(async () => {
  await storeLargest(target, bytes => ({ customer_notes: 'a'.repeat(bytes) }));
  await store(target, [
    { sport: 'text', customization: { a: 'a'.repeat(1_000_000) } },
    { sport: 'numbers', customization: { a: ending(3, 2, 160_000) } },
    { sport: 'arrays', customization: { a: ending([3], [2], 45_000) } },
    { sport: 'objects', customization: { a: ending({ b: 3 }, { b: 2 }, 45_000) } },
    { sport: 'few', customization: { a: ending(3, 3, 160_000) } },
  ]);
});

/** An array of equal elements but the last, so that a search has to go through all of it. */
const ending = (value: unknown, last: unknown, length: number) => [...Array(length - 1).fill(value), last];
const repeat = (part: string, count: number, separator = ',') => Array(count).fill(part).join(separator);
const numbers = Array.from({ length: 2500 }, (_, n) => 100 + n);

const searches: [string, Record<string, string>][] = [
  ['like with a long literal', { 'customization->>a': `like.*${'a'.repeat(14_000)}b` }],
  ['like with a long literal over a note', { customer_notes: `like.*${'a'.repeat(14_000)}b` }],
  ['ilike with a long literal', { 'customization->>a': `ilike.*${'a'.repeat(14_000)}b` }],
  ['like with many stars', { 'customization->>a': `like.${'*a'.repeat(6000)}b` }],
  ['like with single characters', { 'customization->>a': `like.*${'_'.repeat(12_000)}b` }],
  ['many patterns at once', { 'customization->>a': `like(any).{${repeat(`*${'a'.repeat(60)}b`, 200)}}` }],
  ['short patterns, thousands', { 'customization->>a': `like(any).{${repeat('*ab', 3000)}}` }],
  ['short patterns without case', { 'customization->>a': `ilike(all).{${repeat('*a*', 3000)}}` }],
  ['different numbers in an array', { customization: `cs.{"a":[2,3,${numbers.join(',')}]}` }],
  ['a number in an array, over and over', { customization: `cs.{"a":[${repeat('2', 7000)}]}` }],
  ['an array in an array, over and over', { customization: `cs.{"a":[${repeat('[2]', 3500)}]}` }],
  ['an object in an array, over and over', { customization: `cs.{"a":[${repeat('{"b":2}', 1000)}]}` }],
  ['a row in an array', { customization: `cd.{"a":[${repeat('2', 7000)},3]}` }],
  ['an array in what a step leads to', { 'customization->a': `cs.[${repeat('2', 7000)}]` }],
  ['an array in an array, negated', { customization: `not.cs.{"a":[${repeat('[2]', 3500)}]}` }],
  ['expressions with nested bounds', { 'customization->>a': 'match.((a{255}){255})b' }],
  ['expressions, hundreds', { 'customization->>a': `imatch(any).{${repeat('a*b', 1500)}}` }],
];

it.each(sample(6, searches))('%s', { timeout: 180_000 }, async (_, filter) => {
  const path = `/rest/v1/quotes?${query({ select: 'id', ...filter })}`;
  expect(path.length).toBeLessThan(16_000);
  expectCheap(await target.attack([{ path, headers: target.callers.customer }]), { mayTakeTooLong: true });
});

it('two hundred filters on one text', { timeout: 180_000 }, async () => {
  const tree = repeat(`customization->>a.like.*${'a'.repeat(40)}b`, 190);
  const path = `/rest/v1/quotes?${query({ select: 'id', or: `(${tree})` })}`;
  expectCheap(await target.attack([{ path, headers: target.callers.customer }]), { mayTakeTooLong: true });
});

it('regular expressions that each backend caches', { timeout: 120_000 }, async () => {
  const requests = Array.from({ length: rounds(20, 60) }, (_, n) => ({
    path: `/rest/v1/quotes?${query({ select: 'id', sport: `match.(${'abcdefghij'[n % 10]}{${200 + n}}){120}` })}`,
    headers: target.callers.customer,
  }));
  expectCheap(await target.attack(requests), { mayTakeTooLong: true });
});
