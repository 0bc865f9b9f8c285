/** The plan of a GET or HEAD. */
import { ok, type Result } from '../../common/failure/result.ts';
import type { ApiRequest, Range } from '../request/request.ts';
import { requireInner } from './parts.ts';
import { planFilters } from './plan-conditions.ts';
import { type PlanContext, planOfRows } from './plan-of-rows.ts';
import { breakTies, planKeyset } from './plan-order.ts';
import type { PlannedCondition, PlannedOrder, PlanOfRows } from './planned.ts';

export interface ReadPlan extends PlanOfRows {
  is: 'read';
  conditions: PlannedCondition[];
  headersOnly: boolean;
  range: Required<Range>;
  /** `count=estimated` counts exactly up to this number of rows. */
  maxRows: number;
  /** The columns of a unique order. Their values in the last row mark the beginning of the next page. */
  keyset?: PlannedOrder[];
  /** The ETags of the representations that the client has. */
  ifNoneMatch?: string;
}

export function planRead(request: ApiRequest, context: PlanContext): Result<ReadPlan> {
  const base = planOfRows(request, context, { returnsRows: true });
  if (!base.ok) {
    return base;
  }
  const { outputs, parts } = base.value;
  const conditions = planFilters(request.conditions, context.collection, context.caller, parts);
  if (!conditions.ok) {
    return conditions;
  }
  const limit = Math.min(request.range.limit ?? context.maxRows, context.maxRows);
  const order = breakTies(base.value.order, outputs, context.collection);
  const keyset = planKeyset(outputs, order, context.collection);
  const headersOnly = request.method === 'HEAD';
  // The response cache needs a complete response: for its collections, If-None-Match is evaluated after the cache.
  const isCacheable = context.collection.cached !== undefined;
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
