/** Filters and logic trees → conditions on columns that the caller may read. */
import type { Collection } from '../../../schema/collection.ts';
import type { Caller } from '../../caller/caller.ts';
import type { Failure } from '../../common/failure/failure.ts';
import { fail, ok, type Result } from '../../common/failure/result.ts';
import { tooMany } from '../request/query-excess.ts';
import type { Condition, Filter, Operation } from '../request/request.ts';
import { checkValue, withPlusSigns } from './check-value.ts';
import { findPart } from './parts.ts';
import { workLimits } from './plan-limits.ts';
import type { Part, PlannedCondition } from './planned.ts';
import { findColumn, resolveField } from './resolve-field.ts';

/**
 * Returns the conditions of a request, or of rows that are embedded. In collections with soft deletes they exclude deleted rows,
 * unless the collection shows them, or they have a filter on the column that marks them, or the request `restores` them.
 */
export function planFilters(
  conditions: Condition[],
  collection: Collection,
  caller: Caller,
  parts: Part[],
  restores = false,
): Result<PlannedCondition[]> {
  const planned = resolveAll(conditions, collection, caller, parts);
  const { softDelete = '', showsDeleted = false } = collection;
  const column = findColumn(collection, softDelete);
  const isReached = showsDeleted || restores || mentions(conditions, softDelete);
  if (!planned.ok || column === undefined || isReached) {
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
  parts: Part[],
): Result<PlannedCondition[]> {
  const planned: PlannedCondition[] = [];
  for (const condition of conditions) {
    if (condition.is === 'filter') {
      const part = partOf(condition, collection, parts);
      if (part) {
        const exists = planExists(condition, part);
        if (!exists.ok) {
          return exists;
        }
        planned.push(exists.value);
        continue;
      }
      const field = resolveField(condition.field, collection, caller);
      if (!field.ok) {
        return field;
      }
      const operation = withPlusSigns(field.value.type, condition.operation);
      const failure = checkTextSearch(operation) ?? checkValue(field.value, operation);
      if (failure) {
        return fail(failure);
      }
      const filter = { ...condition, field: field.value, operation };
      planned.push(asTruth(filter, collection) ?? filter);
    } else {
      const inner = resolveAll(condition.conditions, collection, caller, parts);
      if (!inner.ok) {
        return inner;
      }
      planned.push({ ...condition, conditions: inner.value });
    }
  }
  return ok(planned);
}

/** Plans `true` and `false` of a column without nulls as a condition that an index of only one of them can answer. */
function asTruth(
  { field, negated, operation }: Extract<PlannedCondition, { is: 'filter' }>,
  collection: Collection,
): PlannedCondition | undefined {
  const isEqual = ['is', 'eq'].includes(operation.operator) && !('quantifier' in operation);
  const value = isEqual && 'value' in operation ? operation.value : '';
  const isBoolean = field.path.length === 0 && field.type.postgres === 'boolean';
  return isBoolean &&
    ['true', 'false'].includes(value) &&
    findColumn(collection, field.column)?.nullable === false
    ? { is: 'true', field, negated: negated === (value === 'true') }
    : undefined;
}

/** Returns the part that a filter names in place of a column. */
const partOf = ({ field }: Filter, collection: Collection, parts: Part[]): Part | undefined =>
  field.path.length === 0 && findColumn(collection, field.name) === undefined
    ? findPart(parts, field.name)
    : undefined;

/** Plans `relation=is.null`, no related row, and `relation=not.is.null`, at least one. */
function planExists({ negated, operation }: Filter, part: Part): Result<PlannedCondition> {
  const isNull = operation.operator === 'is' && ['null', 'not_null'].includes(operation.value);
  return isNull
    ? ok({ is: 'exists', negated: negated === (operation.value === 'not_null'), part })
    : fail<Failure>({ is: 'filter of embedding', name: part.name, key: part.collection.primaryKey });
}

/** The configurations of every Postgres (https://www.postgresql.org/docs/current/textsearch-configuration.html). */
const configurations = new Set(
  `simple arabic armenian basque catalan danish dutch english estonian finnish french german greek hindi hungarian
  indonesian irish italian lithuanian nepali norwegian portuguese romanian russian serbian spanish swedish tamil
  turkish yiddish`.split(/\s+/),
);

/** Postgres's parser fails with an internal error when more operators than this are pending. */
const tooManyNegations = '!'.repeat(workLimits.search.negations + 1);

/** Checks a full-text filter: its configuration must exist, and Postgres must be able to parse its query. */
function checkTextSearch(operation: Operation): Failure | undefined {
  if ('configuration' in operation && operation.configuration !== undefined) {
    const { configuration } = operation;
    if (!configurations.has(configuration.toLowerCase())) {
      return { is: 'unknown configuration', name: configuration };
    }
  }
  if (operation.operator !== 'fts') {
    return undefined;
  }
  // Postgres's parser recurses for each parenthesis.
  if (
    operation.value.split('(', workLimits.search.parentheses + 2).length >
    workLimits.search.parentheses + 1
  ) {
    return tooMany('parentheses in a full-text query', workLimits.search.parentheses);
  }
  return operation.value.replace(/\s+/g, '').includes(tooManyNegations)
    ? tooMany('negations in a row', workLimits.search.negations, 'Two negations in a row cancel out.')
    : undefined;
}
