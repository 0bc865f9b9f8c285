import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ParseError } from '../../../functions/common/failure/parse-error.ts';
import type { Result } from '../../../functions/common/failure/result.ts';
import { parseFilterKey } from '../../../functions/rest/request/field.ts';
import { parseFilter } from '../../../functions/rest/request/filter.ts';
import { parseLogicTree } from '../../../functions/rest/request/logic-tree.ts';
import { operators } from '../../../functions/rest/request/operators.ts';
import { parseColumns, parseOrder, parseSelect } from '../../../functions/rest/request/select.ts';
import { anyText } from '../../setup/any-text.ts';
import { rounds } from '../../setup/full-size.ts';
import { stepsOf } from './steps.ts';

const parsers: Record<string, (text: string) => Result<unknown, ParseError>> = {
  name: parseFilterKey,
  filter: parseFilter,
  select: parseSelect,
  order: parseOrder,
  columns: text => parseColumns('columns', text),
  conditions: text => parseLogicTree('or', text),
};

const oneOf = (weight: number, words: string, ...more: string[]) => {
  return { weight, arbitrary: fc.constantFrom(...words.split(' '), ...more) };
};
/** Pieces of every grammar, so that many generated texts are almost valid. */
const fragment = fc.oneof(
  oneOf(8, '( ) , . -> ->> " \\ : :: - ! { }', ' '),
  oneOf(6, 'a code größe 🦅 "a,b" 0 -1 text * ...', '\t', '\n'),
  oneOf(6, 'not and or in is null asc nullslast count() .sum()'),
  oneOf(3, 'a.eq.1 or(a.eq.1) in.(1,2) rel(*) eq(any) fts(english)'),
  oneOf(3, Object.keys(operators).join(' ')),
  { weight: 1, arbitrary: anyText({ maxLength: 3 }) },
);
const nearlyValid = fc.array(fragment, { maxLength: 30 }).map(fragments => fragments.join(''));

const anything = fc.oneof(fc.string(), anyText(), fc.string({ unit: 'grapheme' }));
/** Including lone surrogates, which a percent-encoded query can't contain, but a caller of the function could pass. */
const codeUnits = fc
  .array(fc.integer({ min: 0xd7f0, max: 0xe00f }))
  .map(units => String.fromCharCode(...units));

function check(grammar: string, text: string, result: Result<unknown, ParseError>) {
  if (result.ok) {
    expect(result.value).toBeDefined();
    return;
  }
  expect(result.failure).toMatchObject({ grammar, text });
  expect(result.failure.character).toBeGreaterThanOrEqual(1);
  expect(result.failure.character).toBeLessThanOrEqual(Array.from(text).length + 1);
  expect(result.failure.found).not.toBe('');
  expect(result.failure.expected).not.toBe('');
}

describe.each(Object.entries(parsers))('whatever it is given, the grammar of %s', (grammar, parse) => {
  it.each([
    ['arbitrary text', anything],
    ['halves of characters', codeUnits],
    ['nearly valid text', nearlyValid],
  ])('turns %s into a tree, or an error with a position and a reason', (_, texts) => {
    fc.assert(
      fc.property(texts, text => check(grammar, text, parse(text))),
      { numRuns: rounds(100, 300) },
    );
  });

  it.each([
    ...['(', 'a(', '(or', 'or(', '"', '\\', 'a,', ',"', '"\\",', '"a"b,', '->', '->a', '->1', '-', '-a', '.'],
    ...['a.', ' ', 'a.eq.1,', 'a.eq."\\",', 'a.in.("x"y,', 'a.cs.{,', 'a.cs.{a},', 'and(a.eq.1),', '...'],
    ...['...a(*),', '::', 'a:b,', 'a->"b",', '!a', 'a!b(*),', 'count(),'],
  ])('reads repetitions of %j in linear time', piece => {
    for (const start of ['', 'in.(', 'or(', '(', 'a', '"', 'a->', 'cs.{']) {
      const [half = 0, whole = 0] = [4096, 8192].map(length => {
        const text = `${start}${piece.repeat(length / piece.length)}`;
        return stepsOf(() => check(grammar, text, parse(text)));
      });
      expect(half).toBeGreaterThan(0);
      expect(whole).toBeLessThan(2.1 * half + 100);
      expect(whole).toBeLessThan(50 * 8192);
    }
  });
});

it('any values of a list and of a logic tree that are quoted are parsed as they were', () => {
  const quoted = fc.string({ unit: 'grapheme' }).map(name => ({
    name,
    text: `"${name.replaceAll(/["\\]/g, '\\$&')}"`,
  }));
  fc.assert(
    fc.property(fc.array(quoted, { minLength: 1 }), values => {
      const names = values.map(({ name }) => name);
      const list = parseFilter(`in.(${values.map(({ text }) => text).join()})`);
      expect(list).toMatchObject({ value: { operation: { operator: 'in', values: names } } });
      const tree = parseLogicTree('and', `(${values.map(({ text }) => `a.eq.${text}`).join()})`);
      const conditions = names.map(value => ({ field: { name: 'a' }, operation: { operator: 'eq', value } }));
      expect(tree).toMatchObject({ value: { conditions } });
    }),
  );
});
