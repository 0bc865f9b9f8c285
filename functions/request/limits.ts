/**
 * How much one request may ask for: far more than any page or form does, and little enough to be no burden. Levels of
 * logic trees are the scanner's.
 */
import type { Failure } from '../failure.ts';
import type { ApiRequest, Condition } from './api-request.ts';

export const limits = {
  /** As many as the plan accepts once every `*` stands for its columns (plan/plan-outputs.ts). */
  selectItems: 100,
  /** In `columns` and in `on_conflict`. */
  listedColumns: 200,
  /** In one query string, those in logic trees too. */
  filters: 200,
  /** Between the parentheses of `in`: as many as a page has rows. */
  listValues: 1000,
  orderTerms: 50,
  /** Of one column in the query string. */
  jsonSteps: 32,
  /** Levels of lists and objects, one in the other. */
  bodyLevels: 500,
  /** Lists and objects in all: each takes twenty times the memory of its two characters. */
  bodyLists: 100_000,
  /** Characters, of a number before its exponent. */
  numberLength: 1000,
  /** Postgres keeps 1e131071 in ten bytes, and writes it out in 131,072. */
  exponentDigits: 2,
  bodyRows: 20_000,
  /** Fields of a form, and names in the first line of CSV. */
  bodyColumns: 200,
  /** Characters of CSV's rows as JSON, in which each row names its columns again. */
  csvAsJson: 4 * 1024 * 1024,
  /** Characters of each header that is read here. */
  header: 8000,
} as const;

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
  if (select.length > limits.selectItems) {
    return tooMany('columns to select', limits.selectItems);
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
