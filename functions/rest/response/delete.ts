/** The response to a DELETE. */
import type { DeletePlan } from '../plan/delete.ts';
import { wantsRows } from '../request/preferences.ts';
import { contentRange, writtenTotal } from './headers.ts';
import type { Status } from './response-data.ts';

/** Returns the status of a removal of `rows` rows, of which none is in the range. */
export const statusOfDelete = (plan: DeletePlan, rows: number): Status => ({
  status: wantsRows(plan) ? 200 : 204,
  headers: { 'content-range': contentRange(0, 0, writtenTotal(rows, plan.preferences)) },
});
