/**
 * What a browser on another origin may send. Any origin may: what a request can do depends on its key and token
 * alone, never on cookies. What it may read is in response-headers.ts.
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

/** The answer to OPTIONS, which needs no key: a browser's preflight, or the question which methods there are. */
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
