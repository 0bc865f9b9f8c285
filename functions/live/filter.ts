/**
 * The filter of a binding, `status=eq.quoted,account_id=in.(…)`: conditions that all hold. Those on the account or the key
 * are compared here, since every page asks for its own; the others are compared in the database.
 */
import * as v from 'valibot';
import type { Collection } from '../../schema/collection.ts';
import { type ColumnType, readFormatError } from '../../schema/column-type.ts';
import type { Caller } from '../caller/caller.ts';
import { fail, ok, type Result } from '../common/result.ts';
import type { Failure } from '../failure/failure.ts';
import { isShort } from '../plan/check-value.ts';
import { resolveField } from '../plan/resolve-field.ts';
import { type FilterValue, filterValue, quotedElement } from '../request/filter.ts';
import { isComparison, operatorNames } from '../request/operators.ts';
import type { Operation } from '../request/request.ts';
import { parseWhole } from '../request/scanner.ts';
import type { RowCondition } from '../statement/live.ts';

/** Returns the failure of a join that asks for what is not there, with the code that Postgres has for such a parameter. */
export const invalid = (message: string) =>
  fail<Failure>({ is: 'invalid value', sqlstate: '22023', message });

export interface BindingFilter {
  keys: KeyCondition[];
  /** Conditions on other columns, by their text. */
  conditions: Map<string, RowCondition>;
}

/** `account_id=eq.…`, `id=in.(…)`: which values of the account or of the key it takes. */
interface KeyCondition {
  of: 'account' | 'key';
  values: Set<string>;
  negated: boolean;
}

export const everything: BindingFilter = { keys: [], conditions: new Map() };

