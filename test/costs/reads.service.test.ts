/**
 * Reads whose cost is out of proportion to their result: of large rows, by long patterns, casts and searches for words.
 *
 * @module-tag full
 */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { rounds, sample } from '../setup/full-size.ts';
import { expectCheap } from './expect-cheap.ts';
import { query, store, storeLargest } from './quotes.ts';
import { useTarget } from './target.ts';

const target = useTarget();
const timeout = 180_000;

const repeat = (part: string, count: number, separator = ',') => Array(count).fill(part).join(separator);
const list = (count: number, make: (n: number) => string, separator = ',') =>
  Array.from({ length: count }, (_, n) => make(n)).join(separator);
const fill = (bytes: number, part: string) => part.repeat(Math.floor(bytes / part.length));
const aliases = (count: number, field: string) => list(count, n => `c${n}:${field}`);
/** An array of equal elements but the last, so that a search has to go through all of it. */
const ending = (value: unknown, last: unknown, length: number) => [...Array(length - 1).fill(value), last];

/** Texts that are expensive to cast, by type. */
const casts: Record<string, (bytes: number) => string> = {
  jsonb: bytes => `[${fill(bytes - 3, '[],')}1]`,
  tsvector: bytes => list(Math.floor(bytes / 7), n => `w${n}`, ' ').slice(0, bytes),
  tsquery: bytes => `${fill(bytes - 1, 'a&')}a`,
  numeric: bytes => fill(bytes, '9'),
  bytea: bytes => `\\x${fill(bytes - 3, 'aa')}`,
};

beforeAll(async () => {
  const { sql } = target.service;
  const insert = (sport: string, count: number, value: string) => sql`
    insert into builder.quotes (account_id, quote_number, product_id, sport, customization)
    select ${target.account}, 'QT-2026-00001', ${randomUUID()}, ${sport}, jsonb_build_object('a', ${sql.unsafe(value)})
    from generate_series(1, ${count}::integer) as n`;
  await insert('large', 300, "repeat('x', 1000000)");
  for (let part = 0; part < 5; part++) {
    await insert('small', 4000, 'n');
  }
  await storeLargest(target, bytes => ({ sport: 'notes', customer_notes: 'a'.repeat(bytes) }));
  for (const [type, text] of Object.entries(casts)) {
    await storeLargest(target, bytes => ({ sport: type, customer_notes: text(bytes) }));
    await store(target, [{ sport: type, customization: { a: text(900_000) } }]);
  }
  await store(target, [
    { sport: 'words', customization: { a: list(180_000, n => `w${n % 1000}`, ' ') } },
    { sport: 'text', customization: { a: 'a'.repeat(1_000_000) } },
    { sport: 'numbers', customization: { a: ending(3, 2, 160_000) } },
    { sport: 'arrays', customization: { a: ending([3], [2], 45_000) } },
    { sport: 'objects', customization: { a: ending({ b: 3 }, { b: 2 }, 45_000) } },
  ]);
  // With statistics, the planner compares values with those of the column.
  await sql`analyze builder.quotes`;
}, timeout);

type Read = [what: string, parameters: Record<string, string>, headers?: Record<string, string>];

