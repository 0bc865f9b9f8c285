/** The status of a response, and the headers that follow from the numbers of rows. */
import { fail, ok, type Result } from '../common/result.ts';
import type { Failure } from '../failure/failure.ts';
import type { InsertPlan, ReadPlan, WritePlan } from '../plan/plan.ts';
import { wantsRows } from '../request/preferences.ts';
import { varyingHeaders } from '../request/varying-headers.ts';
import type { StatementRow } from '../statement/statement-row.ts';
import { nextLink } from './next-link.ts';
import { preferenceApplied } from './preference-applied.ts';
import type { ResponseData } from './response-data.ts';

type Status = Pick<ResponseData, 'status' | 'headers'>;

/** Returns the status of a read. `rows` is the number of rows on the page. */
export function statusOfRead(plan: ReadPlan, rows: number, row: StatementRow, url: URL): Result<Status> {
  const total = totalOf(plan, rows, row);
  const { offset } = plan.range;
  if (plan.mediaType.is === 'object' && rows !== 1) {
    return fail<Failure>({ is: 'not singular', rows: String(rows) });
  }
  if (total !== undefined && offset > total) {
    return fail<Failure>({
      is: 'invalid range',
      details: `An offset of ${offset} was requested, but there are only ${total} rows.`,
      headers: { 'content-range': `*/${total}`, 'preference-applied': preferenceApplied(plan) },
    });
  }
  const next = row.more === 'true' ? nextLink(plan, row.last ?? null, url) : undefined;
  return ok({
    status: total !== undefined && rows < total ? 206 : 200,
    headers: {
      'content-range': contentRange(offset, rows, total),
      vary: varyingHeaders.read.join(', '),
      ...(next && { link: next }),
    },
  });
}

function totalOf(
  { atMostOne, preferences }: ReadPlan,
  rows: number,
  { total }: StatementRow,
): number | undefined {
  if (atMostOne) {
    return preferences.count ? rows : undefined;
  }
  return total ? Number(total) : undefined;
}

/** Returns the status of a write. `rows` is the number of rows that were written. */
export function statusOfWrite(plan: WritePlan, rows: number, row: StatementRow): Status {
  const { count } = plan.preferences;
  const total = count === 'exact' || count === 'estimated' ? rows : undefined;
  const hasBody = wantsRows(plan);
  switch (plan.is) {
    case 'insert':
      return statusOfInsert(plan, row, hasBody, contentRange(0, 0, total));
    case 'update':
      return { status: hasBody ? 200 : 204, headers: { 'content-range': contentRange(0, rows, total) } };
    case 'delete':
      return { status: hasBody ? 200 : 204, headers: { 'content-range': contentRange(0, 0, total) } };
  }
}

function statusOfInsert(plan: InsertPlan, row: StatementRow, hasBody: boolean, range: string): Status {
  const inserted = plan.conflict?.resolution === 'merge' ? Number(row.inserted) : undefined;
  if (plan.put) {
    return { status: hasBody ? (inserted === 0 ? 200 : 201) : 204, headers: {} };
  }
  const { key } = row;
  const { name, primaryKey } = plan.collection;
  return {
    status: inserted === 0 ? 200 : 201,
    headers: {
      'content-range': range,
      ...(key &&
        plan.preferences.return === 'headers-only' && {
          location: `/${name}?${primaryKey}=eq.${encodeURIComponent(key)}`,
        }),
    },
  };
}

/** Writes a Content-Range, `0-9/100`; `*` stands for no rows, and for a total that was not counted. */
const contentRange = (offset: number, rows: number, total: number | undefined): string =>
  `${rows > 0 ? `${offset}-${offset + rows - 1}` : '*'}/${total ?? '*'}`;
