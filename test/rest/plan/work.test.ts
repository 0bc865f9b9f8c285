/** The limits on the work for one row: each limit, and one more. */
import { describe, expect, it } from 'vitest';
import type { Caller } from '../../../functions/caller/caller.ts';
import { quotes } from '../../../schema/quotes.ts';
import { planOf, staff } from './plan-of.ts';

const customer: Caller = { kind: 'customer', audience: 'customer' };
const times = (count: number, text: string, separator = ',') => Array(count).fill(text).join(separator);
const aliases = (count: number, text: string) =>
  Array.from({ length: count }, (_, index) => `c${index}:${text}`).join(',');
const encoded = encodeURIComponent;

/** The subject of the error that refuses a request. */
function excess(query: string, as = staff): string | undefined {
  const plan = planOf({ as, of: quotes, query });
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
  const match = (value: string, as: Caller = customer) =>
    excess(`select=id&sport=match${value.startsWith('{') ? '(any)' : ''}.${encoded(value)}`, as);

  it.each([
    ['^(NOVA|black bear)$', '\\mword', '(\\y|a?)+', '(^a)*b', 'a^b', '(a)\\1'],
    ['[^a-z]+', '(ab)+', '(?i)a', '(?=a)b', '***=a', 'a{2}', '^(a$)+b'],
    ['\\^\\$\\d+\\{\\)+', '\\\\^', 'x{255}', 'a$b', '{a,b{2}}', '{"(a,^b,)*"}'],
    ['{^a,b$}', '{a\\^}', '(a)\\2', '\\Aa', 'a\\Z', 'a\\M'],
  ])('may be %s of a customer, and no other of these, which staff may send', (accepted, ...others) => {
    expect(match(accepted)).toBeUndefined();
    for (const other of others) {
      expect([other, match(other)]).toEqual([other, 'invalid value']);
      expect(match(other, staff)).toBeUndefined();
    }
  });

  it('counts together with the others, each element of a list too', () => {
    expect(excess(`select=id&and=(${times(50, 'sport.imatch.ab')})`, customer)).toBeUndefined();
    expect(excess(`select=id&and=(${times(51, 'sport.imatch.ab')})`, customer)).toMatch(/^bytes in its/);
    expect(match(`{${times(49, 'a')}}`)).toBeUndefined();
    expect(match(`{${times(50, 'a')}}`)).toMatch(/^bytes in its/);
    expect(match('é'.repeat(51))).toMatch(/^bytes in its/);
    expect(match('a'.repeat(1000), staff)).toBeUndefined();
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
