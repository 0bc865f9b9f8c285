/** The plan of a DELETE. */
import type { Failure } from '../../common/failure/failure.ts';
import { combine, fail, ok, type Result } from '../../common/failure/result.ts';
import { wantsRows } from '../request/preferences.ts';
import type { ApiRequest } from '../request/request.ts';
import { planFilters } from './plan-conditions.ts';
import { type PlanContext, planOfRows } from './plan-of-rows.ts';
import type { PlannedCondition, PlanOfRows } from './planned.ts';

export interface DeletePlan extends PlanOfRows {
  is: 'delete';
  conditions: PlannedCondition[];
}

export function planDelete(request: ApiRequest, context: PlanContext): Result<DeletePlan> {
  const { collection, caller } = context;
  if (request.conditions.length === 0) {
    return fail<Failure>({ is: 'unfiltered', verb: 'DELETE', key: collection.primaryKey });
  }
  const planned = combine({
    base: planOfRows(request, context, { returnsRows: wantsRows(request) }),
    conditions: planFilters(request.conditions, collection, caller, []),
  });
  return planned.ok
    ? ok({ is: 'delete', ...planned.value.base, conditions: planned.value.conditions })
    : planned;
}
