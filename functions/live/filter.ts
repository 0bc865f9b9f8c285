/**
 * The filter of a binding, `status=eq.quoted,account_id=in.(…)`: conditions that all hold. Those on the account or the key
 * are compared here, since every page asks for its own; the others become conditions of the statement.
 */
import type { Collection } from '../../schema/collection.ts';
import type { Caller } from '../caller/caller.ts';
import { fail, ok, type Result } from '../common/result.ts';
import type { Failure } from '../failure/failure.ts';
import type { PlannedCondition, PlannedField } from '../plan/plan.ts';
import { resolveField } from '../plan/resolve-field.ts';
import { type FilterValue, filterValue, quotedElement } from '../request/filter.ts';
import { isComparison, operatorNames } from '../request/operators.ts';
import type { Operation } from '../request/request.ts';
import { parseWhole } from '../request/scanner.ts';
import { complaintOf } from './filter-value.ts';
import { refuse } from './refuse.ts';

type Comparison = Extract<PlannedCondition, { is: 'filter' }>;

export interface BindingFilter {
  keys: KeyCondition[];
  conditions: RowCondition[];
}

/** `account_id=eq.…`, `id=in.(…)`: which values of the account or of the key it takes. */
interface KeyCondition {
  of: 'account' | 'key';
  values: Set<string>;
  negated: boolean;
}

/** A condition on other columns, and its text, by which it is made once for all who have it. */
export interface RowCondition {
  text: string;
  planned: Comparison;
}

export const everything: BindingFilter = { keys: [], conditions: [] };

export function planFilter(text: string, collection: Collection, caller: Caller): Result<BindingFilter> {
  const filter: BindingFilter = { keys: [], conditions: [] };
  for (const part of splitFilter(text)) {
    const planned = planPart(part, collection, caller);
    if (!planned.ok) {
      return planned;
    }
    const key = keyCondition(planned.value, collection);
    if (key) {
      filter.keys.push(key);
    } else {
      filter.conditions.push({ text: part, planned: planned.value });
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

function planPart(text: string, collection: Collection, caller: Caller): Result<Comparison> {
  const [, name, value = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  if (name === undefined) {
    return refuse(`The filter "${text}" is not of the form column=operator.value`);
  }
  const filter = parseWhole<FilterValue>(
    'filter',
    value,
    filterValue(s => quotedElement(s) ?? s.run(/.*/suy)),
  );
  if (!filter.ok) {
    return fail<Failure>({ is: 'unparsable', error: filter.failure });
  }
  const field = resolveField({ name, path: [] }, collection, caller);
  if (!field.ok) {
    return field;
  }
  const { operation, negated } = filter.value;
  const complaint = complaintOfOperation(operation, field.value);
  return complaint === undefined
    ? ok({ is: 'filter', field: field.value, operation, negated })
    : refuse(`The filter "${text}" of live updates ${complaint}`);
}

/**
 * Returns why live updates don't take the operation; undefined if they do. They compare, and nothing else: each condition is
 * made for every row that its caller sees, in a reading that belongs to everybody.
 */
function complaintOfOperation(operation: Operation, { column, type }: PlannedField): string | undefined {
  const { operator } = operation;
  if (operation.operator === 'is') {
    const isTruth = operation.value !== 'null' && operation.value !== 'not_null';
    return isTruth && type.postgres !== 'boolean'
      ? `asks for the truth of ${column}, which is no boolean`
      : undefined;
  }
  if (!isComparison(operator) || ('quantifier' in operation && operation.quantifier)) {
    return `has the operator ${operator}${'quantifier' in operation && operation.quantifier ? `(${operation.quantifier})` : ''}, but only ${comparisons} and is are there`;
  }
  const values = 'values' in operation ? operation.values : [operation.value];
  const form = values.map(value => complaintOf(type, value)).find(found => found !== undefined);
  return form && `compares ${column} with what is not ${form}`;
}

const comparisons = operatorNames.filter(isComparison).join(', ');

function keyCondition(
  { field, operation, negated }: Comparison,
  collection: Collection,
): KeyCondition | undefined {
  const of =
    field.column === 'account_id' ? 'account' : field.column === collection.primaryKey ? 'key' : undefined;
  if (of === undefined) {
    return undefined;
  }
  if (operation.operator === 'in') {
    return { of, values: new Set(operation.values.map(canonical)), negated };
  }
  return operation.operator === 'eq' || operation.operator === 'neq'
    ? {
        of,
        values: new Set([canonical(operation.value)]),
        negated: negated !== (operation.operator === 'neq'),
      }
    : undefined;
}

/** Returns a key as Postgres writes it: a uuid in lower case, a whole number without zeros before it. */
const canonical = (value: string): string =>
  /^-?\d+$/.test(value) ? String(BigInt(value)) : value.toLowerCase();

/** Whether a row of this account and key may meet the filter, as far as these decide. */
export const meetsKeys = ({ keys }: BindingFilter, account: string, key: string): boolean =>
  keys.every(({ of, values, negated }) => values.has(of === 'account' ? account : key) !== negated);
