/** The limits on the work for one row: each limit, and one more. */
import { describe, expect, it } from 'vitest';
import { sizeOfRegex } from '../../../functions/rest/plan/regular-expression.ts';
import { quotes } from '../../../schema/quotes.ts';
import { planOf, staff } from './plan-of.ts';

const times = (count: number, text: string, separator = ',') => Array(count).fill(text).join(separator);
const aliases = (count: number, text: string) =>
  Array.from({ length: count }, (_, index) => `c${index}:${text}`).join(',');
const encoded = encodeURIComponent;

/** The subject of the error that refuses a request. */
function excess(query: string): string | undefined {
  const plan = planOf({ as: staff, of: quotes, query });
  if (plan.ok) return undefined;
  return plan.failure.is === 'too complex' ? plan.failure.what : plan.failure.is;
}

const reads = /^reads of customization/;

describe('a large column', () => {
  it('counts once more for each index into a list, and for a cast', () => {
    expect(excess('select=customization->a->0->b->1->c->2->d')).toBeUndefined();
    expect(excess('select=customization->a->0->b->1->c->2->d->3->e')).toMatch(reads);
    expect(excess(`select=${aliases(4, 'customization::text')}`)).toBeUndefined();
    expect(excess(`select=${aliases(5, 'customization::text')}`)).toMatch(reads);
  });
});

describe('a pattern', () => {
  const patterns = (...values: string[]) =>
    excess(`select=id&and=(${values.map(value => `customization->>a.ilike.${value}`)})`);

  it('may be longer for columns with shorter texts, and counts together with the others', () => {
    expect(patterns('a'.repeat(150))).toBeUndefined();
    expect(patterns('a'.repeat(200))).toMatch(/^characters in patterns/);
    expect(patterns(...Array<string>(2).fill('a'.repeat(60)))).toBeUndefined();
    expect(patterns(...Array<string>(3).fill('a'.repeat(60)))).toMatch(/^characters in patterns/);
    const notes = (length: number) => `customer_notes=like.${'a'.repeat(length)}`;
    expect(excess(`select=id&${notes(9980)}&${notes(9980)}`)).toBeUndefined();
    expect(excess(`select=id&${notes(9980)}&${notes(9981)}`)).toMatch(/^characters in patterns/);
  });

  it('counts once, whatever commas it has, and once for each element of a list', () => {
    expect(excess(`select=id&customization->>a=like.${','.repeat(150)}`)).toBeUndefined();
    expect(excess(`select=id&customization->>a=ilike(any).{${times(20, '*a*')}}`)).toMatch(/^characters/);
    expect(excess(`select=id&customization->>a=ilike(any).{${times(4, '*abcdef*')}}`)).toBeUndefined();
  });
});

describe('a regular expression', () => {
  const match = (value: string) => excess(`select=id&sport=match.${encoded(value)}`);

  it.each([
    ['a{2,5}', 5],
    ['a{0}', 1],
    ['((a{2}){3}){4}', 24],
    ['(?:ab|c)+', 4],
    ['^QT-\\d{4}-\\d{5}$', 15],
    ['[x.]aaa]', 5],
    ['[[:alpha', 1],
    ['\\{3}', 3],
    ['a{1000000000}', 13],
    ['', 0],
  ])('has its repetitions expanded: %s', (text, symbols) => {
    expect(sizeOfRegex(text).symbols).toBe(symbols);
  });

  it.each([
    ['^a$', 2, false],
    ['\\mword\\M', 2, false],
    ['(?=a)(?<!b)c', 2, false],
    ['(\\y|a?){10}', 1, true],
    ['(^a)b+', 1, false],
  ])('has anchors, and may repeat them: %s', (text, anchors, repeatsAnchors) => {
    expect(sizeOfRegex(text)).toMatchObject({ anchors, repeatsAnchors });
  });

  it('is refused when an anchor is repeated', () => {
    expect(match('(^a)*')).toMatch(/^anchors/);
  });

  it('is one of at most ten in a request', () => {
    expect(excess(`select=id&and=(${times(10, 'sport.match.a')})`)).toBeUndefined();
    expect(excess(`select=id&and=(${times(11, 'sport.match.a')})`)).toBe('regular expressions');
    expect(excess(`select=id&sport=match(any).{${times(10, 'abc')}}`)).toBeUndefined();
    expect(excess(`select=id&sport=match(any).{${times(11, 'a')}}`)).toBe('regular expressions');
    expect(match(times(11, 'a'))).toBeUndefined();
  });
});

it('a full-text search of a large column is the only one of a request', () => {
  expect(excess('select=id&customization->>a=fts.b')).toBeUndefined();
  expect(excess('select=id&customization->>a=fts.b&sport=wfts.c')).toBe('full-text searches');
});

it('array filters have at most a hundred elements', () => {
  const cs = (count: number) =>
    excess(`select=id&customization=cs.${encoded(`{"a":[${times(count, '2')}]}`)}`);
  expect(cs(100)).toBeUndefined();
  expect(cs(101)).toBe('array elements to search for');
  expect(excess(`customization=cs.${encoded(`"${times(101, 'a')}"`)}`)).toBeUndefined();
  expect(excess(`customer_notes=eq.{${times(101, 'a')}}`)).toBeUndefined();
});
