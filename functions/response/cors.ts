/**
 * Responses to OPTIONS: CORS preflights and plain ones. Every origin is allowed, because permissions depend only on
 * the key and the token, never on cookies. The response headers that pages may read are in headers.ts.
 */
import { requestIdOf } from '../request/request-id.ts';
import { commonHeaders } from './headers.ts';

/** The syntax of a header's name (RFC 9110, section 5.6.2). */
const isName = (text: string): boolean => /^[\w!#$%&'*+.^`|~-]+$/.test(text);

/**
 * The headers that the preflight asks for. All may be sent, as to PostgREST: clients and pages add their own, and what
 * means nothing here is ignored.
 */
const askedBy = ({ headers }: Request): string[] =>
  (headers.get('access-control-request-headers') ?? '')
    .split(',')
    .map(name => name.trim())
    .filter(isName);

/** OPTIONS needs no key. A preflight gets the CORS headers, any other request the `Allow` header. */
export function respondOptions(request: Request, methods: string): Response {
  const headers = { ...commonHeaders(request), 'x-request-id': requestIdOf(request) };
  return request.headers.has('access-control-request-method')
    ? new Response(null, {
        status: 204,
        headers: {
          ...headers,
          'access-control-allow-methods': methods,
          'access-control-allow-headers': askedBy(request).join(', '),
          'access-control-max-age': '86400',
        },
      })
    : new Response(null, { headers: { ...headers, allow: methods } });
}
