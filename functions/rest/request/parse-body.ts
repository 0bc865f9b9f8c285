/**
 * Parses the request body (JSON, CSV or a form) into one JSON text for Postgres and into values for validation. JSON
 * from the client reaches Postgres unchanged, since JavaScript would round large numbers.
 */

import { createHash } from 'node:crypto';
import type { Failure } from '../../common/failure/failure.ts';
import { fail, ok, type Result } from '../../common/failure/result.ts';
import { limits } from '../../common/limits.ts';
import { parseCsv } from './csv.ts';
import { findJsonExcess, notRows, tooManyColumns, tooManyRows } from './json-excess.ts';
import { isForSpreadsheets, readMediaType } from './media-type.ts';
import { isHeaderTooLong } from './query-excess.ts';
import { type ApiRequest, type Body, type BodyRow, type CellRow, varyingHeaders } from './request.ts';

export interface HttpContent {
  contentType: string | null;
  /** The body; empty without one. */
  text: string;
  /** Present for a request with an Idempotency-Key. */
  fingerprint?: string;
}

export const contentOf = (request: Request, { idempotencyKey }: ApiRequest, text: string): HttpContent => ({
  contentType: request.headers.get('content-type'),
  text,
  ...(idempotencyKey !== undefined && { fingerprint: fingerprintOf(request, text) }),
});

const noMembers: Body = { json: '{}', isArray: false, rows: [{}] };

/** Adds the parsed body to the request. One that `mayBeEmpty` is an object without members, of any type. */
export function parseContent(
  request: ApiRequest,
  content: HttpContent,
  mayBeEmpty = false,
): Result<ApiRequest> {
  const { contentType, text, fingerprint } = content;
  if (isHeaderTooLong(contentType)) {
    return fail<Failure>({ is: 'header too long' });
  }
  const isEmpty = mayBeEmpty && /^\s*(?:\{\s*\}\s*)?$/.test(text);
  const body = isEmpty ? ok(noMembers) : parseBody(contentType, text);
  return body.ok
    ? ok({ ...request, body: body.value, ...(fingerprint !== undefined && { fingerprint }) })
    : body;
}

const invalid = (message: string, details?: string): Result<Body> =>
  fail<Failure>({ is: 'invalid body', message, ...(details !== undefined && { details }) });

export function parseBody(contentType: string | null, text: string): Result<Body> {
  if (text.includes('\0')) {
    return invalid('The body contains a NUL character');
  }
  const mediaType = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  switch (mediaType) {
    case '':
    case 'application/json':
    case 'application/vnd.pgrst.array+json':
      return parseJson(text);
    case 'text/csv': {
      if (isForSpreadsheets(readMediaType(contentType ?? '').parameters)) {
        return fail<Failure>({ is: 'spreadsheet body' });
      }
      const rows = parseCsv(text);
      return rows.ok ? ok(fromCells(rows.value)) : rows;
    }
    case 'application/x-www-form-urlencoded': {
      if (/^\s*[[{]/.test(text)) {
        return invalid(
          'The body is JSON, but its Content-Type says it is a form',
          'Send JSON as application/json.',
        );
      }
      if (text.split('&', limits.body.columns + 1).length > limits.body.columns) {
        return fail(tooManyColumns);
      }
      const row = Object.fromEntries(new URLSearchParams(text));
      return ok({ json: JSON.stringify(row), isArray: false, rows: [row], hasCells: true });
    }
    default:
      return invalid(
        `Content-Type not acceptable: ${mediaType}`,
        'Use application/json, text/csv or application/x-www-form-urlencoded.',
      );
  }
}

function parseJson(text: string): Result<Body> {
  const excess = findJsonExcess(text);
  if (excess) {
    return fail(excess);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return invalid('Empty or invalid json');
  }
  const rows = Array.isArray(value) ? value : [value];
  const invalidIndex = rows.findIndex(row => typeof row !== 'object' || row === null || Array.isArray(row));
  if (invalidIndex >= 0) {
    return fail(
      notRows(Array.isArray(value) ? `Element ${invalidIndex} of the array is not an object.` : undefined),
    );
  }
  return rows.length > limits.body.rows
    ? fail(tooManyRows)
    : ok({ json: text, isArray: Array.isArray(value), rows: rows as BodyRow[] });
}

const fromCells = (rows: CellRow[]): Body => ({
  json: JSON.stringify(rows),
  isArray: true,
  rows,
  hasCells: true,
});

/**
 * Returns the fingerprint of a request with an Idempotency-Key: a retry has the same one, a different request with the same
 * key has another. It covers everything the response depends on except the caller, since keys are stored per caller. The body
 * comes last and is not copied, since it may be long.
 */
export function fingerprintOf({ method, url, headers }: Request, body: string): string {
  const { pathname, search } = new URL(url);
  const parts = [method, pathname, search, ...varyingHeaders.write.map(name => headers.get(name))];
  return createHash('sha256').update(JSON.stringify(parts)).update(body).digest('hex');
}
