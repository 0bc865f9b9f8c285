/** The response to a call of a function. */
import type { CallPlan, ValuePlan } from '../plan/call.ts';
import { contentType } from '../request/media-type.ts';
import { wantsRows } from '../request/preferences.ts';
import type { StatementRow } from '../statement/statement-row.ts';
import { contentRange, preferenceApplied, writtenTotal } from './headers.ts';
import { locationOf } from './insert.ts';
import type { ResponseData, Status } from './response-data.ts';

/** Returns the status of a call that returns a row: 201 for a retry whose response was stored without its body. */
export const statusOfCall = (plan: CallPlan, row: StatementRow): Status => ({
  status: wantsRows(plan) ? 200 : 201,
  headers: {
    'content-range': contentRange(0, 0, writtenTotal(1, plan.preferences)),
    ...locationOf(plan, row),
  },
});

/** Responds with a value. */
export function respondValue(plan: ValuePlan, { body }: StatementRow): ResponseData {
  const applied = preferenceApplied(plan);
  return {
    status: 200,
    headers: {
      'content-type': contentType(plan.mediaType),
      ...(applied !== '' && { 'preference-applied': applied }),
    },
    body: body ?? 'null',
  };
}
