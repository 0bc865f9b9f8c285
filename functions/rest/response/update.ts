/** The response to a PATCH. */
import type { UpdatePlan } from '../plan/update.ts';
import { wantsRows } from '../request/preferences.ts';
import { contentRange, writtenTotal } from './headers.ts';
import type { Status } from './response-data.ts';

/** Returns the status of a change of `rows` rows. */
export const statusOfUpdate = (plan: UpdatePlan, rows: number): Status => ({
  status: wantsRows(plan) ? 200 : 204,
  headers: { 'content-range': contentRange(0, rows, writtenTotal(rows, plan.preferences)) },
});
