/** The parts that all plans have in common. */
import { type Collection, readsAllRows } from '../../schema/collection.ts';
import type { Caller } from '../caller/caller.ts';
import { combine, fail, ok, type Result } from '../common/result.ts';
import type { Failure } from '../failure/failure.ts';
import { notOffered } from '../request/media-type.ts';
import type { ApiRequest } from '../request/request.ts';
import { isAtMostOne, isOneRow, planIfMatch } from './one-row.ts';
import type { DeletePlan } from './plan.ts';
import { planOrder } from './plan-order.ts';
import { planOutputs } from './plan-outputs.ts';
import { findTimeZone } from './time-zone.ts';
import { largestResponse } from './work.ts';

export interface PlanContext {
  collection: Collection;
  caller: Caller;
  /** The most rows that a read returns. */
  maxRows: number;
}

export type Base = Omit<DeletePlan, 'is' | 'conditions'>;

/** Plans what every request has. `hasBody`: the response has rows, so `select` and `order` are checked. */
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
  const timeZone = findTimeZone(preferences.timezone ?? 'UTC');
  if (timeZone === undefined) {
    return fail<Failure>({
      is: 'invalid value',
      sqlstate: '22023',
      message: `invalid value for parameter "TimeZone": "${preferences.timezone}"`,
      hint: 'A time zone is one of the tz database, as Europe/Berlin, or an offset in quarters of an hour, as +05:30.',
    });
  }
  if (mediaType.is === 'plan' && !readsAllRows(caller.audience)) {
    return notOffered(mediaType);
  }
  return ok({
    collection,
    caller,
    ...(mediaType.is === 'plan' ? { mediaType: mediaType.rows, explain: mediaType } : { mediaType }),
    preferences,
    timeZone,
    maxBytes: largestResponse(order),
    outputs,
    order,
    oneRow: isOneRow(request, collection, outputs),
    atMostOne: isAtMostOne(request, collection, outputs),
    ...(ifMatch !== undefined && { ifMatch }),
    ...(profile !== undefined && { profile }),
  });
}