export function planFilter(text: string, collection: Collection, caller: Caller): Result<BindingFilter> {
  const filter: BindingFilter = { keys: [], conditions: new Map() };
  for (const part of splitFilter(text)) {
    const planned = planPart(part, collection, caller);
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

function planPart(text: string, collection: Collection, caller: Caller): Result<RowCondition> {
  const [, name, value = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  if (name === undefined) {
    return invalid(`The filter "${text}" is not of the form column=operator.value`);
  }
  const plain = filterValue(s => quotedElement(s) ?? s.run(/.*/suy));
  const filter = parseWhole<FilterValue>('filter', value, plain);
  if (!filter.ok) {
    return fail<Failure>({ is: 'unparsable', error: filter.failure });
  }
  const field = resolveField({ name, path: [] }, collection, caller);
  if (!field.ok) {
    return field;
  }
  const { operation, negated } = filter.value;
  const { column, type } = field.value;
  const complaint = complaintOf(operation, column, type) ?? complaintOfNull(filter.value, column, collection);
  return complaint === undefined
    ? ok({ column, operation, negated })
    : invalid(`The filter "${text}" of live updates ${complaint}`);
}

/** Returns why live updates don't take the operation, if they don't. They compare: each condition costs everybody time. */
function complaintOf(operation: Operation, column: string, type: ColumnType): string | undefined {
  const { operator } = operation;
  if (operation.operator === 'is') {
    const isTruth = operation.value !== 'null' && operation.value !== 'not_null';
    const isBoolean = type.postgres === 'boolean';
    return isTruth && !isBoolean ? `asks for the truth of ${column}, which is not a boolean` : undefined;
  }
  const quantifier = 'quantifier' in operation && operation.quantifier ? `(${operation.quantifier})` : '';
  if (!isComparison(operator) || quantifier !== '') {
    return `has the operator ${operator}${quantifier}. Available: ${comparisons}, is`;
  }
  const values = 'values' in operation ? operation.values : [operation.value];
  const isEquality = /^(?:eq|neq|in|isdistinct)$/.test(operator);
  const form = values.map(value => formOf(type, value, isEquality)).find(found => found !== undefined);
  return form && `compares ${column} with what is not ${form}`;
}

/** Returns why a column is not asked for null, if it never is. */
function complaintOfNull(filter: FilterValue, column: string, { columns }: Collection): string | undefined {
  const { operation, negated } = filter;
  const { nullable = true, neverNull = false } = columns[column] ?? {};
  const asked = negated ? 'not_null' : 'null';
  const isNeverMet = operation.operator === 'is' && operation.value === asked && (!nullable || neverNull);
  return isNeverMet ? `asks whether ${column} is null, which it never is` : undefined;
}

const comparisons = operatorNames.filter(isComparison).join(', ');

function keyCondition(condition: RowCondition, { primaryKey }: Collection): KeyCondition | undefined {
  const { column, operation, negated } = condition;
  const of = column === 'account_id' ? 'account' : column === primaryKey ? 'key' : undefined;
  if (of === undefined) {
    return undefined;
  }
  if (operation.operator === 'in') {
    return { of, values: new Set(operation.values.map(canonical)), negated };
  }
  if (operation.operator !== 'eq' && operation.operator !== 'neq') {
    return undefined;
  }
  const isNegated = negated !== (operation.operator === 'neq');
  return { of, values: new Set([canonical(operation.value)]), negated: isNegated };
}

/** Returns a key as Postgres writes it: a uuid in lower case, a whole number without zeros before it. */
const canonical = (value: string): string =>
  /^-?\d+$/.test(value) ? String(BigInt(value)) : value.toLowerCase();

/** Whether a row of this account and key may meet the filter, as far as these decide. */
export const meetsKeys = ({ keys }: BindingFilter, account: string, key: string): boolean =>
  keys.every(({ of, values, negated }) => values.has(of === 'account' ? account : key) !== negated);

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const day = /^(?!0000)\d{4}-\d\d-\d\d$/;
const time =
  /^(\d{4}-\d\d-\d\d)[T ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,6})?)?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/;

const isWhole = (value: string, bits: number): boolean =>
  isShort(value) && /^-?\d+$/.test(value) && BigInt.asIntN(bits, BigInt(value)) === BigInt(value);

/** Whether it is a date of the calendar, from the year 1 on. JavaScript takes 2026-02-30 for the second of March. */
const isDay = (value: string): boolean =>
  day.test(value) && new Date(`${value}T00:00:00Z`).toJSON()?.slice(0, value.length) === value;

/** By the type in Postgres: how a value is written in a filter, and whether one is. */
const forms: Record<string, [form: string, is: (value: string) => boolean]> = {
  uuid: ['a uuid', value => uuid.test(value)],
  integer: ['a whole number', value => isWhole(value, 32)],
  bigint: ['a whole number', value => isWhole(value, 64)],
  numeric: ['a number', value => isShort(value) && /^-?\d+(?:\.\d+)?$/.test(value)],
  boolean: ['true or false', value => value === 'true' || value === 'false'],
  date: ['a date as 2026-05-20', isDay],
  'timestamp with time zone': ['a time as 2026-05-20T10:00:00Z', value => isDay(time.exec(value)?.[1] ?? '')],
  text: ['a text', () => true],
  'character varying': ['a text', () => true],
};

/** Returns the form that a value compared with the type must have, unless it has it. Postgres refuses or never finds others. */
function formOf(type: ColumnType, value: string, isEquality: boolean): string | undefined {
  const { postgres, values, format } = type;
  const isEnumerated = values !== undefined && postgres.startsWith('builder.');
  const [form, is] = forms[isEnumerated ? 'text' : postgres] ?? notCompared;
  if (!is(value) || !value.isWellFormed() || value.includes('\0')) {
    return form;
  }
  const checked = isEquality || isEnumerated ? v.safeParse(format, value) : undefined;
  return checked?.issues && readFormatError(checked.issues[0].message).expected;
}

const notCompared: (typeof forms)[string] = ['null, by is.null: this column is not compared', () => false];
