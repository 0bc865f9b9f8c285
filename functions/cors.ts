/**
 * What a browser on another origin may send and read. Any origin may: what a request can do depends on its key and
 * token alone, never on cookies.
 */
import { requestIdOf } from './request-id.ts';

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

const responseHeaders = [
  'Content-Range',
  'Content-Location',
  'Location',
  'ETag',
  'Link',
  'Preference-Applied',
  'Retry-After',
  'Server-Timing',
  'X-Request-Id',
];

/** On every answer. */
export const corsHeaders: Record<string, string> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': responseHeaders.join(', '),
};

/** The answer to OPTIONS, which needs no key: a browser's preflight, or the question which methods there are. */
export function respondOptions(request: Request, methods: string): Response {
  const headers = { ...corsHeaders, 'x-request-id': requestIdOf(request) };
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
