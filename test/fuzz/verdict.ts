/** What no answer may be, whatever was asked. */
import { findSql } from '../setup/secrets.ts';
import type { FuzzRequest } from './request.ts';
import type { FuzzAnswer } from './send.ts';
import type { FuzzCaller } from './world.ts';

/** Two writes that wait for each other: Postgres ends one, and its client tries again. */
const allowedFailures = ['503 40P01'];

/** What anybody may read without a key: the page, its files, and whether the database is there. */
const isPublic = ({ path, method }: FuzzRequest): boolean =>
  method === 'OPTIONS' || /^\/(?:[?#]|$|health|reference\/)/.test(path.replace(/^\/\.\.\//, '/'));

/** What is wrong with an answer, if anything. */
export function judge(request: FuzzRequest, answer: FuzzAnswer, caller: FuzzCaller): string | undefined {
  const { status, headers, text } = answer;
  const body =
    /^application\/[\w.+]*json/.test(headers['content-type'] ?? '') && text !== '' ? parse(text) : undefined;
  if (body === unreadable) {
    return 'says it is JSON, and is not';
  }
  if (status >= 500 && !allowedFailures.includes(`${status} ${(body as { code?: string })?.code}`)) {
    return `is a ${status}`;
  }
  if (status >= 400 && request.method !== 'HEAD' && !isError(body)) {
    return `is a ${status} without an error body`;
  }
  if (isMisreadSql(body)) {
    return 'comes of a broken statement';
  }
  if (caller.kind === 'nobody' && status < 400 && !isPublic(request)) {
    return `lets nobody in with ${status}`;
  }
  return findLeak(request, answer, caller);
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

/**
 * What Postgres says of a statement that is none, or of names that no statement of this service has. A text search has
 * a syntax of its own.
 */
function isMisreadSql(body: unknown): boolean {
  const { code = '', message = '' } = (body ?? {}) as { code?: string; message?: string };
  return (
    (code === '42601' && !/in tsquery|no escaped character/.test(message)) ||
    /^(?:25|2D|3D|3F|26|34|42P0[1-46])/.test(code)
  );
}

/** What the request itself brought is no secret from who sent it. */
function findLeak(request: FuzzRequest, { status, headers, text }: FuzzAnswer, caller: FuzzCaller) {
  const answered = `${JSON.stringify(headers)}\n${text}`;
  const asked = [request.path, request.body?.toString() ?? '', ...Object.values(request.headers)].join('\n');
  const secret = caller.secrets.find(one => answered.includes(one) && !asked.includes(one));
  if (secret !== undefined) {
    return `tells of ${secret}`;
  }
  const sql = status >= 400 ? findSql(text) : undefined;
  return sql !== undefined && !decoded(asked).includes(sql) ? `shows SQL: ${sql}` : undefined;
}

const decoded = (text: string): string => {
  const bytes = text.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return `${text}\n${bytes}`;
};
