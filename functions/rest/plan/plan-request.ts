/** ApiRequest → Plan: checks the request against the collection and the caller's permissions. */
import { fail, type Result } from '../../common/failure/result.ts';
import type { ApiRequest } from '../request/request.ts';
import { type DeletePlan, planDelete } from './delete.ts';
import { type InsertPlan, planInsert } from './insert.ts';
import type { PermittedContext, PlanContext } from './plan-base.ts';
import { planRead, type ReadPlan } from './read.ts';
import { readCells } from './read-cells.ts';
import { planUpdate, type UpdatePlan } from './update.ts';
import { findCostly } from './work.ts';

export type WritePlan = InsertPlan | UpdatePlan | DeletePlan;

/** A plan refers to the collection and contains no HTTP syntax: the input of the statement stage. */
export type Plan = ReadPlan | WritePlan;

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
