import { describe, expect, it } from 'vitest';
import { parseFilter } from '../../functions/request/filter.ts';
import { operators, textSearchOperators } from '../../functions/request/operators.ts';
import { refusal } from './refusal.ts';

const operation = (operation: object) => ({ ok: true, value: { negated: false, operation } });

describe("a filter's value", () => {
  it.each([
    ...Object.keys(operators),
    ...Object.keys(textSearchOperators),
  ])('knows the operator %s', operator => {
    expect(parseFilter(`${operator}.5`)).toEqual(operation({ operator, value: '5' }));
  });

  it.each([
    '',
    '5',
    'a.b',
    '"quoted"',
    '(1,2)',
    'not.eq.5',
    ' spaces ',
    'a\nb',
    '🦅',
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
    ['fts(english).lions', operation({ operator: 'fts', configuration: 'english', value: 'lions' })],
    ['plfts( simple ).a b', operation({ operator: 'plfts', configuration: 'simple', value: 'a b' })],
    ['wfts."a (b"', operation({ operator: 'wfts', value: '"a (b"' })],
  ])('searches text, with or without a configuration: %s', (text, result) => {
    expect(parseFilter(text)).toEqual(result);
  });

  it.each([
    ['is.null', 'null'],
    ['is.NULL', 'null'],
    ['is.Not_Null', 'not_null'],
    ['is.true', 'true'],
    ['is.FALSE', 'false'],
    ['is.unknown', 'unknown'],
  ])('compares with null and truth in any case: %s', (text, value) => {
    expect(parseFilter(text)).toEqual(operation({ operator: 'is', value }));
  });

  it.each([
    ['in.(1,2)', ['1', '2']],
    ['in.(1)', ['1']],
    ['in.()', []],
    ['in.( )', []],
    ['in.("")', ['']],
    ['in.(,)', ['', '']],
    ['in. (a , b) ', ['a ', ' b']],
    ['in.("a,b",c)', ['a,b', 'c']],
    [String.raw`in.("a\"b","c\\d","(")`, ['a"b', String.raw`c\d`, '(']],
    ['in.("a"b,c"d")', ['"a"b', 'c"d"']],
    ['in.("open,b)', ['"open', 'b']],
    ['in.(Team 1,{a})', ['Team 1', '{a}']],
  ])('splits a list: %s', (text, values) => {
    expect(parseFilter(text)).toEqual(operation({ operator: 'in', values }));
  });

  it.each([
    'not.eq.5',
    'not.like(any).{a}',
    'not.in.(1,2)',
    'not.is.null',
    'not.fts(english).a',
  ])('is negated by a leading not: %s', text => {
    const plain = parseFilter(text.slice('not.'.length));
    expect(parseFilter(text)).toEqual({ ok: true, value: { ...(plain.ok && plain.value), negated: true } });
  });

  it.each([
    ['in.EAGLE', 'column 4: unexpected "E" expecting "("'],
    ['in.(1', 'column 6: unexpected end of input expecting "," or ")"'],
    ['in.(1)x', `column 7: unexpected 'x' expecting end of input`],
    ['in().1', 'column 3: unexpected "(" expecting operator (eq, gt, ...)'],
    ['is.maybe', 'column 4: unexpected "m" expecting isVal: (null, not_null, true, false, unknown)'],
    ['is.nobody', 'column 6: unexpected "b" expecting isVal: (null, not_null, true, false, unknown)'],
    ['is.nullable', `column 8: unexpected 'a' expecting end of input`],
    ['is().null', 'column 3: unexpected "(" expecting operator (eq, gt, ...)'],
    ['foo.bar', 'column 1: unexpected "f" expecting "not" or operator (eq, gt, ...)'],
    ['EAGLE', 'column 1: unexpected "E" expecting "not" or operator (eq, gt, ...)'],
    ['EQ.5', 'column 1: unexpected "E" expecting "not" or operator (eq, gt, ...)'],
    ['', 'column 1: unexpected end of input expecting "not" or operator (eq, gt, ...)'],
    ['not.', 'column 5: unexpected end of input expecting operator (eq, gt, ...)'],
    ['not.not.eq.5', 'column 5: unexpected "n" expecting operator (eq, gt, ...)'],
    ['eq', 'column 3: unexpected end of input expecting operator (eq, gt, ...)'],
    ['eq5', 'column 3: unexpected "5" expecting operator (eq, gt, ...)'],
    ['eq().5', 'column 4: unexpected ")" expecting operator (eq, gt, ...)'],
    ['eq(some).{1,2}', 'column 4: unexpected "s" expecting operator (eq, gt, ...)'],
    ['neq(any).{1}', 'column 4: unexpected "(" expecting operator (eq, gt, ...)'],
    ['fts().a', 'column 5: unexpected ")" expecting operator (eq, gt, ...)'],
  ])('is refused at its first error: %s', (text, reason) => {
    expect(refusal(parseFilter(text))).toBe(reason);
  });
});
