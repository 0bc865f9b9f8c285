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

  it.each<[key: string, expected?: object]>([
    ['items.parts.and', { is: 'embedding', name: 'items' }],
    ['not.items.or', { is: 'embedding', name: 'items' }],
    ['"my items".and', { is: 'embedding', name: 'my items' }],
    ...['', 'order', 'android', 'items.code', '"or"', 'or.x', 'OR', 'data->>x.or', 'not'].map(
      (key): [string] => [key],
    ),
  ])('may belong to an embedded resource, and is no other key: %j', (key, expected) => {
    expect(parseLogicKey(key)).toEqual(expected);
  });
});

describe('a logic tree', () => {
  it.each([
    ['(a.eq.1,b.eq.2)', [equals('a', '1'), equals('b', '2')]],
    ['( a.eq.1, b.eq.2 )', [equals('a', '1'), equals('b', '2 ')]],
    ['(a.eq."x, y)",b.eq.2)', [equals('a', 'x, y)'), equals('b', '2')]],
    ['(a.eq."x"y)', [equals('a', '"x"y')]],
    ['("a.b".eq.1)', [equals('a.b', '1')]],
    ['(and.eq.1)', [equals('and', '1')]],
    ['(a.cs.{x,y},b.eq.2)', [condition('a', { operator: 'cs', value: '{x,y}' }), equals('b', '2')]],
    ['(a.cs.{x,b.eq.2)', [condition('a', { operator: 'cs', value: '{x' }), equals('b', '2')]],
    [
      '(a.not.in.(1,"2,3"),b.eq.2)',
      [condition('a', { operator: 'in', values: ['1', '2,3'] }, true), equals('b', '2')],
    ],
    ['(a.like(any).{x*,y*})', [condition('a', { operator: 'like', quantifier: 'any', value: '{x*,y*}' })]],
    ['(a->>b.eq.1)', [{ ...equals('a', '1'), field: { name: 'a', path: [{ arrow: '->>', operand: 'b' }] } }]],
  ])('holds conditions: %s', (text, conditions) => {
    expect(parseLogicTree('or', text)).toEqual({ ok: true, value: { is: 'or', negated: false, conditions } });
  });

  it.each([
    [
      'or',
      '()',
      'column 4: unexpected ")" expecting field name (* or [a..z0..9_$]), negation operator (not) or',
    ],
    ['or', ')(', 'column 3: unexpected ")" expecting "("'],
    ['and', '(ord(id.eq.1,id.eq.1),id.eq.2)', 'column 7: unexpected "d" expecting "("'],
    ['or', '(id.eq.1,not.xor(id.eq.2))', 'column 16: unexpected "x" expecting logic operator (and, or)'],
    ['or', '(a.eq.1', 'column 10: unexpected end of input expecting "," or ")"'],
    ['not.or', '(a.eq.1)x', "column 15: unexpected 'x' expecting end of input"],
    ['or', '(a.foo.1)', 'column 6: unexpected "f" expecting "not" or operator (eq, gt, ...)'],
  ])('is refused at its first error: %s%s', (operator, text, reason) => {
    expect(refusal(parseLogicTree(operator, text)).slice(0, reason.length)).toBe(reason);
  });
});
