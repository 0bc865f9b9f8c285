/** ApiRequest → Plan: checks the request against what it is for, and the caller's permissions. */
import type { Collection } from '../../../schema/collection.ts';
import type { DatabaseFunction } from '../../../schema/function.ts';
import { fail, ok, type Result } from '../../common/failure/result.ts';
import type { ApiRequest } from '../request/request.ts';
import { type CallPlan, permitCall, planCall, type ValuePlan } from './call.ts';
import { type DeletePlan, planDelete } from './delete.ts';
import { type InsertPlan, planInsert } from './insert.ts';
import { type PlanContext, permitMethod, type Requested } from './plan-of-rows.ts';
import { planRead, type ReadPlan } from './read.ts';
import { readCells } from './read-cells.ts';
import { planUpdate, type UpdatePlan } from './update.ts';
import { findCostly } from './work.ts';

/** A plan whose response has rows that it wrote. */
export type WritePlan = InsertPlan | UpdatePlan | DeletePlan | CallPlan;

/** A plan of rows. */
export type RowsPlan = ReadPlan | WritePlan;

/** A plan refers to the collection and contains no HTTP syntax: the input of the statement stage. */
export type Plan = RowsPlan | ValuePlan;

/** What a request is for: rows of a collection, or the result of a function. */
export type Target = { collection: Collection } | { called: DatabaseFunction };

/** A target that the caller may use in this way. */
export type Permitted = Target & Requested & { permitted: true };

/** Checks the permission, before the body is read. */
export function permit(head: ApiRequest, target: Target, requested: Requested): Result<Permitted> {
  const permission =
    'called' in target
      ? permitCall(head, target.called, requested)
      : permitMethod(head.method, target.collection, requested);
  return permission.ok ? ok({ ...target, ...requested, permitted: true }) : permission;
}

/** Plans a request that is permitted. */
export function planRequest(request: ApiRequest, context: Permitted): Result<Plan> {
  const plan = 'called' in context ? planCall(request, context.called, context) : planRows(request, context);
  const excess =
    plan.ok &&
    plan.value.is !== 'value' &&
    findCostly({ conditions: [], ...plan.value }, context.caller.audience);
  return excess ? fail(excess) : plan;
}

function planRows(request: ApiRequest, context: PlanContext): Result<RowsPlan> {
  const body = request.body && readCells(request.body, context.collection);
  if (body?.ok === false) {
    return body;
  }
  return planMethod(body ? { ...request, body: body.value } : request, context);
}

function planMethod(request: ApiRequest, context: PlanContext): Result<RowsPlan> {
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
