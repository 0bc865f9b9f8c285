/** ApiRequest → Plan: checks the request against the collection and the caller's permissions. */
import type { Collection } from '../../../schema/collection.ts';
import type { Failure } from '../../common/failure/failure.ts';
import { combine, fail, ok, type Result } from '../../common/failure/result.ts';
import { wantsRows } from '../request/preferences.ts';
import type { ApiRequest, Body } from '../request/request.ts';
import { hasKey, namedBy, namedColumns } from './one-row.ts';
import { requireInner } from './parts.ts';
import {
  type BodyUse,
  type DeletePlan,
  type InsertPlan,
  isEmpty,
  type Named,
  type Plan,
  type ReadPlan,
  type UpdatePlan,
} from './plan.ts';
import { type PermittedContext, type PlanContext, planBase } from './plan-base.ts';
import { planBody, planBulkUpdate, planUpsert, readPutKey } from './plan-body.ts';
import { planConditions } from './plan-conditions.ts';
import { breakTies, planKeyset } from './plan-order.ts';
import { readCells } from './read-cells.ts';
import { findCostly } from './work.ts';

/** Plans a request. `permit` returns its context. */
export function planRequest(request: ApiRequest, context: PermittedContext): Result<Plan> {
  const body = request.body && readCells(request.body, context.collection);
  if (body?.ok === false) {
    return body;
  }
  const plan = planMethod(body ? { ...request, body: body.value } : request, context);
  const excess = plan.ok && findCostly({ conditions: [], ...plan.value });
  return excess ? fail(excess) : plan;
}

function planMethod(request: ApiRequest, context: PlanContext): Result<Plan> {
  switch (request.method) {
    case 'GET':
    case 'HEAD':
      return planRead(request, context);
    case 'POST':
    case 'PUT':
      return planInsert(request, context);
    case 'PATCH':
      return planUpdate(request, context);
    case 'DELETE':
      return planDelete(request, context);
  }
}

function planRead(request: ApiRequest, context: PlanContext): Result<ReadPlan> {
  const base = planBase(request, context, { hasBody: true });
  if (!base.ok) {
    return base;
  }
  const { outputs, parts } = base.value;
  const conditions = planConditions(request, context.collection, context.caller, parts);
  if (!conditions.ok) {
    return conditions;
  }
  const limit = Math.min(request.range.limit ?? context.maxRows, context.maxRows);
  const order = breakTies(base.value.order, outputs, context.collection);
  const keyset = planKeyset(outputs, order, context.collection);
  const headersOnly = request.method === 'HEAD';
  // The response cache needs a complete response: for its collections, If-None-Match is evaluated after the cache.
  const isCacheable = context.collection.cachedFor !== undefined;
  return ok({
    is: 'read',
    ...base.value,
    order,
    range: { offset: request.range.offset, limit },
    conditions: [...conditions.value, ...requireInner(parts)],
    headersOnly,
    maxRows: context.maxRows,
    atMostOne: base.value.atMostOne && limit > 0 && request.range.offset === 0,
    ...(keyset && { keyset }),
    ...(!isCacheable && request.ifNoneMatch !== undefined && { ifNoneMatch: request.ifNoneMatch }),
  });
}

function planInsert(request: ApiRequest, context: PlanContext): Result<InsertPlan | UpdatePlan> {
  const { collection, caller } = context;
  const putKey = request.method === 'PUT' ? readPutKey(request, collection) : ok(undefined);
  if (!putKey.ok) {
    return putKey;
  }
  const parsedBody = requireBody(request);
  const conflict = planUpsert(request, collection, caller);
  if (!conflict.ok) {
    return conflict;
  }
  const upsert = conflict.value && { conflict: conflict.value };
  const parts = combine({
    base: planBase(request, context, { hasBody: wantsRows(request) }),
    body: planBody(parsedBody, { ...bodyUse(request, 'insert'), ...upsert }, collection, caller),
  });
  if (!parts.ok) {
    return parts;
  }
  const { base, body } = parts.value;
  if (putKey.value !== undefined && !hasKey(parsedBody, collection.primaryKey, putKey.value)) {
    return fail<Failure>({ is: 'put key mismatch' });
  }
  if (base.ifMatch !== undefined) {
    const changed = planBody(parsedBody, bodyUse(request, 'update'), collection, caller);
    return changed.ok ? planReplacement(request, { ...base, body: changed.value }, context) : changed;
  }
  return ok({
    is: 'insert',
    ...base,
    body,
    atMostOne: base.atMostOne && upsert === undefined,
    ...(upsert && { ...upsert, ...upsertNames(namedColumns(request, body), collection) }),
    put: putKey.value !== undefined,
    ...(request.idempotencyKey !== undefined && {
      idempotencyKey: { key: request.idempotencyKey, fingerprint: request.fingerprint ?? '' },
    }),
  });
}

