/** Plan and statement rows → ResponseData, with the status, headers and body that PostgREST sends. */

import type { Failure } from '../../common/failure/failure.ts';
import { fail, ok, type Result } from '../../common/failure/result.ts';
import type { Plan, RowsPlan } from '../plan/plan-request.ts';
import { contentType, type PlanMediaType } from '../request/media-type.ts';
import { wantsRows } from '../request/preferences.ts';
import type { StatementRow } from '../statement/statement-row.ts';
import { respondValue, statusOfCall } from './call.ts';
import { statusOfDelete } from './delete.ts';
import { etagOf, matches } from './etag.ts';
import { preferenceApplied } from './headers.ts';
import { statusOfInsert } from './insert.ts';
import { statusOfRead } from './read.ts';
import { notModified, type ResponseData, type Status } from './response-data.ts';
import { statusOfUpdate } from './update.ts';

/**
 * Makes the response of a plan. `statementRows` has the row itself, or is empty, for a plan of at most one row. It has the
 * lines of the execution plan for a plan to explain, and one row about all rows for any other plan.
 */
export function respond(requested: Plan, statementRows: StatementRow[], url: string): Result<ResponseData> {
  if (requested.is === 'value') {
    return ok(respondValue(requested, statementRows[0] ?? {}));
  }
  const plan = lacksStoredBody(statementRows) ? withoutBody(requested) : requested;
  if (plan.explain) {
    return ok(respondExplained(plan.explain, statementRows));
  }
  const row = statementRows[0] ?? {};
  const rows = plan.atMostOne ? statementRows.length : Number(row.page_total);
  const body = row.body ?? (plan.mediaType.is === 'json' ? '[]' : '');
  if (plan.atMostOne && plan.ifMatch !== undefined && rows === 0) {
    return fail<Failure>({ is: 'precondition failed' });
  }
  if (plan.atMostOne && plan.mediaType.is === 'object' && rows === 0) {
    return fail<Failure>({ is: 'not singular', rows: '0' });
  }
  const statusAndHeaders = statusOf(plan, rows, row, url);
  if (!statusAndHeaders.ok) {
    return statusAndHeaders;
  }
  const { status, headers } = statusAndHeaders.value;
  const applied = preferenceApplied(plan);
  if (applied !== '') {
    headers['preference-applied'] = applied;
  }
  const etag = rows === 1 ? rowEtag(plan, row) : undefined;
  if (etag !== undefined) {
    headers['etag'] = etag;
    if (plan.is === 'read' && matches(plan.ifNoneMatch, etag)) {
      return ok(notModified({ status, headers, body: null, rows }));
    }
  }
  const hasBody = plan.is === 'read' || wantsRows(plan);
  if (hasBody) {
    headers['content-type'] = plan.is === 'call' ? plan.contentType : contentType(plan.mediaType);
    if (plan.profile !== undefined) {
      headers['content-profile'] = plan.profile;
    }
  }
  const sendsBody = hasBody && !(plan.is === 'read' && plan.headersOnly);
  return ok({ status, headers, body: sendsBody ? body : null, rows });
}

/** Returns the status of a response, and the headers that follow from the number of rows on the page or written. */
function statusOf(plan: RowsPlan, rows: number, row: StatementRow, url: string): Result<Status> {
  switch (plan.is) {
    case 'read':
      return statusOfRead(plan, rows, row, url);
    case 'insert':
      return ok(statusOfInsert(plan, rows, row));
    case 'call':
      return ok(statusOfCall(plan, row));
    case 'update':
      return ok(statusOfUpdate(plan, rows));
    case 'delete':
      return ok(statusOfDelete(plan, rows));
  }
}

/**
 * Whether this is a retry whose first response was stored without its body, because it was too large or is no longer
 * among the newest. Only the key of the written row is known then.
 */
const lacksStoredBody = ([row]: StatementRow[]): boolean => row?.body === null;

const withoutBody = (plan: RowsPlan): RowsPlan => ({
  ...plan,
  preferences: { ...plan.preferences, return: 'headers-only' },
});

/** Responds with an execution plan: EXPLAIN returns one row per line. */
function respondExplained(explain: PlanMediaType, lines: StatementRow[]): ResponseData {
  const body = lines.map(line => `${line['QUERY PLAN'] ?? ''}\n`).join('');
  return { status: 200, headers: { 'content-type': contentType(explain) }, body };
}

/**
 * Returns the tag of a single row. It covers everything besides the URL that the body depends on: the media type, the time
 * zone and the columns, since `*` differs between callers.
 */
function rowEtag(plan: RowsPlan, { version }: StatementRow): string | undefined {
  if (!version) {
    return undefined;
  }
  return etagOf(version, [
    contentType(plan.mediaType),
    plan.preferences.timezone ?? '',
    ...plan.outputs.map(({ name }) => name),
  ]);
}
