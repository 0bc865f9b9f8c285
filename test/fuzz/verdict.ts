/** Rules that every response must keep, whatever the request. */
import { findSql } from '../setup/secrets.ts';
import type { FuzzRequest } from './request.ts';
import type { RawResponse } from './send.ts';
import type { FuzzCaller } from './world.ts';

/** A deadlock of two writes: Postgres cancels one, and its client retries. */
const allowedFailures = ['503 40P01'];

/** What is wrong with a response, if anything. */
export function judge(request: FuzzRequest, response: RawResponse, caller: FuzzCaller): string | undefined {
  const { status, headers, text } = response;
  const body =
    /^application\/[\w.+]*json/.test(headers['content-type'] ?? '') && text !== '' ? parse(text) : undefined;
  if (body === unreadable) {
    return 'has the Content-Type of JSON, but is not JSON';
  }
  if (status >= 500 && !allowedFailures.includes(`${status} ${(body as { code?: string })?.code}`)) {
    return `is a ${status}`;
  }
  if (status >= 400 && request.method !== 'HEAD' && !isError(body)) {
    return `is a ${status} without an error body`;
  }
  if (isMisreadSql(body)) {
    return 'comes from a broken statement';
  }
  return findLeak(request, response, caller);
}

const unreadable = Symbol('unreadable');

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return unreadable;
  }
}

function isError(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) {
    return false;
  }
  const { code, message, details, hint, ...others } = body as Record<string, unknown>;
  const isTextOrNull = (value: unknown) => value === null || (typeof value === 'string' && value !== '');
  return (
    typeof code === 'string' &&
    /^[A-Z0-9]{5,8}$/.test(code) &&
    typeof message === 'string' &&
    message !== '' &&
    isTextOrNull(details) &&
    isTextOrNull(hint) &&
    Object.keys(others).every(name => name === 'issues')
  );
}

/** Whether Postgres found a statement's syntax or names wrong. A text search has a syntax of its own. */
function isMisreadSql(body: unknown): boolean {
  const { code = '', message = '' } = (body ?? {}) as { code?: string; message?: string };
  return (
    (code === '42601' && !/in tsquery|no escaped character/.test(message)) ||
    /^(?:25|2D|3D|3F|26|34|42P0[1-46])/.test(code)
  );
}

/** Text that the request itself contains is not a leak. */
function findLeak(request: FuzzRequest, { status, headers, text }: RawResponse, caller: FuzzCaller) {
  const received = `${JSON.stringify(headers)}\n${text}`;
  const sent = [request.path, request.body?.toString() ?? '', ...Object.values(request.headers)].join('\n');
  const secret = caller.secrets.find(one => received.includes(one) && !sent.includes(one));
  if (secret !== undefined) {
    return `reveals ${secret}`;
  }
  const sql = status >= 400 ? findSql(text) : undefined;
  return sql !== undefined && !decoded(sent).includes(sql) ? `shows SQL: ${sql}` : undefined;
}

const decoded = (text: string): string => {
  const bytes = text.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return `${text}\n${bytes}`;
};
