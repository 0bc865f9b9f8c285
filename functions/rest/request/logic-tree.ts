/**
 * Conditions joined by `and` and `or`: `or=(a.eq.1,not.and(b.is.null,c.gt.2))`
 * (https://docs.postgrest.org/en/stable/references/api/tables_views.html#logical-operators). It parses the nesting; the
 * plan stage checks the columns.
 */

import type { ParseError } from '../../common/failure/parse-error.ts';
import type { Result } from '../../common/failure/result.ts';
import { delimiter, field, fieldName } from './field.ts';
import { filterValue, quotedElement } from './filter.ts';
import type { Condition, Filter, LogicTree } from './request.ts';
import { parseWhole, type Reader } from './scanner.ts';

type LogicOperator = 'and' | 'or' | 'not.and' | 'not.or';

/** The scope of a logic key: conditions on the collection's rows, or on an embedded resource (`items.or`). */
type LogicKey = { is: 'logic'; operator: LogicOperator } | { is: 'embedding'; name: string };

/** Parses a query-string key like `or` or `not.and`; undefined for any other key. */
export function parseLogicKey(key: string): LogicKey | undefined {
  if (isLogicOperator(key)) return { is: 'logic', operator: key };
  if (!/\.(and|or)$/.test(key)) return undefined;
  const names = parseWhole('logic path', key, s => s.separated(fieldName, delimiter));
  // PostgREST accepts `not` anywhere in the key: `not.items.or` and `items.not.or` are the same.
  const resources = names.ok ? names.value.slice(0, -1) : [];
  const name = resources.find(name => name !== 'not') ?? resources[0];
  return name === undefined ? undefined : { is: 'embedding', name };
}

/**
 * Parses the value of a logic key, `(a.eq.1,or(…))`. `operator` is the key. PostgREST parses key and value together, so
 * the column number of an error includes the key, although the text shown does not.
 */
export const parseLogicTree = (operator: string, text: string): Result<LogicTree, ParseError> =>
  parseWhole('logic tree', operator + text, logicTree, text);

const isLogicOperator = (key: string): key is LogicOperator => /^(not\.)?(and|or)$/.test(key);

const logicTree: Reader<LogicTree> = s => {
  const negated = s.labelled(
    'negation operator (not)',
    () => s.attempt(() => s.string('not') && delimiter(s)) === true,
  );
  const is = s.labelled('logic operator (and, or)', () => s.oneOf(['and', 'or']));
  const conditions = is && s.nested(conditionList);
  return is && conditions && { is, negated: negated === true, conditions };
};

const conditionList: Reader<Condition[]> = s => {
  const conditions =
    s.token('(') &&
    s.separated(
      () => s.firstOf<Condition>(() => s.attempt(filter), logicTree),
      () => s.token(','),
    );
  return conditions && s.token(')') && conditions;
};

const filter: Reader<Filter> = s => {
  const column = field(s);
  const value = column && delimiter(s) && filterValue(operand)(s);
  return column && value && { is: 'filter', field: column, ...value };
};

/** Ends at the next comma or closing parenthesis, unless it is quoted or an array literal: `cs.{a,b}`. */
const operand: Reader<string> = s => quotedElement(s) ?? s.attempt(arrayLiteral) ?? s.run(/[^,)]*/uy);

const arrayLiteral: Reader<string> = s => {
  const elements = s.string('{') && s.run(/[^{}]*/uy);
  return elements !== undefined && s.string('}') ? `{${elements}}` : undefined;
};
