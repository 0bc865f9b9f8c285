/**
 * Responses to OPTIONS: CORS preflights and plain ones. Every origin is allowed, because permissions depend only on
 * the key and the token, never on cookies. The response headers that pages may read are in headers.ts.
 *
 * Every request header that a page asks for is allowed too, as in PostgREST. Clients, tracing and applications add headers
 * of their own, and a browser sends no request of which one is refused. It is safe for the same reason: a page of another
 * origin has no cookie that its request would carry, so what it sends is no more than any program can send.
 */
import { limits } from '../common/limits.ts';
import type { ResponseData } from './response-data.ts';

/** Responds to OPTIONS, which needs no key. A preflight gets the CORS headers, any other request the `Allow` header. */
export const respondOptions = (request: Request, methods: string): ResponseData =>
  request.headers.has('access-control-request-method')
    ? { status: 204, headers: preflightHeaders(request, methods), body: null }
    : { status: 200, headers: { allow: methods }, body: null };

const preflightHeaders = ({ headers }: Request, methods: string): Record<string, string> => ({
  'access-control-allow-methods': methods,
  'access-control-max-age': '86400',
  ...allowHeaders(headers.get('access-control-request-headers') ?? ''),
});

/** Whether it is a token of RFC 9110, section 5.6.2, as header names are. */
const isToken = (text: string): boolean => /^[\w!#$%&'*+.^`|~-]+$/.test(text);

/** Allows the requested header names. A list longer than a header may be here is ignored; the browser then says which. */
function allowHeaders(requested: string): Record<string, string> {
  const names = requested.length > limits.request.header ? [] : requested.split(',').map(name => name.trim());
  const allowed = names.filter(isToken).join(', ');
  return allowed === '' ? {} : { 'access-control-allow-headers': allowed };
}