const step = 'customization->>a';
const large = { sport: 'eq.large' };
const words = { select: 'id', sport: 'eq.words' };
const largePages: Read[] = [
  ['a page of three hundred megabytes', large],
  ['its last row', { ...large, offset: '299', order: 'customization' }],
  ['the same as CSV', large, { accept: 'text/csv' }],
  ['40 aliases', { ...large, limit: '15', select: aliases(40, 'customization') }],
  ['40 aliases of a step', { ...large, limit: '15', select: aliases(40, step) }],
  [
    '40 aliases as CSV',
    { ...large, limit: '15', select: aliases(40, 'customization') },
    { accept: 'text/csv' },
  ],
  ['40 extremes', { ...large, select: aliases(40, `${step}.max()`) }],
  // At the limits of a response and of a row, and just above: building a row takes many times its bytes.
  ['seven aliases of one row', { ...large, select: aliases(7, step), limit: '1' }],
  ['four aliases of three rows', { ...large, select: aliases(4, step), limit: '3' }],
  ['paths of 32 steps', { ...large, select: aliases(100, `customization${repeat('->a', 32, '')}`) }],
];
const largeRows: Read[] = [
  ['the order of a step', { ...large, select: 'id', order: 'customization->a' }],
  ['the order of fifty steps', { ...large, select: 'id', order: list(50, n => `customization->a->${n}`) }],
  ['the order of fifty snapshots', { ...large, select: 'id', order: repeat('customization', 50) }],
  ['190 filters on a step', { ...large, select: 'id', or: `(${list(190, n => `${step}.eq.${n}`)})` }],
  ['190 patterns', { ...large, select: 'id', or: `(${list(190, n => `${step}.like.*${n}y*`)})` }],
  ['a hundred groups', { ...large, select: `${aliases(99, 'customization->a')},count()` }],
  ['groups of small rows', { sport: 'eq.small', select: `${aliases(90, 'customization->a')},id,count()` }],
  ['an exact count', { select: 'id', [step]: 'like.*yy*' }, { prefer: 'count=exact' }],
  ['sums of a cast', { sport: 'eq.numeric', select: aliases(50, `${step}::numeric.sum()`) }],
];
const searches: Read[] = [
  ['a long literal', { sport: 'eq.text', [step]: `like.*${'a'.repeat(14_000)}b` }],
  ['a long literal without case', { sport: 'eq.text', [step]: `ilike.*${'a'.repeat(14_000)}b` }],
  ['many stars', { sport: 'eq.text', [step]: `like.${'*a'.repeat(6000)}b` }],
  ['thousands of patterns', { sport: 'eq.text', [step]: `like(any).{${repeat('*ab', 3000)}}` }],
  ['two hundred filters', { sport: 'eq.text', or: `(${repeat(`${step}.like.*${'a'.repeat(40)}b`, 190)})` }],
  ['a long literal over a note', { customer_notes: `like.*${'a'.repeat(14_000)}b` }],
  [
    'numbers in an array',
    { sport: 'eq.numbers', customization: `cs.{"a":[2,3,${list(2500, n => `${100 + n}`)}]}` },
  ],
  ['an array in an array', { sport: 'eq.arrays', customization: `cs.{"a":[${repeat('[2]', 3500)}]}` }],
  [
    'an object in an array, negated',
    { sport: 'eq.objects', customization: `not.cs.{"a":[${repeat('{"b":2}', 1000)}]}` },
  ],
  ['a row in an array', { sport: 'eq.numbers', customization: `cd.{"a":[${repeat('2', 7000)},3]}` }],
  ['an array in a step', { sport: 'eq.numbers', 'customization->a': `cs.[${repeat('2', 7000)}]` }],
  ['expressions with nested bounds', { sport: 'eq.text', [step]: 'match.((a{255}){255})b' }],
  ['hundreds of expressions', { sport: 'eq.text', [step]: `imatch(any).{${repeat('a*b', 1500)}}` }],
];
const operands: Read[] = [
  ['thousands of words', { ...words, [step]: `fts.${repeat('w1', 3000, '&')}` }],
  ['a phrase of thousands of words', { ...words, [step]: `phfts.${repeat('w1', 3000, ' ')}` }],
  ['distances between words', { ...words, [step]: `fts.${repeat('w1', 1500, '<5>')}` }],
  ['190 searches for words', { ...words, or: `(${repeat(`${step}.fts(english).w1`, 190)})` }],
  ['a thousand long numbers', { select: 'id', unit_price: `in.(${repeat('1e131071', 1000)})` }],
  ['a snapshot of long numbers', { select: 'id', customization: `cs.{"a":[${repeat('1e131071', 1500)}]}` }],
  ['steps into a column that is no JSON', { select: aliases(100, 'sport->a->b->c') }],
];
const castReads = Object.keys(casts).flatMap((type): Read[] => [
  [`a note as ${type}, ten times`, { sport: `eq.${type}`, select: aliases(10, `customer_notes::${type}`) }],
  [`a step as ${type}, ten times`, { sport: `eq.${type}`, select: aliases(10, `${step}::${type}`) }],
]);

it.each([
  ...[...sample(4, largePages), ...sample(3, largeRows), ...sample(4, searches), ...sample(3, operands)],
  ...sample(6, castReads),
])('a read is cheap: %s', { timeout }, async (_, parameters, headers = {}) => {
  const path = `/rest/v1/quotes?${query(parameters)}`;
  expect(path.length).toBeLessThan(16_000);
  const asked = { path, headers: { ...target.callers.customer, ...headers } };
  expectCheap(await target.attack([asked]), { mayTakeTooLong: true });
  expectCheap(await target.attack([{ ...asked, method: 'HEAD' }]), { mayTakeTooLong: true });
});

it('sixty reads at once of 40 aliases are cheap', { timeout }, async () => {
  const path = `/rest/v1/quotes?${query({ ...large, limit: '15', select: aliases(40, 'customization') })}`;
  const one = { path, headers: target.callers.customer };
  expectCheap(await target.attack(Array(60).fill(one), 60));
});

it('plans of staff are cheap', { timeout }, async () => {
  const accept = 'application/vnd.pgrst.plan+json; options=analyze|verbose|buffers|settings|wal';
  const or = `(${repeat(`${step}.like.*y*`, 150)})`;
  const path = `/rest/v1/quotes?${query({ select: aliases(100, 'customization'), or })}`;
  const asked = { path, headers: { ...target.callers.staff, accept } };
  expectCheap(await target.attack([asked]), { mayTakeTooLong: true });
});

it('regular expressions that each backend caches are cheap', { timeout }, async () => {
  const requests = Array.from({ length: rounds(20, 60) }, (_, n) => ({
    path: `/rest/v1/quotes?${query({ select: 'id', sport: `match.(${'abcdefghij'[n % 10]}{${200 + n}}){120}` })}`,
    headers: target.callers.customer,
  }));
  expectCheap(await target.attack(requests), { mayTakeTooLong: true });
});
