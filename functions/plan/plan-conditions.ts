/** Filters and logic trees → conditions on columns that the caller may read. */
import type { Collection } from '../../schema/collection.ts';
import type { Caller } from '../caller/caller.ts';
import { fail, ok, type Result } from '../common/result.ts';
import type { Condition } from '../request/request.ts';
import { checkValue } from './check-value.ts';
import type { PlannedCondition } from './plan.ts';
import { findColumn, resolveField } from './resolve-field.ts';
import { checkTextSearch } from './text-search.ts';

/**
 * Returns the conditions of a request. In collections with soft deletes they exclude deleted rows, unless the request
 * filters on the column that marks them.
 */
export function planConditions(
  conditions: Condition[],
  collection: Collection,
  caller: Caller,
): Result<PlannedCondition[]> {
  const planned = resolveAll(conditions, collection, caller);
  const { softDelete = '' } = collection;
  const column = findColumn(collection, softDelete);
  if (!planned.ok || column === undefined || mentions(conditions, softDelete)) {
    return planned;
  }
  const notDeleted: PlannedCondition = {
    is: 'filter',
    field: { column: softDelete, type: column.type, path: [] },
    negated: false,
    operation: { operator: 'is', value: 'null' },
  };
  return ok([...planned.value, notDeleted]);
}

function mentions(conditions: Condition[], name: string): boolean {
  return conditions.some(condition =>
    condition.is === 'filter' ? condition.field.name === name : mentions(condition.conditions, name),
  );
}

function resolveAll(
  conditions: Condition[],
  collection: Collection,
  caller: Caller,
): Result<PlannedCondition[]> {
  const planned: PlannedCondition[] = [];
  for (const condition of conditions) {
    if (condition.is === 'filter') {
      const field = resolveField(condition.field, collection, caller);
      if (!field.ok) {
        return field;
      }
      const failure = checkTextSearch(condition.operation) ?? checkValue(field.value, condition.operation);
      if (failure) {
        return fail(failure);
      }
      planned.push({ ...condition, field: field.value });
    } else {
      const inner = resolveAll(condition.conditions, collection, caller);
      if (!inner.ok) {
        return inner;
      }
      planned.push({ ...condition, conditions: inner.value });
    }
  }
  return ok(planned);
}
