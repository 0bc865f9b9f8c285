/** A response as data, from the stages before it becomes a Response. */

import { isToLoopback } from '../../caller/origin.ts';
import type { Failure } from '../../common/failure/failure.ts';
import { renderFailure } from '../../common/failure/render-failure.ts';
import type { Lease } from '../../database/leases.ts';

/** `Trace` adds the headers that every response has. */
export interface ResponseData {
  status: number;
  headers: Record<string, string>;
  body: string | null;
  /** The number of rows read or written, for the log. */
  rows?: number;
  /** The response comes from the response cache. */
  cached?: true;
  /** The lease for the memory of a large response. */
  lease?: Lease;
  /** Forbids pages of other origins to read it. */
  sameOrigin?: true;
}

export type Status = Pick<ResponseData, 'status' | 'headers'>;

export const jsonType = { 'content-type': 'application/json; charset=utf-8' };

/** Returns the 304 in place of a 200, with the headers that it must repeat (RFC 9110, section 15.4.5). */
export function notModified(response: ResponseData): ResponseData {
  const repeated = ['etag', 'vary', 'cache-control'];
  const headers = Object.entries(response.headers).filter(([name]) => repeated.includes(name));
  return { ...response, status: 304, headers: Object.fromEntries(headers), body: null };
}

/**
 * Responds to a request with a failure. The code of the error is in `Proxy-Status` too, as in PostgREST (RFC 9209). The response
 * to HEAD has no body, so its message and hint are there.
 */
export function respondFailure(failure: Failure, request: Request): ResponseData {
  const { status, headers, body } = renderFailure(failure, isToLoopback(request));
  const isHead = request.method === 'HEAD';
  return {
    status,
    headers: {
      ...headers,
      ...jsonType,
      'proxy-status': `PostgREST; error=${body.code}${isHead ? detailsOf(body) : ''}`,
    },
    body: isHead ? null : JSON.stringify(body),
  };
}

/** Bytes of a message in a header, at most. */
const longestDetails = 1000;

/** Returns a message and its hint as the parameter `details`: a string of RFC 9651, which has ASCII only. */
function detailsOf({ message, hint }: { message: string; hint: string | null }): string {
  const text = [message, hint].filter(Boolean).join('. ').slice(0, longestDetails);
  return `; details="${text.replaceAll(/[^\x20-\x7e]/g, '?').replaceAll(/["\\]/g, '\\$&')}"`;
}
