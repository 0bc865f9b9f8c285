/** The plan of a PATCH. */
import type { Collection } from '../../../schema/collection.ts';
import type { Caller } from '../../caller/caller.ts';
import type { Failure } from '../../common/failure/failure.ts';
import { combine, fail, ok, type Result } from '../../common/failure/result.ts';
import { wantsRows } from '../request/preferences.ts';
import type { ApiRequest, Body, BodyRow } from '../request/request.ts';
import { isByKey, keyText, operandOfEq, operationOn } from './one-row.ts';
import { planBody, uniformKeys } from './plan-body.ts';
import { planFilters } from './plan-conditions.ts';
import { type PlanContext, planOfRows } from './plan-of-rows.ts';
import type { ExpectedVersion, PlannedCondition, PlanOfRows } from './planned.ts';
import {
  type BodyPlan,
  type BodyUse,
  bodyUse,
  columnsOfAll,
  type Facts,
  isEmpty,
  requireBody,
} from './write.ts';

export interface UpdatePlan extends PlanOfRows {
  is: 'update';
  /** For a collection whose columns rules judge, and for the version of If-Match in a view. */
  facts?: Facts;
  conditions: PlannedCondition[];
  body: BodyPlan;
}

export function planUpdate(request: ApiRequest, context: PlanContext): Result<UpdatePlan> {
  const { collection, caller } = context;
  const parsedBody = requireBody(request);
  const bulk = planBulkUpdate(request, parsedBody, collection);
  if (!bulk.ok) {
    return bulk;
  }
  if (request.conditions.length === 0 && bulk.value === undefined) {
    return fail<Failure>({ is: 'unfiltered', verb: 'UPDATE', key: collection.primaryKey });
  }
  const planned = combine({
    base: planOfRows(request, context, { returnsRows: wantsRows(request) }),
    conditions: conditionsOf(request, collection, caller),
    body: planBody(parsedBody, bulk.value ?? bodyUse(request, 'update'), collection, caller),
  });
  if (!planned.ok) {
    return planned;
  }
  const { base, conditions, body } = planned.value;
  if (base.ifMatch !== undefined && bulk.value !== undefined) {
    return fail<Failure>({
      is: 'unusable header',
      header: 'If-Match',
      details: 'It is only for one row, but the body is an array of rows with their keys.',
    });
  }
  return ok({
    is: 'update',
    ...base,
    ...factsOf(request, context, body, base.ifMatch),
    conditions,
    body,
    atMostOne: base.atMostOne && bulk.value === undefined && !isEmpty(body),
  });
}

/** Plans a PUT with If-Match, which only replaces an existing row, so it is an update. */
export function planReplacement(
  request: ApiRequest,
  base: Omit<UpdatePlan, 'is' | 'conditions' | 'facts'>,
  context: PlanContext,
): Result<UpdatePlan> {
  const conditions = conditionsOf(request, context.collection, context.caller);
  return conditions.ok
    ? ok({
        is: 'update',
        ...base,
        ...factsOf(request, context, base.body, base.ifMatch),
        conditions: conditions.value,
      })
    : conditions;
}

/** Whether a filter is `in` on the primary key with a single key. */
const listsOneKey = ({ conditions }: ApiRequest, { primaryKey }: Collection): boolean =>
  conditions.some(condition => {
    const operation = operationOn(primaryKey, condition);
    return operation?.operator === 'in' && operation.values.length === 1;
  });

/** Returns the columns that the filter compares by a plain `eq`. */
const comparedColumns = ({ conditions }: ApiRequest): string[] => [
  ...new Set(
    conditions.flatMap(condition =>
      condition.is === 'filter' && operandOfEq(condition.field.name, condition) !== undefined
        ? [condition.field.name]
        : [],
    ),
  ),
];

/**
 * Returns the facts about a change. If-Match is a precondition, which the rules of a collection do not judge. Only a view's trigger
 * compares the version once more, since its view locks no row.
 */
