import { describe, expect, it } from 'vitest';
import { parseLogicKey, parseLogicTree } from '../../functions/request/logic-tree.ts';
import { refusal } from './refusal.ts';

const condition = (name: string, operation: object, negated = false) => ({
  is: 'filter',
  field: { name, path: [] },
  negated,
  operation,
});
const equals = (name: string, value: string) => condition(name, { operator: 'eq', value });

describe('a logic key', () => {
  it.each(['and', 'or', 'not.and', 'not.or'])('is an operator: %s', operator => {
    expect(parseLogicKey(operator)).toEqual({ is: 'logic', operator });
  });

  it.each([
    ['items.or', 'items'],
    ['items.parts.and', 'items'],
    ['items.not.or', 'items'],
    ['not.items.or', 'items'],
    ['"my items".and', 'my items'],
    ['not.not.or', 'not'],
  ])('may belong to an embedded resource: %s', (key, name) => {
    expect(parseLogicKey(key)).toEqual({ is: 'embedding', name });
  });

  it.each([
    '',
    'code',
    'order',
    'android',
    'items.code',
    '"or"',
    'or.x',
    'OR',
    'data->>x.or',
    'not',
  ])('is not any other key: %j', key => {
    expect(parseLogicKey(key)).toBeUndefined();
  });
});

describe('a logic tree', () => {
  it.each([
    ['and', { is: 'and', negated: false }],
    ['or', { is: 'or', negated: false }],
    ['not.and', { is: 'and', negated: true }],
    ['not.or', { is: 'or', negated: true }],
  ])('has the operator of its key: %s', (operator, expected) => {
    const value = { ...expected, conditions: [equals('a', '1')] };
    expect(parseLogicTree(operator, '(a.eq.1)')).toEqual({ ok: true, value });
  });

  it.each([
    ['(a.eq.1,b.eq.2)', [equals('a', '1'), equals('b', '2')]],
    ['( a.eq.1, b.eq.2 )', [equals('a', '1'), equals('b', '2 ')]],
    ['(a.eq."x, y)",b.eq.2)', [equals('a', 'x, y)'), equals('b', '2')]],
    ['(a.eq."x"y)', [equals('a', '"x"y')]],
    ['(a.eq.)', [equals('a', '')]],
    ['("a.b".eq.1)', [equals('a.b', '1')]],
    ['(and.eq.1)', [equals('and', '1')]],
    ['(a.cs.{x,y},b.eq.2)', [condition('a', { operator: 'cs', value: '{x,y}' }), equals('b', '2')]],
    ['(a.cs.{x,b.eq.2)', [condition('a', { operator: 'cs', value: '{x' }), equals('b', '2')]],
    [
      '(a.not.in.(1,"2,3"),b.eq.2)',
      [condition('a', { operator: 'in', values: ['1', '2,3'] }, true), equals('b', '2')],
    ],
    ['(a.is.null,b.eq.2)', [condition('a', { operator: 'is', value: 'null' }), equals('b', '2')]],
    ['(a.like(any).{x*,y*})', [condition('a', { operator: 'like', quantifier: 'any', value: '{x*,y*}' })]],
    ['(a->>b.eq.1)', [{ ...equals('a', '1'), field: { name: 'a', path: [{ arrow: '->>', operand: 'b' }] } }]],
    ['(a->0.eq.1)', [{ ...equals('a', '1'), field: { name: 'a', path: [{ arrow: '->', operand: 0 }] } }]],
  ])('holds conditions: %s', (text, conditions) => {
    expect(parseLogicTree('or', text)).toEqual({ ok: true, value: { is: 'or', negated: false, conditions } });
  });

  it('nests', () => {
    const inner = { is: 'or', negated: false, conditions: [equals('c', '3')] };
    const outer = { is: 'and', negated: true, conditions: [equals('b', '2'), inner] };
    expect(parseLogicTree('or', '(a.eq.1,not.and(b.eq.2,or(c.eq.3)))')).toEqual({
      ok: true,
      value: { is: 'or', negated: false, conditions: [equals('a', '1'), outer] },
    });
  });

  it('nests 32 levels deep and no deeper', () => {
    const tree = (depth: number) => `${'(or'.repeat(depth - 1)}(a.eq.1)${')'.repeat(depth - 1)}`;
    expect(parseLogicTree('or', tree(32)).ok).toBe(true);
    expect(refusal(parseLogicTree('or', tree(33)))).toBe(
      'column 99: unexpected nesting of more than 32 levels',
    );
    expect(refusal(parseLogicTree('or', tree(10_000)))).toBe(
      'column 99: unexpected nesting of more than 32 levels',
    );
  });

  it.each([
    [
      'or',
      '()',
      'column 4: unexpected ")" expecting field name (* or [a..z0..9_$]), negation operator (not) or logic operator (and, or)',
    ],
    ['or', '', 'column 3: unexpected end of input expecting "("'],
    ['or', ')(', 'column 3: unexpected ")" expecting "("'],
    ['or', '.eq.5', 'column 3: unexpected "." expecting "("'],
    ['or', '(id.in.1,2,id.eq.3)', 'column 10: unexpected "1" expecting "("'],
    ['and', '(ord(id.eq.1,id.eq.1),id.eq.2)', 'column 7: unexpected "d" expecting "("'],
    ['or', '(id.eq.1,not.xor(id.eq.2))', 'column 16: unexpected "x" expecting logic operator (and, or)'],
    ['or', '(a.eq.1', 'column 10: unexpected end of input expecting "," or ")"'],
    ['not.or', '(a.eq.1)x', "column 15: unexpected 'x' expecting end of input"],
    ['or', '(a.eq.1))', "column 11: unexpected ')' expecting end of input"],
    ['or', '(a.foo.1)', 'column 6: unexpected "f" expecting "not" or operator (eq, gt, ...)'],
  ])('is refused at its first error: %s%s', (operator, text, reason) => {
    expect(refusal(parseLogicTree(operator, text))).toBe(reason);
  });

  it('shows the text without the operator when it is refused', () => {
    expect(parseLogicTree('or', '()')).toMatchObject({ failure: { parameter: 'logic tree', input: '()' } });
  });
});
