/** Finds the limit of functions/common/limits.ts that a query string exceeds. */
import { limits } from '../common/limits.ts';
import type { Failure } from '../failure/failure.ts';
import { tooMany } from './excess.ts';
import type { ApiRequest, Condition } from './request.ts';

export function findExcess({
  select,
  conditions,
  order,
  columns = [],
  onConflict = [],
}: Pick<ApiRequest, 'select' | 'conditions' | 'order' | 'columns' | 'onConflict'>): Failure | undefined {
  if (select.length > limits.outputs) {
    return tooMany('columns to select', limits.outputs);
  }
  if (countFilters(conditions) > limits.filters) {
    return tooMany('filters', limits.filters);
  }
  if (hasLongList(conditions)) {
    return tooMany('values in a list', limits.listValues);
  }
  if (Math.max(columns.length, onConflict.length) > limits.listedColumns) {
    return tooMany('columns in a list', limits.listedColumns, 'Name each column once.');
  }
  return order.length > limits.orderTerms ? tooMany('columns to order by', limits.orderTerms) : undefined;
}

const countFilters = (conditions: Condition[]): number =>
  conditions.reduce(
    (sum, condition) => sum + (condition.is === 'filter' ? 1 : countFilters(condition.conditions)),
    0,
  );

const hasLongList = (conditions: Condition[]): boolean =>
  conditions.some(condition =>
    condition.is === 'filter'
      ? condition.operation.operator === 'in' && condition.operation.values.length > limits.listValues
      : hasLongList(condition.conditions),
  );
