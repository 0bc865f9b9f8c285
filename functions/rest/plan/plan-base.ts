/** The common parts of all plans, and the permission for a method, which is checked before the body is read. */
import { type Collection, type Privilege, readsAllRows } from '../../../schema/collection.ts';
import type { Caller } from '../../caller/caller.ts';
import { combine, fail, ok, type Result } from '../../common/failure/result.ts';
import { limits } from '../../common/limits.ts';
import { notOffered } from '../request/media-type.ts';
import { type ApiRequest, isRead, type Method } from '../request/request.ts';
import { isAtMostOne, isOneRow, planIfMatch } from './one-row.ts';
import { findConditionOfWrite } from './parts.ts';
import type { PlanBase } from './plan.ts';
import { planOrder } from './plan-order.ts';
import { planSelect } from './plan-select.ts';
import { permittedColumns } from './resolve-field.ts';
import { planTimeZone } from './time-zone.ts';

export interface PlanContext {
  collection: Collection;
  caller: Caller;
  /** Maximum number of rows of a read. */
  maxRows: number;
}

const nothing: Pick<PlanBase, 'outputs' | 'parts'> = { outputs: [], parts: [] };

/** Plans the common parts of a request. `hasBody`: the response has rows, so `select` and `order` are checked. */
export function planBase(
  request: ApiRequest,
  { collection, caller, maxRows }: PlanContext,
  { hasBody }: { hasBody: boolean },
): Result<PlanBase> {
  const { embedded } = request;
  // Without rows in the response, a filter on embedded rows is still checked: it must not be taken for one on the rows.
  const items = hasBody ? request.select : request.select.filter(({ is }) => is === 'embedding');
  const select = planSelect(items, { collection, caller, maxRows, embedded, level: 1 });
  if (!select.ok) {
    return select;
  }
  const narrowing = isRead(request.method)
    ? undefined
    : findConditionOfWrite(request, collection, select.value.parts);
  if (narrowing) {
    return fail(narrowing);
  }
  const { outputs, parts } = hasBody ? select.value : nothing;
  const planned = combine({
    order: hasBody ? planOrder(request.order, collection, caller, parts) : ok([]),
    ifMatch: planIfMatch(request, collection),
  });
  if (!planned.ok) {
    return planned;
  }
  const { order, ifMatch } = planned.value;
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
    maxBytes: limits.response.bytes,
    outputs,
    parts,
    order,
    // The version of a row does not cover what is embedded in it.
    oneRow: parts.length === 0 && isOneRow(request, collection, outputs),
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
