/** The common parts of all plans, and the permission for a method, which is checked before the body is read. */
import { type Collection, type Privilege, readsAllRows } from '../../../schema/collection.ts';
import type { Caller } from '../../caller/caller.ts';
import { combine, fail, ok, type Result } from '../../common/failure/result.ts';
import { notOffered } from '../request/media-type.ts';
import type { ApiRequest, Method } from '../request/request.ts';
import { isAtMostOne, isOneRow, planIfMatch } from './one-row.ts';
import type { DeletePlan } from './plan.ts';
import { planOrder } from './plan-order.ts';
import { planOutputs } from './plan-outputs.ts';
import { permittedColumns } from './resolve-field.ts';
import { planTimeZone } from './time-zone.ts';
import { largestResponse } from './work.ts';

export interface PlanContext {
  collection: Collection;
  caller: Caller;
  /** Maximum number of rows of a read. */
  maxRows: number;
}

type Base = Omit<DeletePlan, 'is' | 'conditions'>;

/** Plans the common parts of a request. `hasBody`: the response has rows, so `select` and `order` are checked. */
export function planBase(
  request: ApiRequest,
  { collection, caller }: PlanContext,
  { hasBody }: { hasBody: boolean },
): Result<Base> {
  const parts = combine({
    outputs: hasBody ? planOutputs(request.select, collection, caller) : ok([]),
    order: hasBody ? planOrder(request.order, collection, caller) : ok([]),
    ifMatch: planIfMatch(request, collection),
  });
  if (!parts.ok) {
    return parts;
  }
  const { outputs, order, ifMatch } = parts.value;
  const { mediaType, preferences, profile } = request;
  const timeZone = planTimeZone(preferences);
  if (!timeZone.ok) {
    return timeZone;
  }
  if (mediaType.is === 'plan' && !readsAllRows(caller.audience)) {
    return notOffered(mediaType);
  }
  return ok({
    collection,
    caller,
    ...(mediaType.is === 'plan' ? { mediaType: mediaType.rows, explain: mediaType } : { mediaType }),
    preferences,
    timeZone: timeZone.value,
    maxBytes: largestResponse(order),
    outputs,
    order,
    oneRow: isOneRow(request, collection, outputs),
    atMostOne: isAtMostOne(request, collection, outputs),
    ...(ifMatch !== undefined && { ifMatch }),
    ...(profile !== undefined && { profile }),
  });
}

/** The privilege that a method requires, on at least one column. */
const privileges: Record<Exclude<Method, 'DELETE'>, Privilege> = {
  GET: 'select',
  HEAD: 'select',
  POST: 'insert',
  PUT: 'insert',
  PATCH: 'update',
};

/** A context whose caller may use the method. */
export interface PermittedContext extends PlanContext {
  permitted: Method;
}

/** Checks the permission for a method. Returns the permitted context, or the failure. */
export function permit(method: Method, context: PlanContext): Result<PermittedContext> {
  const { collection, caller } = context;
  const isPermitted =
    method === 'DELETE'
      ? collection.deletableBy.includes(caller.audience)
      : permittedColumns(collection, caller, privileges[method]).length > 0;
  return isPermitted
    ? ok({ ...context, permitted: method })
    : fail({ is: 'forbidden table', collection: collection.name, authenticated: caller.kind !== 'anon' });
}
