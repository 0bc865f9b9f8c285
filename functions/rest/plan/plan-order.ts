/** `order=` → the columns to sort by. */
import type { Collection } from '../../../schema/collection.ts';
import type { Caller } from '../../caller/caller.ts';
import type { Failure } from '../../common/failure/failure.ts';
import { fail, ok, type Result } from '../../common/failure/result.ts';
import type { OrderTerm } from '../request/request.ts';
import type { Output, PlannedField, PlannedOrder } from './plan.ts';
import { hasAggregates } from './plan-outputs.ts';
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
    // A repeated column does not affect the order, but would lengthen the link to the next page.
    if (planned.some(({ field: earlier }) => isSame(earlier, field.value))) {
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
 * Adds the primary key to the order, to make it unique. Otherwise equal rows may swap between two pages, and the client
 * would miss some. Groups have no key.
 */
export function breakTies(order: PlannedOrder[], outputs: Output[], collection: Collection): PlannedOrder[] {
  const { primaryKey } = collection;
  const column = findColumn(collection, primaryKey);
  const needsNoKey =
    order.length === 0 ||
    order.some(({ field }) => field.column === primaryKey && field.path.length === 0) ||
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
  const end = order.findIndex(({ field }) => field.column === collection.primaryKey);
  const keyset = order.slice(0, end + 1);
  const isComparable = keyset.every(({ field }) => {
    const column = findColumn(collection, field.column);
    return field.path.length === 0 && (column?.nullable === false || column?.neverNull);
  });
  return end >= 0 && isComparable && !hasAggregates(outputs) ? keyset : undefined;
}
