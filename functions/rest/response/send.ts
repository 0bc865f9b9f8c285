/**
 * The one place where a response becomes a `Response`, with the headers of every response: of errors, preflights, /health and
 * the files of the reference page, too.
 */

import { limits } from '../../common/limits.ts';
import type { Lease } from '../../database/leases.ts';
import { largeResponses, streamLeased } from './large-response.ts';
import type { ResponseData } from './response-data.ts';

/** A response whose body may be a file of the page. */
export type Sendable = Omit<ResponseData, 'body'> & { body: string | ReadableStream | null };

/** Creates the response, with the headers that every response has. */
export const send = (request: Request, response: Sendable, requestId: string): Response =>
  new Response(bodyOf(response), {
    status: response.status,
    headers: { ...commonHeaders(request, response), ...response.headers, 'x-request-id': requestId },
  });

/** Returns the body to send. A large one is streamed, so that its lease can be released once it has been sent. */
const bodyOf = ({ body, lease }: Sendable): BodyInit | null =>
  lease && (body === null || typeof body === 'string') ? bodyWithLease(body, lease) : body;

function bodyWithLease(body: string | null, lease: Lease): ReadableStream | null {
  if (body === null) {
    largeResponses.release(lease);
    return null;
  }
  return streamLeased(body, lease);
}

/** The headers that a page of another origin may read. */
const exposed = [
  'Content-Range',
  'Content-Location',
  'Location',
  'ETag',
  'Link',
  'Preference-Applied',
  'Proxy-Status',
  'Retry-After',
  'Server-Timing',
  'X-Request-Id',
];

const everywhere = {
  'cache-control': 'private, no-store',
  'x-content-type-options': 'nosniff',
};

const forEveryOrigin = {
  ...everywhere,
  'access-control-allow-origin': '*',
  'access-control-expose-headers': exposed.join(', '),
};

/** One year, without includeSubDomains: this service doesn't decide for other hosts below its name. */
const overHttps = { 'strict-transport-security': 'max-age=31536000' };

/** Returns the headers of every response. Browsers ignore Strict-Transport-Security over http (RFC 6797, section 7.2). */
const commonHeaders = (
  { url }: Request,
  { sameOrigin }: Pick<ResponseData, 'sameOrigin'>,
): Record<string, string> => ({
  ...(sameOrigin ? everywhere : forEveryOrigin),
  ...(url.startsWith('https:') && overHttps),
});

/**
 * Responds to OPTIONS, which needs no key. A preflight gets the CORS headers, any other request the `Allow` header.
 *
 * Every origin is allowed, because permissions depend only on the key and the token, never on cookies. Every request header
 * that a page asks for is allowed too, as in PostgREST: clients, tracing and applications add headers of their own, and a
 * browser does not send a request with a header that was refused. It is safe for the same reason: a page of another origin
 * has no cookie that its request would carry.
 */
export const respondOptions = (request: Request, methods: string): ResponseData =>
  request.headers.has('access-control-request-method')
    ? { status: 204, headers: preflightHeaders(request, methods), body: null }
    : { status: 200, headers: { allow: methods }, body: null };

const preflightHeaders = ({ headers }: Request, methods: string): Record<string, string> => ({
  'access-control-allow-methods': methods,
  'access-control-max-age': '86400',
  ...allowHeaders(headers.get('access-control-request-headers') ?? ''),
});

/** Whether a text is a token (RFC 9110, section 5.6.2), as header names are. */
const isToken = (text: string): boolean => /^[\w!#$%&'*+.^`|~-]+$/.test(text);

/** Returns the header that allows the requested names. Ignores a list over the limit of a header; the browser then names them. */
function allowHeaders(requested: string): Record<string, string> {
  const names = requested.length > limits.request.header ? [] : requested.split(',').map(name => name.trim());
  const allowed = names.filter(isToken).join(', ');
  return allowed === '' ? {} : { 'access-control-allow-headers': allowed };
}
