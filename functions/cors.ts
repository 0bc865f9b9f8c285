/**
 * What a browser on another origin may send and read. Any origin may: what a request can do depends on its key and
 * token alone, never on cookies.
 */
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
  return request.headers.has('access-control-request-method')
    ? respondPreflight(methods)
    : new Response(null, { headers: { ...corsHeaders, allow: methods } });
}

function respondPreflight(methods: string): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...corsHeaders,
      'access-control-allow-methods': methods,
      'access-control-allow-headers': requestHeaders.join(', '),
      'access-control-max-age': '86400',
    },
  });
}
