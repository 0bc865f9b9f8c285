/**
 * Responses to OPTIONS: CORS preflights and plain ones. Every origin is allowed, because permissions depend only on
 * the key and the token, never on cookies. The response headers that pages may read are in headers.ts.
 */
import { requestIdOf } from '../request/request-id.ts';
import { commonHeaders } from './headers.ts';

const requestHeaders = [
  'accept',
  'apikey',
  'authorization',
  'content-type',
  'prefer',
  'range',
  'range-unit',
  'accept-profile',
  'content-profile',
  'x-client-info',
  'x-retry-count',
  'x-request-id',
  'idempotency-key',
  'if-match',
  'if-none-match',
  'traceparent',
  'tracestate',
  'baggage',
];

/** OPTIONS needs no key. A preflight gets the CORS headers, any other request the `Allow` header. */
export function respondOptions(request: Request, methods: string): Response {
  const headers = { ...commonHeaders(request), 'x-request-id': requestIdOf(request) };
  return request.headers.has('access-control-request-method')
    ? new Response(null, {
        status: 204,
        headers: {
          ...headers,
          'access-control-allow-methods': methods,
          'access-control-allow-headers': requestHeaders.join(', '),
          'access-control-max-age': '86400',
        },
      })
    : new Response(null, { headers: { ...headers, allow: methods } });
}
