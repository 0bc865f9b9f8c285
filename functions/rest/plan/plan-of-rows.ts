/** The common parts of plans of rows, and the permission for a method, which is checked before the body is read. */
import { type Collection, type Privilege, readsAllRows } from '../../../schema/collection.ts';
import { relationsOf } from '../../../schema/relations.ts';
import type { Caller } from '../../caller/caller.ts';
import type { Failure } from '../../common/failure/failure.ts';
import { combine, fail, ok, type Result } from '../../common/failure/result.ts';
import { limits } from '../../common/limits.ts';
import { notOffered } from '../request/media-type.ts';
import { type ApiRequest, type Condition, isRead, type Method } from '../request/request.ts';
import { isAtMostOne, isOneRow, planIfMatch } from './one-row.ts';
import { planOrder } from './plan-order.ts';
import { planSelect } from './plan-select.ts';
import type { Part, PlanOfRows } from './planned.ts';
import { findColumn, permittedColumns } from './resolve-field.ts';
import { planTimeZone } from './time-zone.ts';

/** Who asks, and for how much. */
export interface Requested {
  caller: Caller;
  /** Maximum number of rows of a read. */
  maxRows: number;
  /** The collections that the service describes, whose rows may be embedded. */
  collections: readonly Collection[];
}

export interface PlanContext extends Requested {
  collection: Collection;
}

const nothing: Pick<PlanOfRows, 'outputs' | 'parts'> = { outputs: [], parts: [] };

/** Plans the common parts of a request. `returnsRows`: the response has rows, so `select` and `order` are checked. */
export function planOfRows(
  request: ApiRequest,
  context: PlanContext,
  { returnsRows }: { returnsRows: boolean },
): Result<PlanOfRows> {
  const { collection, caller } = context;
  const { embedded } = request;
  // Without rows in the response, a filter on embedded rows is still checked: it must not be taken for one on the rows.
  const items = returnsRows ? request.select : request.select.filter(({ is }) => is === 'embedding');
  const select = planSelect(items, { ...context, embedded, level: 1 });
  if (!select.ok) {
    return select;
  }
  const narrowing = isRead(request.method)
    ? undefined
    : findConditionOfWrite(request, context, select.value.parts);
  if (narrowing) {
    return fail(narrowing);
  }
  const { outputs, parts } = returnsRows ? select.value : nothing;
  const planned = combine({
    order: returnsRows ? planOrder(request.order, collection, caller, parts) : ok([]),
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
    hasVersion: parts.length === 0 && isOneRow(request, collection, outputs),
    atMostOne: isAtMostOne(request, collection, outputs),
    ...(ifMatch !== undefined && { ifMatch }),
    ...(profile !== undefined && { profile }),
  });
}

/**
 * Finds a condition on related rows in a write. It would only narrow what the response shows, and a caller would take it for a
 * condition of the write.
 */
function findConditionOfWrite(
  { method, conditions }: ApiRequest,
  { collection, collections }: PlanContext,
  parts: Part[],
): Failure | undefined {
  const related = [
    ...parts.map(part => part.name),
    ...relationsOf(collection, collections).map(({ to }) => to.name),
  ];
  const filtered = method === 'POST' ? [] : namesIn(conditions);
  const name =
    parts.find(({ inner }) => inner)?.name ??
    filtered.find(one => related.includes(one) && findColumn(collection, one) === undefined);
  return name === undefined
    ? undefined
    : { is: 'condition on related rows', name, method, key: collection.primaryKey };
}

const namesIn = (conditions: Condition[]): string[] =>
  conditions.flatMap(condition =>
    condition.is === 'filter' ? condition.field.name : namesIn(condition.conditions),
  );

/** The privilege that a method requires, on at least one column. */
const privileges: Record<Exclude<Method, 'DELETE'>, Privilege> = {
  GET: 'select',
  HEAD: 'select',
  POST: 'insert',
  PUT: 'insert',
  PATCH: 'update',
};

/** Checks the permission for a method. */
export function permitMethod(method: Method, collection: Collection, { caller }: Requested): Result<unknown> {
  const isPermitted =
    method === 'DELETE'
      ? collection.deletableBy.includes(caller.audience)
      : permittedColumns(collection, caller, privileges[method]).length > 0;
  return isPermitted
    ? ok(undefined)
    : fail({
        is: 'forbidden table',
        collection: collection.name,
        authenticated: caller.kind !== 'anon',
        ...(collection.readOnly !== undefined && { hint: collection.readOnly }),
      });
}
