/**
 * Limits the work that a request causes in Postgres for a single row. The statement timeout bounds the work on many rows,
 * but Postgres does not check for interrupts within a row. That work is the product of the request's size and the column's.
 */
import { Buffer } from 'node:buffer';
import { type Audience, maySendAnyRegex } from '../../../schema/collection.ts';
import type { ColumnType } from '../../../schema/column-type.ts';
import type { Failure } from '../../common/failure/failure.ts';
import { limits } from '../../common/limits.ts';
import { type OperatorRow, rowOf, textSearchOperators } from '../request/operators.ts';
import { tooMany } from '../request/query-excess.ts';
import type { Operation } from '../request/request.ts';
import { groupSteps } from './json-steps.ts';
import { workLimits } from './plan-limits.ts';
import type { Output, Part, PlannedCondition, PlannedField, PlannedOrder } from './planned.ts';

type Filter = Extract<PlannedCondition, { is: 'filter' }>;

interface PlannedWork {
  outputs: Output[];
  order: PlannedOrder[];
  conditions: PlannedCondition[];
}

/** Returns the failure of a request that exceeds a limit. */
export function findCostly(plan: PlannedWork & { parts: Part[] }, audience: Audience): Failure | undefined {
  const all = [plan, ...allParts(plan.parts)];
  const filters = filtersOf(all.flatMap(({ conditions }) => conditions));
  const outputs = all.flatMap(one => one.outputs);
  const order = all.flatMap(one => one.order);
  return (
    findRelatedOrder(order) ??
    findReads({ outputs, order }, filters) ??
    findCasts(outputs) ??
    findSearches(filters, audience)
  );
}

/** Finds an order by a large column of a related row: a sort would keep a copy of it for each row. */
function findRelatedOrder(order: PlannedOrder[]): Failure | undefined {
  const large = order.find(({ of, field }) => of && isLarge(field.type));
  return (
    large &&
    tooMany(`orders by ${large.field.column} of a related row`, 0, 'Order by a shorter column of it.')
  );
}

const allParts = (parts: Part[]): Part[] => parts.flatMap(part => [part, ...allParts(part.parts)]);

const filtersOf = (conditions: PlannedCondition[]): Filter[] =>
  conditions.flatMap(condition =>
    condition.is === 'filter'
      ? [condition]
      : 'conditions' in condition
        ? filtersOf(condition.conditions)
        : [],
  );

const sizeOf = ({ maxBytes = limits.query.scalar }: ColumnType): number => maxBytes;

/** Whether a column may have large values. */
export const isLarge = (type: ColumnType): boolean => sizeOf(type) > workLimits.largeColumn.bytes;

const sum = <T>(items: T[], of: (item: T) => number): number =>
  items.reduce((total, item) => total + of(item), 0);

/** Finds too many reads of large columns. Each read makes a copy, and a cast makes another. */
function findReads(
  { outputs, order }: Omit<PlannedWork, 'conditions'>,
  filters: Filter[],
): Failure | undefined {
  const uses: { field?: PlannedField }[] = [...outputs, ...order, ...filters];
  const large = uses.flatMap(({ field }) => (field && isLarge(field.type) ? [field] : []));
  const [first] = large;
  const casts = outputs.filter(
    ({ field, cast }) => cast !== undefined && field !== undefined && isLarge(field.type),
  );
  return first && sum(large, readsOf) + casts.length > workLimits.largeColumn.reads
    ? tooMany(
        `reads of ${first.column}`,
        workLimits.largeColumn.reads,
        `Select ${first.column} once, and extract its parts in the client.`,
      )
    : undefined;
}

const readsOf = ({ path }: PlannedField): number => Math.max(1, groupSteps(path).length);

const findCasts = (outputs: Output[]): Failure | undefined =>
  sum(outputs, ({ cast, aggregateCast }) => (cast ? 1 : 0) + (aggregateCast ? 1 : 0)) > limits.query.casts
    ? tooMany('casts', limits.query.casts, 'Cast fewer columns.')
    : undefined;

function findSearches(filters: Filter[], audience: Audience): Failure | undefined {
  const patterns = filters.filter(costing('pattern'));
  const contained = filters.filter(costing('elements'));
  const searches = filters.filter(({ operation }) => Object.hasOwn(textSearchOperators, operation.operator));
  const hint = 'Split the search into several requests.';
  if (sum(patterns, workOf) > workLimits.search.patternWork) {
    return tooMany(
      'characters in patterns, times the size of their columns',
      workLimits.search.patternWork,
      hint,
    );
  }
  if (
    sum(searches, ({ field }) => (isLarge(field.type) ? workLimits.search.textSearches : 1)) >
    workLimits.search.textSearches
  ) {
    return tooMany('full-text searches', workLimits.search.textSearches, hint);
  }
  if (sum(contained, ({ operation }) => elementsIn(operation)) > workLimits.search.containedElements) {
    return tooMany('array elements to search for', workLimits.search.containedElements, hint);
  }
  return findRegexes(filters.filter(costing('regex')), audience);
}

const costing =
  (costs: OperatorRow['costs']) =>
  ({ operation: { operator } }: Filter): boolean =>
    rowOf(operator)?.costs === costs;

const valueIn = (operation: Operation): string => ('values' in operation ? '' : operation.value);

/**
 * Returns the length of the pattern times the column's maximum size. Each pattern counts 20 characters more, for case folding.
 */
const workOf = ({ field, operation }: Filter): number => {
  const value = valueIn(operation);
  const texts = 'quantifier' in operation && operation.quantifier ? value.split(',').length : 1;
  return (value.length + 20 * texts) * sizeOf(field.type);
};

/** Returns an upper bound of the number of elements: commas inside texts count too. */
const elementsIn = (operation: Operation): number => {
  const value = valueIn(operation);
  return /[[{]/.test(value) ? value.split(',').length : 0;
};

/**
 * Syntax that is costly to compile or to match: bounds, look-arounds, options, back references, anchors inside, and repeated groups:
 * nested ones make Postgres allocate gigabytes, which fails as an internal error.
 */
const costlyRegex = /\{|\)[*+?]|\(\?|^\*{3}|\\[1-9yYmMAZ]|(?<!^|\[)\^|\$(?!$)/;

function findRegexes(filters: Filter[], audience: Audience): Failure | undefined {
  if (maySendAnyRegex(audience)) {
    return undefined;
  }
  const values = filters.map(({ operation }) => valueIn(operation));
  const { regexBytes } = workLimits.search;
  if (sum(values, value => Buffer.byteLength(value)) > regexBytes) {
    return tooMany('bytes in its regular expressions', regexBytes, 'Shorten them, or search with ilike.');
  }
  // Without quotes and backslashes, the elements of a list are what stands between its commas.
  const texts = filters.flatMap(({ operation }) => {
    const [, list] =
      ('quantifier' in operation && operation.quantifier && /^\{([^"\\]*)\}$/.exec(operation.value)) || [];
    return list?.split(',') ?? [valueIn(operation)];
  });
  // An escaped character is an ordinary one.
  return texts.some(text => costlyRegex.test(text.replace(/\\[^1-9yYmMAZ]/gs, 'x')))
    ? {
        is: 'invalid value',
        sqlstate: '2201B',
        message: 'The regular expression has syntax that this caller may not use',
        hint: 'Write it without {, (?, )+, )*, )?, back references and word boundaries, with ^ only first and $ only last; or search with ilike.',
      }
    : undefined;
}
