/** What a channel wants: the `postgres_changes` of its join, checked against the schema and the caller's rights. */
import * as v from 'valibot';
import type { Collection } from '../../schema/collection.ts';
import { collections } from '../../schema/collections.ts';
import type { Caller } from '../caller/caller.ts';
import { memoizeBy } from '../common/memoize.ts';
import { combine, fail, ok, type Result } from '../common/result.ts';
import type { Failure } from '../failure/failure.ts';
import { planOutputs } from '../plan/plan-outputs.ts';
import { resolveField } from '../plan/resolve-field.ts';
import { tooMany } from '../request/excess.ts';
import { findUnexposed } from '../request/request.ts';
import type { RowReading } from '../statement/live.ts';
import type { EventName } from './feed.ts';
import { type BindingFilter, everything, invalid, planFilter } from './filter.ts';
import { liveLimits } from './limits.ts';

export interface Binding {
  id: number;
  /** `*` is all three. */
  event: EventName | '*';
  schema: string;
  collection: Collection;
  filter: BindingFilter;
  selection: Selection;
}

/** Columns of the record, and the text by which it is made once for all who want the same. */
export interface Selection {
  text: string;
  columns: string[];
  /** JSON: the name and the type of each column. */
  typesJson: string;
}

/** The collections whose changes the feed has. */
export const liveCollections = collections.filter(({ live }) => live);

const asked = v.looseObject({
  event: v.picklist(['*', 'INSERT', 'UPDATE', 'DELETE']),
  schema: v.string(),
  table: v.optional(v.string()),
  filter: v.nullish(v.string()),
  select: v.nullish(v.array(v.string())),
});

/** Plans the whole list, as it came. A binding of all tables becomes one of each. */
export function planBindings(given: unknown, caller: Caller): Result<Binding[]> {
  if (Array.isArray(given) && given.length > liveLimits.bindings) {
    return fail(tooMany('bindings of a channel', liveLimits.bindings));
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
        filter: filter ? planFilter(filter, collection, caller) : ok(everything),
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
  const all = planOutputs([{ is: 'all' }], collection, caller);
  if (!all.ok) {
    return all;
  }
  for (const name of names) {
    const field = resolveField({ name, path: [] }, collection, caller);
    if (!field.ok) {
      return field;
    }
  }
  const columns = names.length === 0 ? all.value.map(({ name }) => name) : [...new Set(names)];
  const text = names.length === 0 ? '' : columns.join();
  return ok({ text, columns, typesJson: typesJson(columns, collection) });
}

const typesJson = memoizeBy(
  (columns: string[], collection: Collection) =>
    JSON.stringify(columns.map(name => ({ name, type: typeName(collection, name) }))),
  ({ name }) => name,
);

/** Types as pg_type names them, by which clients convert. */
const typeNames: Record<string, string> = {
  'timestamp with time zone': 'timestamptz',
  'character varying': 'varchar',
  boolean: 'bool',
  integer: 'int4',
  bigint: 'int8',
  'text[]': '_text',
};

function typeName({ columns }: Collection, column: string): string {
  const { postgres = 'text' } = columns[column]?.type ?? {};
  return typeNames[postgres] ?? postgres.replace(/^builder\./, '');
}

/** Returns what is read for bindings of a user or of several, by the names of the collections. */
export function readingsOf(bindings: Iterable<Binding>): Map<string, RowReading> {
  const readings = new Map<string, RowReading>();
  for (const { collection, filter, selection } of bindings) {
    const { columns, conditions } = readings.get(collection.name) ?? { columns: [], conditions: new Map() };
    readings.set(collection.name, {
      collection,
      columns: [...new Set([...columns, ...selection.columns])],
      conditions: new Map([...conditions, ...filter.conditions]),
    });
  }
  return readings;
}

interface Subscribed {
  givenJson: string;
  bindings: readonly Binding[];
}

/** Returns the failure of a user who would have too much with this channel beside its others. */
export function findExcess(own: Subscribed, others: readonly Subscribed[]): Failure | undefined {
  const all = [...others, own];
  const bindings = all.flatMap(channel => channel.bindings);
  const length = all.reduce((sum, { givenJson }) => sum + givenJson.length, 0);
  const different = (textsOf: (binding: Binding) => string[]): number =>
    new Set(bindings.flatMap(binding => textsOf(binding).map(text => `${binding.collection.name} ${text}`)))
      .size;
  const conditions = different(({ filter }) => [...filter.conditions.keys()]);
  const selections = different(({ selection }) => [selection.text]);
  const counts: [what: string, count: number, limit: number][] = [
    ['characters in the bindings of a channel', own.givenJson.length, liveLimits.bindingsLength],
    ['channels of a user', all.length, liveLimits.channelsOfUser],
    ['bindings of a user', bindings.length, liveLimits.bindingsOfUser],
    ['characters in the bindings of a user', length, liveLimits.bindingsLengthOfUser],
    ['different filters of a caller', conditions, liveLimits.conditionsOfCaller],
    ['different lists of columns of a caller', selections, liveLimits.selectionsOfCaller],
  ];
  const exceeded = counts.find(([, count, limit]) => count > limit);
  return exceeded && tooMany(exceeded[0], exceeded[2]);
}
