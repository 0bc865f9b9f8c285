/** ApiRequest → Plan: the request against the collection and the caller. */

import { combine, fail, ok, type Result } from '../common/result.ts';
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
  const parts = combine({
    base: planBase(request, context, true),
    conditions: planConditions(request.conditions, context.collection, context.caller),
  });
  if (!parts.ok) {
    return parts;
  }
  const { base, conditions } = parts.value;
  const limit = Math.min(request.range.limit ?? context.maxRows, context.maxRows);
  const { outputs } = base;
  const order = breakTies(base.order, outputs, context.collection);
  const keyset = planKeyset(outputs, order, context.collection);
  const headersOnly = request.method === 'HEAD';
  // A 304 could not be kept: what is shared is answered in full, and compared with the tags after that.
  const isCompared = headersOnly || context.collection.cachedFor === undefined;
  return ok({
    is: 'read',
    ...base,
    order,
    range: { offset: request.range.offset, limit },
    conditions,
    headersOnly,
    maxRows: context.maxRows,
    atMostOne: base.atMostOne && limit > 0 && request.range.offset === 0,
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
  const parts = combine({
    base: planBase(request, context, wantsRows(request)),
    body: planBody(given, bodyUse(request, 'insert'), collection, caller),
  });
  if (!parts.ok) {
    return parts;
  }
  const { base, body } = parts.value;
  if (putKey.value !== undefined && !hasKey(given, collection.primaryKey, putKey.value)) {
    return fail<Failure>({ is: 'put key mismatch' });
  }
  const conflict = planUpsert(request, body, collection, caller);
  if (!conflict.ok) {
    return conflict;
  }
  if (base.ifMatch !== undefined) {
    return planReplacement(request, { ...base, body }, context);
  }
  return ok({
    is: 'insert',
    ...base,
    body,
    atMostOne: base.atMostOne && conflict.value === undefined,
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
  const parts = combine({
    base: planBase(request, context, wantsRows(request)),
    conditions: planConditions(request.conditions, collection, caller),
    body: planBody(given, use.value ?? bodyUse(request, 'update'), collection, caller),
  });
  if (!parts.ok) {
    return parts;
  }
  const { base, conditions, body } = parts.value;
  if (base.ifMatch !== undefined && use.value !== undefined) {
    return fail<Failure>({
      is: 'unusable header',
      header: 'If-Match',
      details: 'The rows of the body are changed by their keys.',
    });
  }
  return ok({
    is: 'update',
    ...base,
    comparesVersion: base.ifMatch !== undefined || namesVersion(request, collection),
    conditions,
    body,
    atMostOne: base.atMostOne && use.value === undefined && body.columns.length > 0,
  });
}

function planDelete(request: ApiRequest, context: PlanContext): Result<DeletePlan> {
  const { collection, caller } = context;
  if (request.conditions.length === 0) {
    return fail<Failure>({ is: 'unfiltered', verb: 'DELETE' });
  }
  const parts = combine({
    base: planBase(request, context, wantsRows(request)),
    conditions: planConditions(request.conditions, collection, caller),
  });
  return parts.ok ? ok({ is: 'delete', ...parts.value.base, conditions: parts.value.conditions }) : parts;
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
