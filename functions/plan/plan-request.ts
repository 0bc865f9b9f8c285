/** ApiRequest → Plan: the request against the collection and the caller. */

import { fail, ok, type Result } from '../common/result.ts';
import type { Failure } from '../failure/failure.ts';
import type { ApiRequest, Body } from '../request/request.ts';
import type { BodyUse } from './body-use.ts';
import { readKeyedUse } from './change-by-key.ts';
import { namesVersion } from './one-row.ts';
import { findForbidden } from './permission.ts';
import type { DeletePlan, InsertPlan, Plan, ReadPlan, UpdatePlan } from './plan.ts';
import { type PlanContext, planBase } from './plan-base.ts';
import { planBody } from './plan-body.ts';
import { planConditions } from './plan-conditions.ts';
import { breakTies, planKeyset } from './plan-order.ts';
import { hasKey, planUpsert, readPutKey } from './plan-upsert.ts';
import { findCostly } from './work.ts';

export function planRequest(request: ApiRequest, context: PlanContext): Result<Plan> {
  const forbidden = findForbidden(request.method, context);
  const plan = forbidden ? fail(forbidden) : planMethod(request, context);
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
  const base = planBase(request, context, true);
  const conditions = planConditions(request.conditions, context.collection, context.caller);
  if (!base.ok || !conditions.ok) {
    return base.ok ? (conditions as Result<never>) : base;
  }
  const limit = Math.min(request.range.limit ?? context.maxRows, context.maxRows);
  const { outputs } = base.value;
  const order = breakTies(base.value.order, outputs, context.collection);
  const keyset = planKeyset(outputs, order, context.collection);
  const headersOnly = request.method === 'HEAD';
  // A 304 could not be kept: what is shared is answered in full, and compared with the tags after that.
  const isCompared = headersOnly || context.collection.sharedAmong === undefined;
  return ok({
    is: 'read',
    ...base.value,
    order,
    range: { offset: request.range.offset, limit },
    conditions: conditions.value,
    headersOnly,
    maxRows: context.maxRows,
    atMostOne: base.value.atMostOne && limit > 0 && request.range.offset === 0,
    ...(keyset && { keyset }),
    ...(isCompared && request.ifNoneMatch !== undefined && { ifNoneMatch: request.ifNoneMatch }),
  });
}

const wantsRows = ({ preferences }: ApiRequest): boolean => preferences.return === 'representation';

function planInsert(request: ApiRequest, context: PlanContext): Result<InsertPlan | UpdatePlan> {
  const { collection, caller } = context;
  const putKey = request.method === 'PUT' ? readPutKey(request, collection) : ok(undefined);
  if (!putKey.ok) {
    return putKey;
  }
  const given = requireBody(request);
  const base = planBase(request, context, wantsRows(request));
  const body = planBody(given, bodyUse(request, 'insert'), collection, caller);
  if (!base.ok || !body.ok) {
    return base.ok ? (body as Result<never>) : base;
  }
  if (putKey.value !== undefined && !hasKey(given, collection.primaryKey, putKey.value)) {
    return fail<Failure>({ is: 'put key mismatch' });
  }
  const conflict = planUpsert(request, body.value, collection, caller);
  if (!conflict.ok) {
    return conflict;
  }
  if (base.value.ifMatch !== undefined) {
    return planReplacement(request, { ...base.value, body: body.value }, context);
  }
  return ok({
    is: 'insert',
    ...base.value,
    body: body.value,
    atMostOne: base.value.atMostOne && conflict.value === undefined,
    ...(conflict.value && { conflict: conflict.value }),
    put: putKey.value !== undefined,
    ...(request.idempotencyKey !== undefined && {
      idempotencyKey: { key: request.idempotencyKey, fingerprint: request.fingerprint ?? '' },
    }),
  });
}

/** A PUT with If-Match is of a row that is there: it makes none. */
function planReplacement(
  { conditions: wanted }: ApiRequest,
  base: Omit<UpdatePlan, 'is' | 'conditions' | 'comparesVersion'>,
  { collection, caller }: PlanContext,
): Result<UpdatePlan> {
  const conditions = planConditions(wanted, collection, caller);
  return conditions.ok
    ? ok({ is: 'update', ...base, comparesVersion: true, conditions: conditions.value })
    : conditions;
}

function planUpdate(request: ApiRequest, context: PlanContext): Result<UpdatePlan> {
  const { collection, caller } = context;
  const given = requireBody(request);
  const use = readKeyedUse(request, given, collection);
  if (!use.ok) {
    return use;
  }
  if (request.conditions.length === 0 && use.value === undefined) {
    return fail<Failure>({ is: 'unfiltered', verb: 'UPDATE' });
  }
  const base = planBase(request, context, wantsRows(request));
  const conditions = planConditions(request.conditions, collection, caller);
  const body = planBody(given, use.value ?? bodyUse(request, 'update'), collection, caller);
  if (!base.ok || !conditions.ok || !body.ok) {
    return [base, conditions, body].find(result => !result.ok) as Result<never>;
  }
  if (base.value.ifMatch !== undefined && use.value !== undefined) {
    return fail<Failure>({
      is: 'unusable header',
      header: 'If-Match',
      details: 'The rows of the body are changed by their keys.',
    });
  }
  return ok({
    is: 'update',
    ...base.value,
    comparesVersion: base.value.ifMatch !== undefined || namesVersion(request, collection),
    conditions: conditions.value,
    body: body.value,
    atMostOne: base.value.atMostOne && use.value === undefined && body.value.columns.length > 0,
  });
}

function planDelete(request: ApiRequest, context: PlanContext): Result<DeletePlan> {
  const { collection, caller } = context;
  if (request.conditions.length === 0) {
    return fail<Failure>({ is: 'unfiltered', verb: 'DELETE' });
  }
  const base = planBase(request, context, wantsRows(request));
  const conditions = planConditions(request.conditions, collection, caller);
  if (!base.ok || !conditions.ok) {
    return base.ok ? (conditions as Result<never>) : base;
  }
  return ok({ is: 'delete', ...base.value, conditions: conditions.value });
}

/** A PUT is a whole row: `columns=` is for POST and PATCH. */
const bodyUse = ({ method, columns, preferences }: ApiRequest, privilege: 'insert' | 'update'): BodyUse => ({
  privilege,
  ...(columns !== undefined && method !== 'PUT' && { columns }),
  missing: preferences.missing ?? 'null',
});

function requireBody(request: ApiRequest): Body {
  if (request.body === undefined) {
    throw new TypeError(`A ${request.method} request is parsed with a body`);
  }
  return request.body;
}