/** Returns the properties that an upsert names of the rows that exist. */
const upsertNames = (columns: string[], { price }: Collection): { names?: Named } =>
  price === undefined ? {} : { names: { version: false, price: false, rows: 'keyed', columns } };

/** Plans a PUT with If-Match, which only replaces an existing row, so it is an update. */
function planReplacement(
  request: ApiRequest,
  base: Omit<UpdatePlan, 'is' | 'conditions' | 'names'>,
  { collection, caller }: PlanContext,
): Result<UpdatePlan> {
  const conditions = planConditions(request, collection, caller);
  return conditions.ok
    ? ok({
        is: 'update',
        ...base,
        ...namedBy(request, collection, base.body, base.ifMatch),
        conditions: conditions.value,
      })
    : conditions;
}

function planUpdate(request: ApiRequest, context: PlanContext): Result<UpdatePlan> {
  const { collection, caller } = context;
  const parsedBody = requireBody(request);
  const bulk = planBulkUpdate(request, parsedBody, collection, caller);
  if (!bulk.ok) {
    return bulk;
  }
  if (request.conditions.length === 0 && bulk.value === undefined) {
    return fail<Failure>({ is: 'unfiltered', verb: 'UPDATE' });
  }
  const parts = combine({
    base: planBase(request, context, { hasBody: wantsRows(request) }),
    conditions: planConditions(request, collection, caller),
    body: planBody(parsedBody, bulk.value ?? bodyUse(request, 'update'), collection, caller),
  });
  if (!parts.ok) {
    return parts;
  }
  const { base, conditions, body } = parts.value;
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
    ...namedBy(request, collection, body, base.ifMatch),
    conditions,
    body,
    atMostOne: base.atMostOne && bulk.value === undefined && !isEmpty(body),
  });
}

function planDelete(request: ApiRequest, context: PlanContext): Result<DeletePlan> {
  const { collection, caller } = context;
  if (request.conditions.length === 0) {
    return fail<Failure>({ is: 'unfiltered', verb: 'DELETE' });
  }
  const parts = combine({
    base: planBase(request, context, { hasBody: wantsRows(request) }),
    conditions: planConditions(request, collection, caller),
  });
  return parts.ok ? ok({ is: 'delete', ...parts.value.base, conditions: parts.value.conditions }) : parts;
}

/** Returns how the body is used. A PUT replaces the whole row, so it ignores `columns=`. */
const bodyUse = ({ method, columns, preferences }: ApiRequest, privilege: 'insert' | 'update'): BodyUse => ({
  privilege,
  ...(columns !== undefined && method !== 'PUT' && { columns }),
  missing: preferences.missing ?? 'null',
  ...(privilege === 'insert' && upsertOf(method, preferences)),
});

const upsertOf = (
  method: ApiRequest['method'],
  { resolution }: ApiRequest['preferences'],
): Pick<BodyUse, 'upsert'> =>
  method === 'PUT' ? { upsert: 'PUT' } : resolution === 'merge-duplicates' ? { upsert: 'POST' } : {};

function requireBody(request: ApiRequest): Body {
  if (request.body === undefined) {
    throw new TypeError(`A ${request.method} request is parsed with a body`);
  }
  return request.body;
}
