/** order= → columns to sort by. */
import type { Collection } from '../../schema/collection.ts';
import type { Caller } from '../caller/caller.ts';
import { fail, ok, type Result } from '../common/result.ts';
import type { Failure } from '../failure/failure.ts';
import type { OrderTerm } from '../request/request.ts';
import type { Output, PlannedField, PlannedOrder } from './plan.ts';
import { findColumn, resolveField } from './resolve-field.ts';

export function planOrder(
  terms: OrderTerm[],
  collection: Collection,
  caller: Caller,
): Result<PlannedOrder[]> {
  const planned: PlannedOrder[] = [];
  for (const term of terms) {
    if (term.is === 'embedding') {
      return fail<Failure>({ is: 'not embedded', name: term.name });
    }
    const field = resolveField(term.field, collection, caller);
    if (!field.ok) {
      return field;
    }
    // A column that stands before decides already; the link to the next page would name it again and again.
    if (planned.some(({ field: before }) => isSame(before, field.value))) {
      continue;
    }
    planned.push({
      field: field.value,
      ...(term.direction && { direction: term.direction }),
      ...(term.nulls && { nulls: term.nulls }),
    });
  }
  return ok(planned);
}

const isSame = (one: PlannedField, other: PlannedField): boolean =>
  one.column === other.column && JSON.stringify(one.path) === JSON.stringify(other.path);

/**
 * The order with the primary key behind it, so that rows which are equal in it have an order too: without one they may
 * change places between two pages, and the client loses some. Groups have no key.
 */
export function breakTies(order: PlannedOrder[], outputs: Output[], collection: Collection): PlannedOrder[] {
  const { primaryKey } = collection;
  const column = findColumn(collection, primaryKey);
  const needless =
    order.length === 0 ||
    order.some(({ field }) => field.column === primaryKey && field.path.length === 0) ||
    outputs.some(({ aggregate }) => aggregate !== undefined);
  return needless || !column
    ? order
    : [...order, { field: { column: primaryKey, type: column.type, path: [] } }];
}

/**
 * The order up to the primary key, when no column before it can be null: then its values name a row, and "after this
 * row" can be said by a filter. Groups have no such row.
 */
export function planKeyset(
  outputs: Output[],
  order: PlannedOrder[],
  collection: Collection,
): PlannedOrder[] | undefined {
  const end = order.findIndex(({ field }) => field.column === collection.primaryKey);
  const keyset = order.slice(0, end + 1);
  const named = keyset.every(
    ({ field }) => field.path.length === 0 && findColumn(collection, field.column)?.nullable === false,
  );
  return end >= 0 && named && outputs.every(({ aggregate }) => aggregate === undefined) ? keyset : undefined;
}
