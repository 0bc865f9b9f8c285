import { describe, expect, it } from 'vitest';
import { parseFilter } from '../../functions/request/filter.ts';
import { operators } from '../../functions/request/operators.ts';
import { refusal } from './refusal.ts';

const operation = (operation: object) => ({ ok: true, value: { negated: false, operation } });

describe("a filter's value", () => {
  it.each([
    '',
    'a.b',
    '"quoted"',
    'not.eq.5',
    ' spaces ',
    'a\nb',
    '{1,2}',
  ])('takes everything after a plain operator as it is: %j', value => {
    expect(parseFilter(`eq.${value}`)).toEqual(operation({ operator: 'eq', value }));
  });

  it.each(
    Object.entries(operators).filter(([, row]) => 'quantifiable' in row),
  )('may ask %s of any or all elements', operator => {
    for (const quantifier of ['any', 'all']) {
      const expected = operation({ operator, quantifier, value: '{a*,b*}' });
      expect(parseFilter(`${operator}(${quantifier}).{a*,b*}`)).toEqual(expected);
    }
  });

  it.each([
    ['fts(english).lions', { operator: 'fts', configuration: 'english', value: 'lions' }],
    ['plfts( simple ).a b', { operator: 'plfts', configuration: 'simple', value: 'a b' }],
    ['is.Not_Null', { operator: 'is', value: 'not_null' }],
    ['is.FALSE', { operator: 'is', value: 'false' }],
  ])('has a configuration, or a word in any case: %s', (text, expected) => {
    expect(parseFilter(text)).toEqual(operation(expected));
  });

  it.each([
    ['in.()', []],
    ['in. (a , b) ', ['a ', ' b']],
    ['in.( )', []],
    ['in.("")', ['']],
    ['in.(,)', ['', '']],
    ['in.("a,b",c)', ['a,b', 'c']],
    [String.raw`in.("a\"b","c\\d","(")`, ['a"b', String.raw`c\d`, '(']],
    ['in.("a"b,c"d")', ['"a"b', 'c"d"']],
    ['in.("open,b)', ['"open', 'b']],
  ])('splits a list: %s', (text, values) => {
    expect(parseFilter(text)).toEqual(operation({ operator: 'in', values }));
  });

  it.each([
    ['in.EAGLE', 'column 4: unexpected "E" expecting "("'],
    ['in.(1)x', `column 7: unexpected 'x' expecting end of input`],
    ['is.nobody', 'column 6: unexpected "b" expecting isVal: (null, not_null, true, false, unknown)'],
    ['is.nullable', `column 8: unexpected 'a' expecting end of input`],
    ['foo.bar', 'column 1: unexpected "f" expecting "not" or operator (eq, gt, ...)'],
    ['', 'column 1: unexpected end of input expecting "not" or operator (eq, gt, ...)'],
    ['not.', 'column 5: unexpected end of input expecting operator (eq, gt, ...)'],
    ['eq().5', 'column 4: unexpected ")" expecting operator (eq, gt, ...)'],
    ['eq(some).{1,2}', 'column 4: unexpected "s" expecting operator (eq, gt, ...)'],
    ['neq(any).{1}', 'column 4: unexpected "(" expecting operator (eq, gt, ...)'],
  ])('is refused at its first error: %s', (text, reason) => {
    expect(refusal(parseFilter(text))).toBe(reason);
  });
});
