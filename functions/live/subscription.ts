/**
 * What a channel wants: the `postgres_changes` of its join, checked against the schema and the caller's rights.
 *
 * A filter, `status=eq.quoted,account_id=in.(…)`, has conditions that all hold. Those on the account or the key are compared
 * here, since every page asks for its own; the others are compared in the database.
 */
import * as v from 'valibot';
import type { Collection } from '../../schema/collection.ts';
import { collections } from '../../schema/collections.ts';
import type { ColumnType } from '../../schema/column-type.ts';
import { readFormatError } from '../../schema/format-error.ts';
import { postgresType } from '../../schema/postgres-types.ts';
import type { Caller } from '../caller/caller.ts';
import type { Failure } from '../common/failure/failure.ts';
import { combine, fail, ok, type Result } from '../common/failure/result.ts';
import { kib } from '../common/limits.ts';
import { withPlusSigns } from '../rest/plan/check-value.ts';
import { keyText } from '../rest/plan/one-row.ts';
import { permittedColumns, resolveField } from '../rest/plan/resolve-field.ts';
import { tooMany } from '../rest/request/excess.ts';
import { type FilterValue, filterValue, quotedElement } from '../rest/request/filter.ts';
import { isComparison, operatorNames } from '../rest/request/operators.ts';
import { findUnexposed } from '../rest/request/request.ts';
import { parseWhole } from '../rest/request/scanner.ts';
import type { EventName } from './feed.ts';
import type { RowCondition } from './statements.ts';

/** Live updates: bindings. Beyond: a join fails with `CHANNEL_ERROR`. */
export const bindingLimits = {
  /** Bindings of a channel */
  bindings: 20,
  /** Channels of a user */
  channelsOfUser: 200,
  /** Bindings of a user */
  bindingsOfUser: 2000,
  /** Bindings of a channel, as JSON */
  bindingsLength: 16 * kib,
  /** Bindings of a user, as JSON */
  bindingsLengthOfUser: 256 * kib,
  // Each is made for every row that the user sees.
  /** Different filters of a user */
  conditionsOfUser: 100,
  /** Different lists of columns of a user */
  selectionsOfUser: 10,
} as const;

export interface Binding {
  id: number;
  /** `*` is all three. */
  event: EventName | '*';
  schema: string;
  collection: Collection;
  filter: BindingFilter;
  selection: Selection;
}

interface BindingFilter {
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

/** Columns of the record, and the text by which it is made once for all who want the same. */
interface Selection {
  text: string;
  columns: string[];
  /** JSON: the name and the type of each column. */
  typesJson: string;
}

/** Returns the failure of a join that asks for what is not there, with the code that Postgres has for such a parameter. */
export const invalid = (message: string) =>
  fail<Failure>({ is: 'invalid value', sqlstate: '22023', message });

/** The collections whose changes the feed has. */
const liveCollections = collections.filter(({ live }) => live);

const asked = v.looseObject({
  event: v.picklist(['*', 'INSERT', 'UPDATE', 'DELETE']),
  schema: v.string(),
  table: v.optional(v.string()),
  filter: v.nullish(v.string()),
  select: v.nullish(v.array(v.string())),
});

/** Plans the whole list, as it came. A binding of all tables becomes one of each. */
export function planBindings(given: unknown, caller: Caller): Result<Binding[]> {
  if (Array.isArray(given) && given.length > bindingLimits.bindings) {
    return fail(tooMany('bindings of a channel', bindingLimits.bindings));
  }
  const list = v.safeParse(v.array(asked), given);
  if (!list.success) {
    const path = ['postgres_changes', v.getDotPath(list.issues[0]) ?? []].flat().join('.');
    return invalid(
      `${path} is not part of a binding, which has event (*, INSERT, UPDATE or DELETE), schema, table, filter and select`,
    );
  }
  const bindings: Binding[] = [];
  for (const [index, { event, schema, table = '*', filter, select }] of list.output.entries()) {
    const unexposed = findUnexposed(schema);
    if (unexposed) {
      return fail(unexposed);
    }
    const found = liveCollections.filter(({ name }) => table === '*' || name === table);
    if (found.length === 0) {
      const available = liveCollections.map(({ name }) => name).join(', ');
      return invalid(`${table} has no live updates. Available: ${available}`);
    }
    for (const collection of found) {
      const planned = combine({
        filter: planFilter(filter ?? '', collection, caller),
        selection: planSelection(select ?? [], collection, caller),
      });
      if (!planned.ok) {
        return planned;
      }
      bindings.push({ id: index + 1, event, schema, collection, ...planned.value });
    }
  }
  return ok(bindings);
}

function planSelection(names: string[], collection: Collection, caller: Caller): Result<Selection> {
  for (const name of names) {
    const field = resolveField({ name, path: [] }, collection, caller);
    if (!field.ok) {
      return field;
    }
  }
  const columns = names.length === 0 ? permittedColumns(collection, caller, 'select') : [...new Set(names)];
  const types = columns.map(name => ({
    name,
    type: postgresType(collection.columns[name]?.type.postgres ?? 'text').typname,
  }));
  return ok({ text: names.length === 0 ? '' : columns.join(), columns, typesJson: JSON.stringify(types) });
}

interface Subscribed {
  /** Characters of its bindings, as JSON. */
  length: number;
  bindings: readonly Binding[];
}

/** Returns the failure of a user who would have too much with this channel beside its others. */
export function findBindingExcess(own: Subscribed, others: readonly Subscribed[]): Failure | undefined {
  const all = [...others, own];
  const bindings = all.flatMap(channel => channel.bindings);
  const length = all.reduce((sum, channel) => sum + channel.length, 0);
  const conditions = bindings.flatMap(({ collection: { name }, filter }) =>
    [...filter.conditions.keys()].map(text => `${name} ${text}`),
  );
  const selections = bindings.map(({ collection: { name }, selection }) => `${name} ${selection.text}`);
  const counts: [what: string, count: number, limit: number][] = [
    ['characters in the bindings of a channel', own.length, bindingLimits.bindingsLength],
    ['channels of a user', all.length, bindingLimits.channelsOfUser],
    ['bindings of a user', bindings.length, bindingLimits.bindingsOfUser],
    ['characters in the bindings of a user', length, bindingLimits.bindingsLengthOfUser],
    ['different filters of a user', new Set(conditions).size, bindingLimits.conditionsOfUser],
    ['different lists of columns of a user', new Set(selections).size, bindingLimits.selectionsOfUser],
  ];
  const exceeded = counts.find(([, count, limit]) => count > limit);
  return exceeded && tooMany(exceeded[0], exceeded[2]);
}

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
    ? ok({ column, negated, operation })
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

function keyCondition(condition: RowCondition, { primaryKey }: Collection): KeyCondition | undefined {
  const { column, operation, negated } = condition;
  const isKey = column === primaryKey;
  if (!isKey && column !== 'account_id') {
    return undefined;
  }
  const of = isKey ? 'key' : 'account';
  switch (operation.operator) {
    case 'in':
      return { of, values: new Set(operation.values.map(keyText)), negated };
    case 'eq':
      return { of, values: new Set([keyText(operation.value)]), negated };
    case 'neq':
      return { of, values: new Set([keyText(operation.value)]), negated: !negated };
    default:
      return undefined;
  }
}

/** Whether a row of this account and key may meet the filter, as far as these decide. */
export const meetsKeys = ({ keys }: BindingFilter, account: string, key: string): boolean =>
  keys.every(({ of, values, negated }) => values.has(keyText(of === 'account' ? account : key)) !== negated);

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