function factsOf(
  request: ApiRequest,
  { collection, caller }: PlanContext,
  body: BodyPlan,
  ifMatch?: ExpectedVersion,
): { facts?: Facts } {
  const columns = columnsOfAll(request, body);
  if (collection.views?.[caller.audience] !== undefined && typeof ifMatch === 'object') {
    return { facts: { compared: ['xmin'], rows: 'one', columns } };
  }
  if (collection.judged === undefined) {
    return {};
  }
  const isOne = isByKey(request, collection) || listsOneKey(request, collection);
  const rows = body.key !== undefined ? 'keyed' : isOne ? 'one' : 'filtered';
  return { facts: { compared: comparedColumns(request), rows, columns } };
}

/**
 * Plans a PATCH with an array whose rows all have the primary key: each row gets its own values, and omitted columns are
 * unchanged. This extends PostgREST. Undefined for any other body; as in PostgREST, the first element of an array without
 * keys changes all matching rows.
 */
function planBulkUpdate(
  request: ApiRequest,
  body: Body,
  collection: Collection,
): Result<BodyUse | undefined> {
  const { primaryKey } = collection;
  if (!body.isArray || body.rows.length === 0 || !body.rows.every(row => Object.hasOwn(row, primaryKey))) {
    return ok(undefined);
  }
  const seen = new Set<unknown>();
  for (const [index, row] of body.rows.entries()) {
    if (typeof row[primaryKey] === 'number' && !Number.isSafeInteger(row[primaryKey])) {
      continue; // In the body it may be another number. It is refused below, with its field.
    }
    const key = keyText(row[primaryKey], collection.columns[primaryKey]);
    if (seen.has(key)) {
      return fail<Failure>({
        is: 'invalid body',
        message: 'A request can change each row only once',
        details: `Element ${index} of the array repeats the ${primaryKey} of an earlier element.`,
      });
    }
    seen.add(key);
  }
  const columns = new Set(request.columns ?? body.rows.flatMap(row => Object.keys(row)));
  const uniform = judgedAlike(body, columns, collection);
  if (!uniform.ok) {
    return uniform;
  }
  return ok({ privilege: 'update', columns: [...columns, primaryKey], missing: 'kept', key: primaryKey });
}

/**
 * Checks that all rows have the same columns if one of them has a column that rules judge: the database sees which columns the
 * request has, and not which of its rows do.
 */
function judgedAlike(
  { rows }: Body,
  columns: ReadonlySet<string>,
  { judged = [] }: Collection,
): Result<unknown> {
  const names = judged.filter(name => columns.has(name));
  return rows.some(row => names.some(name => Object.hasOwn(row, name)))
    ? uniformKeys(
        {
          rows: rows.map(row =>
            Object.fromEntries(Object.entries(row).filter(([name]) => columns.has(name))),
          ),
        },
        `If one row has ${names.join(' or ')}, send the same keys in all rows, or a request for each row.`,
      )
    : ok(undefined);
}

/**
 * Returns the conditions of a change. They exclude deleted rows, unless the request filters on the column that marks them, or
 * restores rows that it names.
 */
const conditionsOf = (request: ApiRequest, collection: Collection, caller: Caller) =>
  planFilters(request.conditions, collection, caller, [], restores(request, collection, caller));

/**
 * Whether a PATCH restores deleted rows: by who may, naming the keys of the rows, in a filter or in the body, and set nothing but
 * the mark of deletion to null.
 */
function restores(
  { method, conditions, columns, body }: ApiRequest,
  { primaryKey, changedAt, softDelete = '', restorableBy }: Collection,
  { audience }: Caller,
): boolean {
  const namesKeys = conditions.some(condition =>
    ['eq', 'in'].includes(operationOn(primaryKey, condition)?.operator ?? ''),
  );
  const isRestored = (row: BodyRow): boolean =>
    row[softDelete] === null &&
    (namesKeys || Object.hasOwn(row, primaryKey)) &&
    (columns ?? Object.keys(row)).every(name => [primaryKey, changedAt, softDelete].includes(name));
  const rows = body?.rows ?? [];
  const mayRestore = method === 'PATCH' && restorableBy?.includes(audience) === true;
  return mayRestore && rows.length > 0 && rows.every(isRestored);
}
