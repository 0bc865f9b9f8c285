/**
 * The filter of a binding, `status=eq.quoted,account_id=in.(…)`: conditions that all hold. Those on the account or the key are
 * compared here, since every page asks for its own; the others are compared in the database.
 */
import * as v from 'valibot';
import type { Collection } from '../../schema/collection.ts';
import type { ColumnType } from '../../schema/column-type.ts';
import { readFormatError } from '../../schema/format-error.ts';
import { postgresType } from '../../schema/postgres-types.ts';
import type { Caller } from '../caller/caller.ts';
import type { Failure } from '../common/failure/failure.ts';
import { fail, ok, type Result } from '../common/failure/result.ts';
import { withPlusSigns } from '../rest/plan/check-value.ts';
import { keyText } from '../rest/plan/one-row.ts';
import { resolveField } from '../rest/plan/resolve-field.ts';
import { type FilterValue, filterValue, quotedElement } from '../rest/request/filter.ts';
import { isComparison, operatorNames } from '../rest/request/operators.ts';
import { parseWhole } from '../rest/request/scanner.ts';
import type { RowCondition } from './statements.ts';

export interface BindingFilter {
  keys: KeyCondition[];
  /** Conditions on other columns, by their text. */
  conditions: Map<string, RowCondition>;
}

/** `account_id=eq.…`, `id=in.(…)`: which values of the account or of the key it takes. */
interface KeyCondition {
  of: 'account' | 'key';
  values: Set<string>;
  /** Returns a value in Postgres's spelling. */
  text: (value: string) => string;
  negated: boolean;
}

/** Returns the failure of a join that asks for what is not there, with the code that Postgres has for such a parameter. */
export const invalid = (message: string) =>
  fail<Failure>({ is: 'invalid value', sqlstate: '22023', message });

/** Plans a filter; an empty one is met by every row. */
export function planFilter(text: string, collection: Collection, caller: Caller): Result<BindingFilter> {
  const filter: BindingFilter = { keys: [], conditions: new Map() };
  for (const part of text === '' ? [] : splitFilter(text)) {
    const planned = planCondition(part, collection, caller);
    if (!planned.ok) {
      return planned;
    }
    const key = keyCondition(planned.value, collection);
    if (key) {
      filter.keys.push(key);
    } else {
      filter.conditions.set(part, planned.value);
    }
  }
  return ok(filter);
}

/** Splits it at commas that are neither in quotes nor in parentheses, where another `column=` follows. */
function splitFilter(text: string): string[] {
  const parts: string[] = [];
  let [start, depth, isQuoted] = [0, 0, false];
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '\\' && isQuoted) {
      at += 1;
    } else if (character === '"') {
      isQuoted = !isQuoted;
    } else if (!isQuoted && character === '(') {
      depth += 1;
    } else if (!isQuoted && character === ')') {
      depth -= 1;
    } else if (!isQuoted && depth === 0 && character === ',' && /^\w+=/.test(text.slice(at + 1))) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)];
}

function planCondition(text: string, collection: Collection, caller: Caller): Result<RowCondition> {
  const [, name, value = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  if (name === undefined) {
    return invalid(`The filter "${text}" is not of the form column=operator.value`);
  }
  const plain = filterValue(s => quotedElement(s) ?? s.rest());
  const filter = parseWhole<FilterValue>('filter', value, plain);
  if (!filter.ok) {
    return fail<Failure>({ is: 'unparsable', parameter: name, error: filter.failure });
  }
  const field = resolveField({ name, path: [] }, collection, caller);
  if (!field.ok) {
    return field;
  }
  const { column, type } = field.value;
  const { negated } = filter.value;
  const operation = withPlusSigns(type, filter.value.operation);
  const complaint = complaintOf({ negated, operation }, column, type, collection);
  return complaint === undefined
    ? ok({ is: 'filter', field: field.value, negated, operation })
    : invalid(`The filter "${text}" of live updates ${complaint}`);
}

/** Returns why live updates don't take a filter, if they don't. They compare: each condition costs everybody time. */
function complaintOf(filter: FilterValue, column: string, type: ColumnType, { columns }: Collection) {
  const { operation, negated } = filter;
  const { operator } = operation;
  if (operation.operator === 'is') {
    if (operation.value === 'null' || operation.value === 'not_null') {
      const { nullable = true, neverNull = false } = columns[column] ?? {};
      const isNever = negated === (operation.value === 'not_null') && (!nullable || neverNull);
      return isNever ? `asks whether ${column} is null, which it never is` : undefined;
    }
    const isBoolean = postgresType(type.postgres).kind === 'boolean';
    return isBoolean ? undefined : `asks for the truth of ${column}, which is not a boolean`;
  }
  const quantifier = 'quantifier' in operation && operation.quantifier ? `(${operation.quantifier})` : '';
  if (!isComparison(operator) || quantifier !== '') {
    const available = operatorNames.filter(isComparison).join(', ');
    return `has the operator ${operator}${quantifier}. Available: ${available}, is`;
  }
  const values = 'values' in operation ? operation.values : [operation.value];
  const isEquality = /^(?:eq|neq|in|isdistinct)$/.test(operator);
  const form = values.map(value => formOf(type, value, isEquality)).find(found => found !== undefined);
  return form && `compares ${column} with what is not ${form}`;
}

function keyCondition(
  condition: RowCondition,
  { columns, primaryKey, owner }: Collection,
): KeyCondition | undefined {
  const { field, operation, negated } = condition;
  const isKey = field.column === primaryKey;
  if (!isKey && field.column !== owner?.column) {
    return undefined;
  }
  const of = isKey ? 'key' : 'account';
  const text = (value: string) => keyText(value, columns[field.column]);
  switch (operation.operator) {
    case 'in':
      return { of, values: new Set(operation.values.map(text)), text, negated };
    case 'eq':
      return { of, values: new Set([text(operation.value)]), text, negated };
    case 'neq':
      return { of, values: new Set([text(operation.value)]), text, negated: !negated };
    default:
      return undefined;
  }
}

/** Whether a row of this account and key may meet the filter, as far as these decide. */
export const meetsKeys = ({ keys }: BindingFilter, account: string, key: string): boolean =>
  keys.every(
    ({ of, values, text, negated }) => values.has(text(of === 'account' ? account : key)) !== negated,
  );

/** Returns the form that a value compared with the type must have, unless it has it. Postgres refuses or never finds others. */
function formOf(type: ColumnType, value: string, isEquality: boolean): string | undefined {
  const { kind, format } = postgresType(type.postgres);
  if (kind === 'json' || kind === 'array') {
    return 'null, by is.null: this column is not compared';
  }
  if (!value.isWellFormed() || value.includes('\0')) {
    return 'a text';
  }
  const { issues } = v.safeParse(isEquality || kind === 'enum' ? type.format : format, value);
  return issues && readFormatError(issues[0].message).expected;
}
