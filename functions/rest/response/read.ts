/** The response to a GET or HEAD: its status, its range, and the link to the next page. */

import type { Failure } from '../../common/failure/failure.ts';
import { fail, ok, type Result } from '../../common/failure/result.ts';
import { limits } from '../../common/limits.ts';
import type { PlannedOrder } from '../plan/planned.ts';
import type { ReadPlan } from '../plan/read.ts';
import { decode } from '../request/query-string.ts';
import { varyingHeaders } from '../request/request.ts';
import type { StatementRow } from '../statement/statement-row.ts';
import { contentRange, preferenceApplied } from './headers.ts';
import type { Status } from './response-data.ts';

/** Returns the status of a read. `rows` is the number of rows on the page. */
export function statusOfRead(plan: ReadPlan, rows: number, row: StatementRow, url: string): Result<Status> {
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
    // supabase-js returns the status, and shows no header.
    status: (total !== undefined && rows < total) || row.cut === 'true' ? 206 : 200,
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

/**
 * Returns the Link header (RFC 8288) with the URL of the next page. When the order is unique, that page begins after the
 * keyset of this page's last row, so that concurrent inserts and deletes don't shift it. Otherwise, or when the keyset is too
 * long for a URL, it begins at an offset. `last` is that keyset, a JSON array of texts.
 */
function nextLink(plan: ReadPlan, last: string | null, url: string): string | undefined {
  const { limit, offset } = plan.range;
  if (limit === 0) {
    return undefined;
  }
  const { pathname, search } = new URL(url);
  const parameters = search
    .slice(1)
    .split(/[&;]/)
    .filter(part => part !== '' && !/^(?:limit|offset)=/.test(decode(part)));
  const { keyset = [] } = plan;
  // No comparison matches null, which only the database's owner can write into a column of a keyset.
  const values: (string | null)[] = last === null ? [null] : JSON.parse(last);
  const behind = values.every(value => value !== null) ? keysetFilter(keyset, values) : undefined;
  const next =
    behind !== undefined && behind.length <= limits.query.keyset
      ? [...parameters.filter(part => !isKeyset(part, keyset)), behind]
      : [...parameters, `offset=${offset + limit}`];
  return `<${pathname}?${[...next, `limit=${limit}`].join('&')}>; rel="next"`;
}

const comparison = ({ direction }: PlannedOrder): string => (direction === 'desc' ? 'lt' : 'gt');

/**
 * Writes the filter `id=gt.5`, or of several columns `and=(sport.gte."golf",or(sport.gt."golf",id.gt."5"))`. By its
 * first part Postgres finds the place in an index.
 */
function keysetFilter(keyset: PlannedOrder[], values: string[]): string {
  const [first] = keyset;
  return keyset.length === 1 && first
    ? `${first.field.column}=${comparison(first)}.${encodeURIComponent(values[0] ?? '')}`
    : encodeURIComponent(beyond(keyset, values)).replace(/^and/, 'and=');
}

/** Returns the condition of the rows behind these values; nested once for each further column. */
function beyond([first, ...others]: PlannedOrder[], [value, ...further]: string[]): string {
  if (first === undefined) {
    return '';
  }
  const { column } = first.field;
  const compared = (operator: string): string => `${column}.${operator}.${quoted(value)}`;
  const isBeyond = compared(comparison(first));
  return others.length === 0
    ? isBeyond
    : `and(${compared(`${comparison(first)}e`)},or(${isBeyond},${beyond(others, further)}))`;
}

const quoted = (value = ''): string => `"${value.replace(/["\\]/g, '\\$&')}"`;

/**
 * Whether a parameter is the keyset of an earlier page. It is replaced, so that links don't grow. A client's own
 * filter of the same shape may be replaced too, since the new keyset implies it.
 */
function isKeyset(parameter: string, keyset: PlannedOrder[]): boolean {
  const shape = (text: string): string => decode(text).replace(/"(?:[^"\\]|\\.)*"?/gs, '""');
  const [first] = keyset;
  return keyset.length === 1 && first
    ? parameter.startsWith(`${first.field.column}=${comparison(first)}.`)
    : shape(parameter) === shape(keysetFilter(keyset, []));
}
