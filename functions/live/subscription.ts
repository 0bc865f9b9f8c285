/** What a channel wants: the `postgres_changes` of its join, checked against the schema and the caller's rights. */
import * as v from 'valibot';
import type { Collection } from '../../schema/collection.ts';
import { collections } from '../../schema/collections.ts';
import { postgresType } from '../../schema/postgres-types.ts';
import type { Caller } from '../caller/caller.ts';
import type { Failure } from '../common/failure/failure.ts';
import { combine, fail, ok, type Result } from '../common/failure/result.ts';
import { kib } from '../common/limits.ts';
import { permittedColumns, resolveField } from '../rest/plan/resolve-field.ts';
import { tooMany } from '../rest/request/query-excess.ts';
import { findUnexposed } from '../rest/request/request.ts';
import { type BindingFilter, invalid, planFilter } from './binding-filter.ts';
import type { EventName } from './feed.ts';

/** Bindings. Beyond: a join fails with `CHANNEL_ERROR`. */
export const bindingLimits = {
  /** Bindings of a channel */
  bindings: 20,
  /** Channels of a user */
  channelsOfUser: 200,
  // Bindings of a user.
  bindingsOfUser: 2000,
  // Bindings of a channel, as JSON.
  bindingsLength: 16 * kib,
  // Bindings of a user, as JSON.
  bindingsLengthOfUser: 256 * kib,
  // Each is made for every row that the user sees.
  /** Different filters of a user */
  conditionsOfUser: 100,
  // Different lists of columns of a user.
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

/** Columns of the record, and the text by which it is made once for all who want the same. */
interface Selection {
  text: string;
  columns: string[];
  /** JSON: the name and the type of each column. */
  typesJson: string;
}

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
