/** `order=` → the columns to sort by. */
import type { Collection } from '../../../schema/collection.ts';
import type { Caller } from '../../caller/caller.ts';
import type { Failure } from '../../common/failure/failure.ts';
import { fail, ok, type Result } from '../../common/failure/result.ts';
import type { OrderTerm } from '../request/request.ts';
import { findPart } from './parts.ts';
import { hasAggregates } from './plan-outputs.ts';
import type { Output, Part, PlannedField, PlannedOrder } from './planned.ts';
import { findColumn, resolveField } from './resolve-field.ts';

export function planOrder(
  terms: OrderTerm[],
  collection: Collection,
  caller: Caller,
  parts: Part[],
): Result<PlannedOrder[]> {
  const planned: PlannedOrder[] = [];
  for (const term of terms) {
    const of = term.embedded === undefined ? ok(undefined) : relatedRow(term.embedded, collection, parts);
    if (!of.ok) {
      return of;
    }
    const field = resolveField(term.field, of.value?.collection ?? collection, caller);
    if (!field.ok) {
      return field;
    }
    // A repeated column does not affect the order, but would lengthen the link to the next page.
    if (planned.some(earlier => earlier.of?.[0] === of.value && isSame(earlier.field, field.value))) {
      continue;
    }
    planned.push({
      ...(of.value && { of: [of.value] as [Part] }),
      field: field.value,
      ...(term.direction && { direction: term.direction }),
      ...(term.nulls && { nulls: term.nulls }),
    });
  }
  return ok(planned);
}

/** Returns the part whose one row has a column to order by. */
function relatedRow(name: string, { name: collection }: Collection, parts: Part[]): Result<Part> {
  const part = findPart(parts, name);
  if (part === undefined) {
    return fail<Failure>({ is: 'not embedded', name });
  }
  return part.relation.is === 'many'
    ? fail<Failure>({ is: 'order by many', collection, name, key: part.collection.primaryKey })
    : ok(part);
}

const isSame = (one: PlannedField, other: PlannedField): boolean =>
  one.column === other.column && JSON.stringify(one.path) === JSON.stringify(other.path);

/**
 * Adds the primary key to the order, to make it unique. Otherwise equal rows may swap between two pages, and the client
 * would miss some. Groups have no key.
 */
export function breakTies(
  order: PlannedOrder[],
  outputs: Output[],
  collection: Collection,
  when: 'ordered' | 'always' = 'ordered',
): PlannedOrder[] {
  const { primaryKey } = collection;
  const column = findColumn(collection, primaryKey);
  const needsNoKey =
    (order.length === 0 && when === 'ordered') ||
    order.some(({ of, field }) => !of && field.column === primaryKey && field.path.length === 0) ||
    hasAggregates(outputs);
  return needsNoKey || !column
    ? order
    : [...order, { field: { column: primaryKey, type: column.type, path: [] } }];
}

/**
 * Returns the columns of the order up to the primary key, if none is ever null, so that a filter on them can express "after
 * this row". Undefined for any other order, and for groups.
 */
export function planKeyset(
  outputs: Output[],
  order: PlannedOrder[],
  collection: Collection,
): PlannedOrder[] | undefined {
  const end = order.findIndex(({ of, field }) => !of && field.column === collection.primaryKey);
  const keyset = order.slice(0, end + 1);
  const isComparable = keyset.every(({ of, field }) => {
    const column = findColumn(collection, field.column);
    return !of && field.path.length === 0 && (column?.nullable === false || column?.neverNull);
  });
  return end >= 0 && isComparable && !hasAggregates(outputs) ? keyset : undefined;
}
