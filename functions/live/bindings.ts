/** What a channel listens to: the `postgres_changes` of its join, checked against the schema and the caller's rights. */
import * as v from 'valibot';
import type { Collection } from '../../schema/collection.ts';
import { collections } from '../../schema/collections.ts';
import type { Caller } from '../caller/caller.ts';
import { limits } from '../common/limits.ts';
import { fail, ok, type Result } from '../common/result.ts';
import type { PlannedCondition } from '../plan/plan.ts';
import { planOutputs } from '../plan/plan-outputs.ts';
import { resolveField } from '../plan/resolve-field.ts';
import { tooMany } from '../request/excess.ts';
import { findUnexposed } from '../request/schema-name.ts';
import { type BindingFilter, everything, planFilter } from './filter.ts';
import { refuse } from './refuse.ts';

export type EventName = 'INSERT' | 'UPDATE' | 'DELETE';

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
type AskedBinding = v.InferOutput<typeof asked>;

/** Plans the whole list, as it came. A binding of all tables becomes one of each. */
export function planBindings(given: unknown, caller: Caller): Result<Binding[]> {
  if (Array.isArray(given) && given.length > limits.live.bindings) {
    return fail(tooMany('bindings of a channel', limits.live.bindings));
  }
  const list = v.safeParse(v.array(asked), given);
  if (!list.success) {
    const at = v.getDotPath(list.issues[0]);
    return refuse(`postgres_changes.${at} is not what a binding has: event, schema, table, filter, select`);
  }
  const bindings: Binding[] = [];
  for (const [index, one] of list.output.entries()) {
    const planned = planBinding(one, index + 1, caller);
    if (!planned.ok) {
      return planned;
    }
    bindings.push(...planned.value);
  }
  return ok(bindings);
}

function planBinding(given: AskedBinding, id: number, caller: Caller): Result<Binding[]> {
  const { event, schema, table = '*' } = given;
  const unexposed = findUnexposed(schema);
  if (unexposed) {
    return fail(unexposed);
  }
  const found = liveCollections.filter(({ name }) => table === '*' || name === table);
  if (found.length === 0) {
    return refuse(
      `There are no live updates of ${table}, but of ${liveCollections.map(({ name }) => name).join(', ')}`,
    );
  }
  const bindings: Binding[] = [];
  for (const collection of found) {
    const filter = given.filter ? planFilter(given.filter, collection, caller) : ok(everything);
    if (!filter.ok) {
      return filter;
    }
    const selection = planSelection(given.select ?? [], collection, caller);
    if (!selection.ok) {
      return selection;
    }
    bindings.push({ id, event, schema, collection, filter: filter.value, selection: selection.value });
  }
  return ok(bindings);
}

function planSelection(names: string[], collection: Collection, caller: Caller): Result<Selection> {
  if (names.length === 0) {
    const all = planOutputs([{ is: 'all' }], collection, caller);
    return all.ok ? ok({ text: '', columns: all.value.map(({ name }) => name) }) : all;
  }
  const columns = [...new Set(names)];
  for (const name of columns) {
    const field = resolveField({ name, path: [] }, collection, caller);
    if (!field.ok) {
      return field;
    }
  }
  return ok({ text: columns.join(), columns });
}

/** What is read of a collection's rows for several bindings: columns, and conditions by their text. */
export interface Reading {
  collection: Collection;
  columns: Set<string>;
  conditions: Map<string, PlannedCondition>;
}

/** The readings by the names of their collections. */
export type Readings = Map<string, Reading>;

export function readingsOf(bindings: Iterable<Binding>): Readings {
  const readings: Readings = new Map();
  for (const { collection, filter, selection } of bindings) {
    const reading = readings.get(collection.name) ?? {
      collection,
      columns: new Set(),
      conditions: new Map(),
    };
    readings.set(collection.name, reading);
    for (const column of selection.columns) {
      reading.columns.add(column);
    }
    for (const { text, planned } of filter.conditions) {
      reading.conditions.set(text, planned);
    }
  }
  return readings;
}
