/**
 * The filter of a binding, `status=eq.quoted,account_id=in.(…)`: conditions that all hold. Those on the account or the key
 * are compared here, since every page asks for its own; the others become conditions of the statement.
 */
import type { Collection } from '../../schema/collection.ts';
import type { Caller } from '../caller/caller.ts';
import { combine, fail, ok, type Result } from '../common/result.ts';
import type { Failure } from '../failure/failure.ts';
import type { PlannedCondition } from '../plan/plan.ts';
import { planConditions } from '../plan/plan-conditions.ts';
import { findCostly } from '../plan/work.ts';
import { type FilterValue, filterValue, quotedElement } from '../request/filter.ts';
import { parseWhole } from '../request/scanner.ts';

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
  planned: PlannedCondition;
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
  const conditions = filter.conditions.map(({ planned }) => planned);
  const costly = findCostly({ outputs: [], order: [], conditions });
  return costly ? fail(costly) : ok(filter);
}

/** At commas that are neither in quotes nor in parentheses, where another `column=` follows. */
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

function planPart(text: string, collection: Collection, caller: Caller): Result<PlannedCondition> {
  const [, name, value = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  if (name === undefined) {
    return refuse(`The filter "${text}" is not of the form column=operator.value`);
  }
  if (text.includes('\0')) {
    return fail<Failure>({ is: 'nul character' });
  }
  const filter = parseWhole<FilterValue>(
    'filter',
    value,
    filterValue(s => quotedElement(s) ?? s.run(/.*/suy)),
  );
  if (!filter.ok) {
    return fail<Failure>({ is: 'unparsable', error: filter.failure });
  }
  const planned = planConditions(
    [{ is: 'filter', field: { name, path: [] }, ...filter.value }],
    collection,
    caller,
  );
  const parts = combine({ planned });
  const [condition] = parts.ok ? parts.value.planned : [];
  return condition ? ok(condition) : (parts as Result<never>);
}

const refuse = (message: string) => fail<Failure>({ is: 'invalid value', sqlstate: '22023', message });

function keyCondition(condition: PlannedCondition, collection: Collection): KeyCondition | undefined {
  if (condition.is !== 'filter') {
    return undefined;
  }
  const { field, operation, negated } = condition;
  const of =
    field.column === 'account_id' ? 'account' : field.column === collection.primaryKey ? 'key' : undefined;
  const values =
    operation.operator === 'in'
      ? operation.values
      : (operation.operator === 'eq' || operation.operator === 'neq') && !operation.quantifier
        ? [operation.value]
        : undefined;
  const written = values?.map(value => canonical(value, field.type.postgres));
  if (of === undefined || written === undefined || written.includes(undefined)) {
    return undefined;
  }
  return { of, values: new Set(written as string[]), negated: negated !== (operation.operator === 'neq') };
}

/** A key as Postgres writes it; undefined when that is for Postgres to say. */
function canonical(value: string, type: string): string | undefined {
  if (type === 'uuid') {
    return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value) ? value.toLowerCase() : undefined;
  }
  return type === 'bigint' && /^(?:0|-?[1-9]\d{0,17})$/.test(value) ? value : undefined;
}

/** Whether a row of this account and key may meet the filter, as far as these decide. */
export const meetsKeys = ({ keys }: BindingFilter, account: string, key: string): boolean =>
  keys.every(({ of, values, negated }) => values.has(of === 'account' ? account : key) !== negated);
