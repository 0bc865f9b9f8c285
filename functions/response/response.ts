/** Plan and result → ResponseData: status, headers and body as PostgREST answers them. */

import { fail, ok, type Result } from '../common/result.ts';
import type { Failure } from '../failure/failure.ts';
import { renderFailure } from '../failure/render.ts';
import type { Lease } from '../memory/byte-leases.ts';
import type { InsertPlan, Plan, ReadPlan } from '../plan/plan.ts';
import { contentType, type PlanMediaType } from '../request/media-type.ts';
import type { Preferences } from '../request/preferences.ts';
import type { StatementRow } from '../statement/statement-row.ts';
import { etagOf, matches } from './etag.ts';
import { nextLink } from './next-link.ts';

/** A response as data; what every response has besides, `Trace` adds. */
export interface ResponseData {
  status: number;
  headers: Record<string, string>;
  body: string | null;
  /** Rows read or written, for the log. */
  rows?: number;
  /** It was kept from an earlier request. */
  cached?: true;
  /** Of the memory that it takes, when it is large. */
  lease?: Lease;
}

export const jsonType = { 'content-type': 'application/json; charset=utf-8' };

/**
 * What the statement found: of a plan of at most one row that row, or none, with `body` and, depending on the plan,
 * `version` and `key`; of any other plan one row about all, with `page_total`, `total`, `more`, `last` and `inserted` too.
 */
export function respond(asked: Plan, found: StatementRow[], url: URL): Result<ResponseData> {
  const plan = isKeptInShort(asked, found) ? withoutBody(asked) : asked;
  if (plan.explain) {
    return ok(respondExplained(plan.explain, found));
  }
  const row = found[0] ?? {};
  const rows = plan.atMostOne ? found.length : Number(row.page_total);
  const body = row.body ?? (plan.mediaType.is === 'json' ? '[]' : '');
  if (plan.atMostOne && plan.ifMatch !== undefined && rows === 0) {
    return fail<Failure>({ is: 'precondition failed' });
  }
  if (plan.atMostOne && plan.mediaType.is === 'object' && rows === 0) {
    return fail<Failure>({ is: 'not singular', rows: '0' });
  }
  const shape = plan.is === 'read' ? shapeRead(plan, rows, row, url) : shapeWrite(plan, rows, row);
  if (!shape.ok) {
    return shape;
  }
  const { status, headers } = shape.value;
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
  const hasBody = plan.is === 'read' || plan.preferences.return === 'representation';
  if (hasBody) {
    headers['content-type'] = contentType(plan.mediaType);
    if (plan.profile !== undefined) {
      headers['content-profile'] = plan.profile;
    }
  }
  const sendsBody = hasBody && !(plan.is === 'read' && plan.headersOnly);
  return ok({ status, headers, body: sendsBody ? body : null, rows });
}

/**
 * An answer to an Idempotency-Key that was too large to keep, or isn't among the newest: what is known of it is which row
 * was written.
 */
const isKeptInShort = (plan: Plan, [row]: StatementRow[]): boolean =>
  plan.is === 'insert' && plan.idempotencyKey !== undefined && row?.body === null;

const withoutBody = (plan: Plan): Plan => ({
  ...plan,
  preferences: { ...plan.preferences, return: 'headers-only' },
});

/** EXPLAIN answers a line a row. */
function respondExplained(explain: PlanMediaType, lines: StatementRow[]): ResponseData {
  const body = lines.map(line => `${line['QUERY PLAN'] ?? ''}\n`).join('');
  return { status: 200, headers: { 'content-type': contentType(explain) }, body };
}

/**
 * The tag of the answer's row. What else its body depends on beside the URL is in the tag as well: the columns, since
 * `*` is not the same for all callers, the media type and the time zone.
 */
function rowEtag(plan: Plan, { version }: StatementRow): string | undefined {
  return version
    ? etagOf(
        version,
        contentType(plan.mediaType),
        plan.preferences.timezone ?? '',
        ...plan.outputs.map(({ name }) => name),
      )
    : undefined;
}

/** What a 304 repeats of the 200 it stands for (RFC 9110, section 15.4.5). */
export function notModified(answer: ResponseData): ResponseData {
  const repeated = ['etag', 'vary', 'cache-control'];
  const headers = Object.entries(answer.headers).filter(([name]) => repeated.includes(name));
  return { ...answer, status: 304, headers: Object.fromEntries(headers), body: null };
}

type Shape = Pick<ResponseData, 'status' | 'headers'>;

function shapeRead(plan: ReadPlan, rows: number, row: StatementRow, url: URL): Result<Shape> {
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
      vary: 'Accept, Accept-Profile, Prefer, Range',
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
  return total === null || total === undefined ? undefined : Number(total);
}

function shapeWrite(plan: Exclude<Plan, ReadPlan>, rows: number, row: StatementRow): Result<Shape> {
  const { count } = plan.preferences;
  const total = count === 'exact' || count === 'estimated' ? rows : undefined;
  const hasBody = plan.preferences.return === 'representation';
  switch (plan.is) {
    case 'insert':
      return ok(shapeInsert(plan, row, hasBody, contentRange(0, 0, total)));
    case 'update':
      return ok({ status: hasBody ? 200 : 204, headers: { 'content-range': contentRange(0, rows, total) } });
    case 'delete':
      return ok({ status: hasBody ? 200 : 204, headers: { 'content-range': contentRange(0, 0, total) } });
  }
}

function shapeInsert(plan: InsertPlan, row: StatementRow, hasBody: boolean, range: string): Shape {
  const inserted = plan.conflict?.resolution === 'merge' ? Number(row.inserted) : undefined;
  if (plan.put) {
    return { status: hasBody ? (inserted === 0 ? 200 : 201) : 204, headers: {} };
  }
  const key = row.key;
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

/** `0-9/100`; `*` for no rows, and for a total that was not asked for. */
function contentRange(offset: number, rows: number, total: number | undefined): string {
  return `${rows > 0 ? `${offset}-${offset + rows - 1}` : '*'}/${total ?? '*'}`;
}

/** The preferences that had a bearing on this request, in PostgREST's order. */
function preferenceApplied(plan: Plan): string {
  const { is, preferences } = plan;
  const isPut = is === 'insert' && plan.put;
  const { handling, maxAffected, timezone } = preferences;
  const applied: [name: keyof Preferences, applies: boolean][] = [
    ['resolution', is === 'insert' && !isPut],
    ['missing', (is === 'insert' && !isPut) || is === 'update'],
    ['return', is !== 'read'],
    ['count', true],
    ['tx', true],
    ['handling', true],
  ];
  return [
    ...applied.flatMap(([name, applies]) =>
      applies && preferences[name] ? [`${name}=${preferences[name]}`] : [],
    ),
    ...(timezone === undefined ? [] : [`timezone=${timezone}`]),
    ...((is === 'update' || is === 'delete') && handling === 'strict' && maxAffected !== undefined
      ? [`max-affected=${maxAffected}`]
      : []),
  ].join(', ');
}

/** A failure as an answer; `headersOnly` for HEAD, which has no body. */
export function respondFailure(failure: Failure, headersOnly: boolean): ResponseData {
  const { status, headers, body } = renderFailure(failure);
  return { status, headers: { ...headers, ...jsonType }, body: headersOnly ? null : JSON.stringify(body) };
}
