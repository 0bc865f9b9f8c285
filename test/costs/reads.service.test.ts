/** Reads whose cost is out of proportion to their result: of large rows, by long patterns, casts and searches for words. */
import { beforeAll, expect, it } from 'vitest';
import { quotes } from '../../schema/quotes.ts';
import type { RawRequest } from '../fuzz/send.ts';
import { sample } from '../setup/full-size.ts';
import { insertQuotes, query, store } from './quotes.ts';
import { expectCheap, useTarget } from './target.ts';

const target = useTarget();

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
  await insertQuotes(target, 'large', 300, "repeat('x', 1000000)");
  await insertQuotes(target, 'small', 20_000, 'n');
  await store(target, [
    ...Object.entries(casts).map(([type, text]) => ({ sport: type, customization: { a: text(900_000) } })),
    { sport: 'notes', customer_notes: 'a'.repeat(quotes.columns.customer_notes.type.maxBytes ?? 0) },
    { sport: 'words', customization: { a: list(180_000, n => `w${n % 1000}`, ' ') } },
    { sport: 'text', customization: { a: 'a'.repeat(1_000_000) } },
    { sport: 'numbers', customization: { a: ending(3, 2, 160_000) } },
    { sport: 'objects', customization: { a: ending({ b: 3 }, { b: 2 }, 45_000) } },
  ]);
  // With statistics, the planner compares values with those of the column.
  await target.service.sql`analyze builder.quotes`;
}, 180_000);

type Read = [what: string, parameters: Record<string, string>, headers?: Record<string, string>];

const step = 'customization->>a';
const large = { sport: 'eq.large' };
const words = { select: 'id', sport: 'eq.words' };
const reads: Read[] = [
  ['a page of three hundred megabytes', large],
  ['its last row', { ...large, offset: '299', order: 'customization' }],
  ['40 aliases', { ...large, limit: '15', select: aliases(40, 'customization') }],
  // At the limits of a response and of a row, and just above: building a row takes many times its bytes.
  ['seven aliases of one row', { ...large, select: aliases(7, step), limit: '1' }],
  ['four aliases of three rows', { ...large, select: aliases(4, step), limit: '3' }],
  ['paths of 32 steps', { ...large, select: aliases(85, `customization${repeat('->a', 32, '')}`) }],
  ['the order of fifty steps', { ...large, select: 'id', order: list(50, n => `customization->a->${n}`) }],
  ['190 patterns', { ...large, select: 'id', or: `(${list(190, n => `${step}.like.*${n}y*`)})` }],
  ['groups of small rows', { sport: 'eq.small', select: `${aliases(90, 'customization->a')},id,count()` }],
  ['an exact count', { select: 'id', [step]: 'like.*yy*' }, { prefer: 'count=exact' }],
  ['sums of a cast', { sport: 'eq.numeric', select: aliases(50, `${step}::numeric.sum()`) }],
  ['a long literal without case', { sport: 'eq.text', [step]: `ilike.*${'a'.repeat(14_000)}b` }],
  ['a long literal over a note', { customer_notes: `like.*${'a'.repeat(14_000)}b` }],
  ['many stars', { sport: 'eq.text', [step]: `like.${'*a'.repeat(6000)}b` }],
  ['numbers in a list', { sport: 'eq.numbers', customization: `cs.{"a":[2,3,${list(2500, n => `1${n}`)}]}` }],
  ['a negated object', { sport: 'eq.objects', customization: `not.cs.{"a":[${repeat('{"b":2}', 1000)}]}` }],
  ['a row in an array', { sport: 'eq.numbers', customization: `cd.{"a":[${repeat('2', 7000)},3]}` }],
  ['nested stars', { sport: 'eq.text', [step]: `match.${'(.*'.repeat(20)}b${')'.repeat(20)}c` }],
  ['thousands of words', { ...words, [step]: `fts.${repeat('w1', 3000, '&')}` }],
  ['190 searches for words', { ...words, or: `(${repeat(`${step}.fts(english).w1`, 190)})` }],
  ['a thousand long numbers', { select: 'id', unit_price: `in.(${repeat('1e131071', 1000)})` }],
  ['steps into a column that is no JSON', { select: aliases(100, 'sport->a->b->c') }],
  ['thousands of preferences', { select: 'id' }, { prefer: repeat('x=y', 1500) }],
  ['hundreds of media types', { select: 'id' }, { accept: `${repeat('a/b;q=0.1', 700)},*/*` }],
  ['hundreds of entity tags', { select: 'id' }, { 'if-none-match': list(300, n => `"${n}-a"`) }],
  ...Object.keys(casts).map(
    (type): Read => [`steps as ${type}`, { sport: `eq.${type}`, select: aliases(10, `${step}::${type}`) }],
  ),
];

const requestOf = (parameters: Record<string, string>, headers = {}): RawRequest => ({
  path: `/rest/v1/quotes?${query(parameters)}`,
  headers: { ...target.callers.customer, ...headers },
});

it.each(sample(5, reads))('a read is cheap: %s', async (_, parameters, headers) => {
  const request = requestOf(parameters, headers);
  expect(request.path.length).toBeLessThan(16_000);
  expectCheap(await target.attack([request]), { mayTakeTooLong: true });
});

it('sixty reads at once of 40 aliases are cheap', async () => {
  const one = requestOf({ ...large, limit: '15', select: aliases(40, 'customization') });
  expectCheap(await target.attack(Array(60).fill(one), 60));
});

it('plans of staff are cheap', { tags: ['full'] }, async () => {
  const accept = 'application/vnd.pgrst.plan+json; options=analyze|verbose|buffers|settings|wal';
  const or = `(${repeat(`${step}.like.*y*`, 150)})`;
  const asked = requestOf({ select: aliases(100, 'customization'), or }, { ...target.callers.staff, accept });
  expectCheap(await target.attack([asked]), { mayTakeTooLong: true });
});
