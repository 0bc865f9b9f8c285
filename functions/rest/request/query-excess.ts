/** Finds what exceeds a limit of functions/common/limits.ts in the query or the headers of a request. */

import type { Failure } from '../../common/failure/failure.ts';
import { limits } from '../../common/limits.ts';
import type { ApiRequest, Condition, Scope, SelectItem } from './request.ts';

export const tooMany = (what: string, limit: number, hint?: string): Failure => ({
  is: 'too complex',
  what,
  limit,
  ...(hint !== undefined && { hint }),
});

export const tooManyLevels = tooMany(
  'levels of embedded relations',
  limits.query.embeddedLevels,
  'Read what is deeper in a request of its own.',
);

export const isHeaderTooLong = (header: string | null): boolean =>
  header !== null && header.length > limits.request.header;

/** Returns the limit that a query string exceeds. */
export function findQueryExcess({
  select,
  columns = [],
  onConflict = [],
  ...scope
}: Pick<ApiRequest, 'select' | 'columns' | 'onConflict'> & ListScope): Failure | undefined {
  const items = itemsOf(select);
  if (items.length > limits.query.outputs) {
    return tooMany('columns to select', limits.query.outputs);
  }
  const scopes = scopesOf(scope);
  const embedded = items.filter(({ is }) => is === 'embedding').length;
  if (Math.max(embedded, scopes.length - 1) > limits.query.embeddings) {
    return tooMany('embedded relations', limits.query.embeddings, 'Read some in another request.');
  }
  const conditions = scopes.flatMap(one => one.conditions);
  if (countFilters(conditions) > limits.query.filters) {
    return tooMany('filters', limits.query.filters);
  }
  if (hasLongList(conditions)) {
    return tooMany('values in a list', limits.query.listValues);
  }
  if (Math.max(columns.length, onConflict.length) > limits.query.listedColumns) {
    return tooMany('columns in a list', limits.query.listedColumns, 'Name each column once.');
  }
  return scopes.flatMap(({ order }) => order).length > limits.query.orderTerms
    ? tooMany('columns to order by', limits.query.orderTerms, 'Order by fewer columns.')
    : undefined;
}

type ListScope = Omit<Scope, 'range'>;

/** Returns a scope and those of its embedded rows. */
const scopesOf = (scope: ListScope): ListScope[] => [
  scope,
  ...[...scope.embedded.values()].flatMap(scopesOf),
];

/** Returns the items of a `select` and of its embeddings. */
export const itemsOf = (items: SelectItem[]): SelectItem[] =>
  items.flatMap(item => (item.is === 'embedding' ? [item, ...itemsOf(item.select)] : [item]));

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
