/** The response to a POST or PUT: its status, and where the new row is. */
import type { InsertPlan } from '../plan/insert.ts';
import type { PlanOfRows } from '../plan/planned.ts';
import { wantsRows } from '../request/preferences.ts';
import type { StatementRow } from '../statement/statement-row.ts';
import { contentRange, writtenTotal } from './headers.ts';
import type { Status } from './response-data.ts';

/** Returns the status of an insert of `rows` rows. */
export function statusOfInsert(plan: InsertPlan, rows: number, row: StatementRow): Status {
  const inserted = plan.conflict?.resolution === 'merge' ? Number(row.inserted) : undefined;
  if (plan.put) {
    return { status: wantsRows(plan) ? (inserted === 0 ? 200 : 201) : 204, headers: {} };
  }
  return {
    status: inserted === 0 ? 200 : 201,
    headers: {
      'content-range': contentRange(0, 0, writtenTotal(rows, plan.preferences)),
      ...locationOf(plan, row),
    },
  };
}

/** Returns the header with the address of the one new row, in place of its body. */
export const locationOf = (
  { collection: { name, primaryKey }, preferences }: PlanOfRows,
  { key }: StatementRow,
): { location?: string } =>
  key && preferences.return === 'headers-only'
    ? { location: `/${name}?${primaryKey}=eq.${encodeURIComponent(key)}` }
    : {};
