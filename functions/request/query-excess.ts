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
  if (select.length > limits.query.outputs) {
    return tooMany('columns to select', limits.query.outputs);
  }
  if (countFilters(conditions) > limits.query.filters) {
    return tooMany('filters', limits.query.filters);
  }
  if (hasLongList(conditions)) {
    return tooMany('values in a list', limits.query.listValues);
  }
  if (Math.max(columns.length, onConflict.length) > limits.query.listedColumns) {
    return tooMany('columns in a list', limits.query.listedColumns, 'Name each column once.');
  }
  return order.length > limits.query.orderTerms
    ? tooMany('columns to order by', limits.query.orderTerms)
    : undefined;
}

const countFilters = (conditions: Condition[]): number =>
  conditions.reduce(
    (sum, condition) => sum + (condition.is === 'filter' ? 1 : countFilters(condition.conditions)),
    0,
  );

const hasLongList = (conditions: Condition[]): boolean =>
  conditions.some(condition =>
    condition.is === 'filter'
      ? condition.operation.operator === 'in' && condition.operation.values.length > limits.query.listValues
      : hasLongList(condition.conditions),
  );
