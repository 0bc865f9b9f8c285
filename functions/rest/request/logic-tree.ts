/**
 * Conditions joined by `and` and `or`: `or=(a.eq.1,not.and(b.is.null,c.gt.2))`
 * (https://docs.postgrest.org/en/stable/references/api/tables_views.html#logical-operators). It parses the nesting; the
 * plan stage checks the columns.
 */

import type { ParseError } from '../../common/failure/parse-error.ts';
import type { Result } from '../../common/failure/result.ts';
import { field, parseNames } from './field.ts';
import { filterValue, quotedElement } from './filter.ts';
import type { Condition, Filter, LogicTree } from './request.ts';
import { comma, parseWhole, type Reader, type Scanner } from './scanner.ts';

type LogicOperator = 'and' | 'or' | 'not.and' | 'not.or';

/** The key of conditions on the collection's rows, or on embedded rows (`items.or`). */
interface LogicKey {
  embedded: string[];
  operator: LogicOperator;
}

/** Parses a query-string key like `or` or `not.and`; undefined for any other key. */
export function parseLogicKey(key: string): LogicKey | undefined {
  if (isLogicOperator(key)) return { embedded: [], operator: key };
  if (!/\.(and|or)$/.test(key)) return undefined;
  const names = parseNames(key);
  if (!names.ok) return undefined;
  // As in PostgREST, `not` may be anywhere in the key: `not.items.or` and `items.not.or` are the same.
  const embedded = names.value.filter(name => name !== 'not');
  const operator = embedded.pop() === 'and' ? 'and' : 'or';
  return { embedded, operator: embedded.length + 1 < names.value.length ? `not.${operator}` : operator };
}

/** Parses the value of a logic key, `(a.eq.1,or(…))`. */
export const parseLogicTree = (operator: LogicOperator, text: string): Result<LogicTree, ParseError> =>
  parseWhole('conditions', text, s => logicTree(operator, s));

const isLogicOperator = (key: string): key is LogicOperator => /^(not\.)?(and|or)$/.test(key);

function logicTree(operator: LogicOperator, s: Scanner): LogicTree | undefined {
  const conditions = s.nested(conditionList);
  return (
    conditions && {
      is: operator.endsWith('and') ? 'and' : 'or',
      negated: operator.startsWith('not'),
      conditions,
    }
  );
}

const conditionList: Reader<Condition[]> = s => {
  const conditions = s.expectSpaced('(') && s.list(condition, comma);
  return conditions && s.expectSpaced(')', '"," or ")"') && conditions;
};

const condition: Reader<Condition> = s => {
  const operator = s.attempt(logicOperator);
  return operator ? logicTree(operator, s) : filter(s);
};

/** Reads the operator before a parenthesis: `and` may also be a column. */
const logicOperator: Reader<LogicOperator> = s => {
  const name = s.take(/(?:not\.)?(?:and|or)/y);
  return name !== undefined && isLogicOperator(name) && s.isAt(/[ \t]*\(/y) ? name : undefined;
};

const filter: Reader<Filter> = s => {
  const column = field(s);
  const value = column && s.expect('.') && filterValue(operand)(s);
  return column && value && { is: 'filter', field: column, ...value };
};

/** Ends at the next comma or closing parenthesis, unless it is quoted or an array literal: `cs.{a,b}`. */
const operand: Reader<string> = s => quotedElement(s) ?? s.take(/\{[^{}]*\}/y) ?? s.take(/[^,)]*/uy);
