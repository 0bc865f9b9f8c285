/** What a request asks for too much of, by what it says alone: the numbers are in functions/common/limits.ts. */

import { limits } from '../common/limits.ts';
import type { Failure } from '../failure/failure.ts';
import type { ApiRequest, Condition } from './api-request.ts';

const tooMany = (what: string, limit: number, hint?: string): Failure => ({
  is: 'too complex',
  what,
  limit,
  ...(hint !== undefined && { hint }),
});

/** What a query string has too much of. */
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

export const isTooLong = (header: string | null): boolean => header !== null && header.length > limits.header;

export const tooManyRows = tooMany('rows in its body', limits.bodyRows);

export const tooManyColumns = tooMany(
  'columns in its body',
  limits.bodyColumns,
  'Send the columns of the collection alone.',
);

export const tooLongRows = tooMany(
  'characters in its rows, counted with the name of each column',
  limits.csvAsJson,
  'Send fewer rows at a time, or leave out columns that are empty.',
);

/** What a JSON text has too much of (json-excess.ts). */
export const jsonExcesses = {
  levels: tooMany(
    'levels of nesting in its body',
    limits.bodyLevels,
    'Nest its lists and objects less deeply, or send the innermost as a text.',
  ),
  lists: tooMany(
    'lists and objects in its body',
    limits.bodyLists,
    'Send fewer rows at a time, or less in each.',
  ),
  values: tooMany('values in its body', limits.bodyValues, 'Send fewer rows at a time, or less in each.'),
  numberLength: tooMany(
    'characters in a number of its body',
    limits.numberLength,
    'Round the number, or send it as a text.',
  ),
  exponentDigits: tooMany(
    'digits in the exponent of a number of its body',
    limits.exponentDigits,
    'Round the number, or send it as a text.',
  ),
} as const;

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
