/** `select=` → the columns of the response and the rows embedded in it: each part is a plan of its own. */
import type { Collection } from '../../../schema/collection.ts';
import { type Relation, relationsOf } from '../../../schema/relations.ts';
import type { Caller } from '../../caller/caller.ts';
import type { Failure } from '../../common/failure/failure.ts';
import { combine, fail, ok, type Result } from '../../common/failure/result.ts';
import { limits } from '../../common/limits.ts';
import { tooMany, tooManyLevels } from '../request/query-excess.ts';
import type { Embedding, Scope, SelectItem } from '../request/request.ts';
import { nearest } from './nearest.ts';
import { findPart, requireInner } from './parts.ts';
import { planFilters } from './plan-conditions.ts';
import { breakTies, planOrder } from './plan-order.ts';
import { allColumns, hasAggregates, isUsable, planOutput } from './plan-outputs.ts';
import type { Output, Part } from './planned.ts';
import { permittedColumns } from './resolve-field.ts';

/** Whose columns are selected. */
interface Selected {
  collection: Collection;
  caller: Caller;
  /** Maximum number of rows of each list. */
  maxRows: number;
  /** The collections that may be related to it. */
  collections: readonly Collection[];
  /** The scopes of its embedded rows. */
  embedded: Scope['embedded'];
  /** The level of its embedded rows. */
  level: number;
}

interface PlannedSelect {
  outputs: Output[];
  parts: Part[];
}

const noScope: Omit<Scope, 'range'> & Partial<Scope> = { conditions: [], order: [], embedded: new Map() };

/** Plans what a response has of each row. */
export function planSelect(items: SelectItem[], selected: Selected): Result<PlannedSelect> {
  const outputs: Output[] = [];
  const parts: Part[] = [];
  for (const item of items) {
    const planned = planItem(item, selected);
    if (!planned.ok) {
      return planned;
    }
    outputs.push(...planned.value.outputs);
    parts.push(...planned.value.parts);
  }
  const failure = findUnusable({ outputs, parts }, selected);
  return failure ? fail(failure) : ok({ outputs, parts });
}

function findUnusable({ outputs, parts }: PlannedSelect, { embedded }: Selected): Failure | undefined {
  if (outputs.length > limits.query.outputs) {
    return tooMany('columns to select', limits.query.outputs);
  }
  const names = parts.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) {
    return { is: 'embedded twice', name: twice };
  }
  const embeddedHere = outputs.find(({ part }) => part !== undefined);
  if (embeddedHere && hasAggregates(outputs)) {
    const isOne = embeddedHere.part?.relation.is === 'one';
    return { is: 'embedding in groups', name: embeddedHere.name, isOne };
  }
  const name = [...embedded.keys()].find(key => findPart(parts, key) === undefined);
  return name === undefined ? undefined : { is: 'not embedded', name };
}

function planItem(item: SelectItem, selected: Selected): Result<PlannedSelect> {
  const { collection, caller } = selected;
  if (item.is === 'all') {
    return ok({ outputs: allColumns(collection, caller), parts: [] });
  }
  if (item.is !== 'embedding') {
    const output = planOutput(item, collection, caller);
    return output.ok ? ok({ outputs: [output.value], parts: [] }) : output;
  }
  const planned = planPart(item, selected);
  if (!planned.ok) {
    return planned;
  }
  if (item.spread) {
    const part = { ...planned.value, outputs: [] };
    const outputs = planned.value.outputs.map(output => ({ ...output, of: [part, ...(output.of ?? [])] }));
    return ok({ outputs, parts: [part] });
  }
  const part = planned.value;
  // Without columns, it only filters.
  return ok({ outputs: item.select.length === 0 ? [] : [{ name: part.name, part }], parts: [part] });
}

function planPart(item: Embedding, selected: Selected): Result<Part> {
  const { collection: from, caller, maxRows, level } = selected;
  if (level > limits.query.embeddedLevels) {
    return fail(tooManyLevels);
  }
  const found = findRelation(relationsOf(from, selected.collections), from, item);
  if (!found.ok) {
    return found;
  }
  const relation = found.value;
  const { to: collection } = relation;
  if (permittedColumns(collection, caller, 'select').length === 0) {
    return fail<Failure>({
      is: 'forbidden table',
      collection: collection.name,
      authenticated: caller.kind !== 'anon',
    });
  }
  const { name: relationName, alias: name = relationName } = item;
  if (!isUsable(name)) {
    return fail<Failure>({ is: 'unusable name', name });
  }
  const scope = selected.embedded.get(name) ?? selected.embedded.get(relationName) ?? noScope;
  const select = planSelect(item.select, {
    ...selected,
    collection,
    embedded: scope.embedded,
    level: level + 1,
  });
  if (!select.ok) {
    return select;
  }
  const { outputs, parts } = select.value;
  const planned = combine({
    conditions: planFilters(scope.conditions, collection, caller, parts),
    order: planOrder(scope.order, collection, caller, parts),
  });
  if (!planned.ok) {
    return planned;
  }
  const { conditions, order } = planned.value;
  const { offset = 0, limit = Number.POSITIVE_INFINITY } = scope.range ?? {};
  return ok({
    name,
    relationName,
    relation,
    collection,
    caller,
    level,
    inner: item.inner,
    outputs,
    parts,
    conditions: [...conditions, ...requireInner(parts)],
    order: breakTies(order, outputs, collection, 'always'),
    range: { offset, limit: Math.min(limit, maxRows) },
    isCapped: relation.is === 'many' && limit > maxRows,
  });
}

/** Finds the relation that an item embeds: by the other collection, or by the column or the constraint of the foreign key. */
function findRelation(
  relations: Relation[],
  collection: Collection,
  { name, hint, spread }: Embedding,
): Result<Relation> {
  const namesOf = ({ is, to, reference }: Relation): string[] => [
    to.name,
    reference.constraint,
    ...(is === 'one' ? [reference.column] : []),
  ];
  const matching = relations.filter(
    one =>
      namesOf(one).includes(name) &&
      (hint === undefined || [one.reference.constraint, one.column, one.otherColumn].includes(hint)),
  );
  // A reference of a collection to itself is two relations: the rows that refer to a row, unless the column is named.
  const toSelf = matching.filter(({ is, to }) => to.name === collection.name && is === 'many');
  const [relation, ...others] = toSelf.length === 1 && matching.length === 2 ? toSelf : matching;
  if (others.length > 0) {
    const hints = matching.map(one => `${one.to.name}!${one.reference.constraint}`);
    return fail<Failure>({
      is: 'ambiguous relation',
      collection: collection.name,
      name,
      hints: [...new Set(hints)],
    });
  }
  if (relation === undefined) {
    const known = [...new Set(relations.map(({ to }) => to.name))];
    return fail<Failure>({
      is: 'unknown relation',
      collection: collection.name,
      name,
      ...(hint !== undefined && { using: hint }),
      known,
      nearest: nearest(name, known),
    });
  }
  return spread && relation.is === 'many'
    ? fail<Failure>({ is: 'spread of many', collection: collection.name, name })
    : ok(relation);
}
