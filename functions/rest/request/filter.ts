/**
 * The grammar of filter values: `eq.5`, `not.in.(1,2)`, `like(any).{a*,b*}`. It knows the names of the operators, but
 * not their meaning; whether the operand fits the column is checked later.
 */

import type { ParseError } from '../../common/failure/parse-error.ts';
import { ok, type Result } from '../../common/failure/result.ts';
import { delimiter, identifier, quotedValue } from './field.ts';
import {
  type OperatorName,
  operatorNames,
  operators,
  type TextSearchOperatorName,
  textSearchOperators,
} from './operators.ts';
import type { Filter, IsValue, Operation } from './request.ts';
import { parseWhole, type Reader, type Scanner } from './scanner.ts';

/** A filter without its column. */
export type FilterValue = Pick<Filter, 'negated' | 'operation'>;

/** Parses a filter's value, `eq.5`. Everything after a plain operator is its operand. */
export function parseFilter(text: string): Result<FilterValue, ParseError> {
  const [, operator = '', value = ''] = plainFilter.exec(text) ?? [];
  return isPlain(operator)
    ? ok({ negated: false, operation: { operator, value } })
    : parseWhole(
        'filter',
        text,
        filterValue(s => s.run(/.*/suy)),
      );
}

/** Matches most filters, an operator, a dot and an operand, without the scanner. */
const plainFilter = /^([a-z]+)\.(.*)$/s;

const isPlain = (name: string): name is OperatorName => Object.hasOwn(operators, name);

/** `operand` reads the operand of a plain operator, whose end depends on the context of the filter. */
export const filterValue =
  (operand: Reader<string>): Reader<FilterValue> =>
  s => {
    const negated = s.attempt(() => s.string('not') && delimiter(s)) ?? false;
    const start = s.labelled(operatorLabel, () => s.attempt(operationStart));
    const operation = start && finish(start, operand, s);
    return operation && { negated, operation };
  };

/** Reads a quoted value that is directly followed by a comma, a closing parenthesis or the end. */
export const quotedElement: Reader<string> = s =>
  s.attempt(() => {
    const value = quotedValue(s);
    return value !== undefined && s.notFollowedBy(/[^,)]/uy) ? value : undefined;
  });

/** An operation without its operand. */
type OperationStart =
  | { operator: OperatorName; quantifier?: 'any' | 'all' }
  | { operator: TextSearchOperatorName; configuration?: string }
  | { operator: 'in' }
  | { operator: 'is' };

const operatorLabel = 'operator (eq, gt, ...)';

/** Whether a filter failed because it has no operator, as `draft` and `equals.draft` do. */
export const lacksOperator = ({ expecting }: ParseError): boolean => expecting.includes(operatorLabel);

const quantifiers = ['any', 'all'] as const;

const isValues: IsValue[] = ['null', 'not_null', 'true', 'false', 'unknown'];

// Longer names first: `gt` is the beginning of `gte`, `is` that of `isdistinct`.
const longestFirst = operatorNames.toSorted((a, b) => b.length - a.length);

const operationStart: Reader<OperationStart> = s => {
  const operator = s.oneOf(longestFirst);
  const start = operator && withArgument(operator, s);
  return start && delimiter(s) && start;
};

/** Reads the operator and the optional word in parentheses after it: `like(any)`, `fts(english)`. */
function withArgument(operator: Operation['operator'], s: Scanner): OperationStart {
  if (operator === 'in' || operator === 'is') return { operator };
  if (isTextSearch(operator)) {
    const configuration = inParentheses(identifier, s);
    return configuration === undefined ? { operator } : { operator, configuration };
  }
  if (!('quantifiable' in operators[operator])) return { operator };
  const quantifier = inParentheses(() => s.oneOf(quantifiers), s);
  return quantifier === undefined ? { operator } : { operator, quantifier };
}

const isTextSearch = (name: string): name is TextSearchOperatorName =>
  Object.hasOwn(textSearchOperators, name);

const inParentheses = <T>(read: Reader<T>, s: Scanner): T | undefined =>
  s.attempt(() => {
    const value = s.string('(') && read(s);
    return value !== undefined && s.string(')') ? value : undefined;
  });

function finish(start: OperationStart, operand: Reader<string>, s: Scanner): Operation | undefined {
  if (start.operator === 'in') {
    const values = s.attempt(emptyList) ?? list(s);
    return values && { operator: 'in', values };
  }
  if (start.operator === 'is') {
    const value = s.labelled(`isVal: (${isValues.join(', ')})`, () =>
      isValues.find(name => s.attempt(() => s.keyword(name))),
    );
    return value && { operator: 'is', value };
  }
  const value = operand(s);
  return value === undefined ? undefined : { ...start, value };
}

// `()` is a list without elements, while `(,)` has two empty ones.
const emptyList: Reader<string[]> = s => s.token('(') && s.token(')') && [];

const list: Reader<string[]> = s => {
  const values =
    s.token('(') &&
    s.separated(
      () => quotedElement(s) ?? s.run(/[^,)]*/uy),
      () => s.string(','),
    );
  return values && s.token(')') && values;
};
