/**
 * The grammar of filter values: `eq.5`, `not.in.(1,2)`, `like(any).{a*,b*}`. It knows the names of the operators, but
 * not their meaning; whether the operand fits the column is checked later.
 */

import type { ParseError } from '../../common/failure/parse-error.ts';
import type { Result } from '../../common/failure/result.ts';
import { identifier, quotedValue } from './field.ts';
import { operatorNames, operators, type TextSearchOperatorName, textSearchOperators } from './operators.ts';
import type { Filter, IsValue, Operation } from './request.ts';
import { parseWhole, type Reader, type Scanner } from './scanner.ts';

/** A filter without its column. */
export type FilterValue = Pick<Filter, 'negated' | 'operation'>;

/** Parses a filter's value, `eq.5`. Everything after a plain operator is its operand. */
export const parseFilter = (text: string): Result<FilterValue, ParseError> =>
  parseWhole(
    'filter',
    text,
    filterValue(s => s.rest()),
  );

/** `operand` reads the operand of a plain operator, whose end depends on the context of the filter. */
export const filterValue =
  (operand: Reader<string>): Reader<FilterValue> =>
  s => {
    const negated = s.accept('not.');
    const operation = readOperation(operand, s);
    return operation && { negated, operation };
  };

/** Reads a quoted value that is directly followed by a comma, a closing parenthesis or the end. */
export const quotedElement: Reader<string> = s =>
  s.attempt(() => {
    const value = quotedValue(s);
    return s.isAt(/[,)]|$/y) ? value : undefined;
  });

const anOperator = 'an operator (eq, gt, …)';

/** Whether a filter failed because it has no operator, as `draft` and `equals.draft` do. */
export const lacksOperator = ({ expected }: ParseError): boolean => expected === anOperator;

const isOperator = (name: string | undefined): name is Operation['operator'] =>
  (operatorNames as (string | undefined)[]).includes(name);

const isTextSearch = (name: string): name is TextSearchOperatorName =>
  Object.hasOwn(textSearchOperators, name);

function readOperation(operand: Reader<string>, s: Scanner): Operation | undefined {
  const operator = s.attempt(() => {
    const name = s.take(/[a-z]+/y);
    return isOperator(name) ? name : undefined;
  });
  if (operator === undefined) return s.fail(anOperator);
  if (operator === 'in') {
    const values = s.expect('.') && list(s);
    return values && { operator, values };
  }
  if (operator === 'is') {
    const value = s.expect('.') && isValue(s);
    return value && { operator, value };
  }
  if (isTextSearch(operator)) {
    const configuration = s.attempt(inParentheses);
    const value = s.expect('.') && operand(s);
    if (value === undefined) return undefined;
    return configuration === undefined ? { operator, value } : { operator, configuration, value };
  }
  const isQuantifiable = 'quantifiable' in operators[operator];
  const quantifier = isQuantifiable ? quantifiers.find(name => s.accept(`(${name})`)) : undefined;
  const value = s.expect('.') && operand(s);
  if (value === undefined) return undefined;
  return quantifier === undefined ? { operator, value } : { operator, quantifier, value };
}

/** Reads the configuration after a full-text operator: `fts(english)`. */
const inParentheses: Reader<string> = s => {
  const name = s.expect('(') && identifier(s);
  return name !== undefined && s.expect(')') ? name : undefined;
};

const quantifiers = ['any', 'all'] as const;

const isValue: Reader<IsValue> = s =>
  (s.take(/null|not_null|true|false|unknown/iy)?.toLowerCase() as IsValue | undefined) ??
  s.fail('null, not_null, true, false or unknown');

/** Reads `(1,2)`. `()` is a list without elements, while `(,)` has two empty ones. */
const list: Reader<string[]> = s => {
  if (s.take(/[ \t]*\([ \t]*\)[ \t]*/y) !== undefined) return [];
  const values = s.expectSpaced('(') && s.list(() => quotedElement(s) ?? s.take(/[^,)]*/uy), /,/y);
  return values && s.expectSpaced(')', '"," or ")"') && values;
};
