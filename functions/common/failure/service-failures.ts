/** Failures of credentials, of the database, and of the service itself. */
import { limits } from '../limits.ts';
import { type FailureRow, type FailureRows, refusal } from './failure.ts';
import { renderForbidden, renderIssue } from './issue.ts';
import { statusOf } from './sqlstates.ts';

const { periodSeconds } = limits.rate;

const challenge = (description: string): Record<string, string> => ({
  'www-authenticate': `Bearer error="invalid_token", error_description="${description.replace(/["\\]/g, '')}"`,
});

/** Details and hints for errors that Postgres reports without any. */
const advice: Record<string, Pick<FailureRow, 'details' | 'hint'>> = {
  '22003': {
    hint: 'A number, or a result of a calculation, is too large for its type. Send a smaller number, or cast it to numeric.',
  },
  '54000': { hint: 'Request less at a time, or send a smaller value.' },
  '54001': { hint: 'Nest lists, objects and conditions less deeply.' },
  '57014': {
    details: `A request may take at most ${limits.database.statementTimeout / 1000} seconds in the database.`,
    hint: 'Request fewer rows, filter by an indexed column, simplify the search, or omit the count.',
  },
};

const signInAgain =
  'Sign in again, and send the new token as Authorization: Bearer <access token>. The apikey is the publishable key of this service.';

const misconfigured = {
  status: 500,
  code: 'PGRSTX00',
  message: 'The service is not configured correctly',
};

export const serviceFailures = {
  'credentials missing': ({ what }) => ({
    status: 401,
    code: 'PGRST302',
    message: `The request has no ${what}`,
    hint: 'Send apikey: <key> with every request, and Authorization: Bearer <access token> when a user is signed in.',
    headers: { 'www-authenticate': 'Bearer' },
  }),
  'credentials refused': ({ message }) => ({
    status: 401,
    code: 'PGRST301',
    message,
    hint: signInAgain,
    headers: challenge(message),
  }),
  'claims refused': ({ message }) => ({
    status: 401,
    code: 'PGRST303',
    message,
    hint: signInAgain,
    headers: challenge(message),
  }),
  'secret in browser': ({ kind }) => ({
    status: 401,
    code: 'PT401',
    message:
      kind === 'reader'
        ? 'A read key must not be used in a browser'
        : 'A secret key, or a token with role service_role, must not be used in a browser',
    details: `Anyone who opens the page can copy it and ${kind === 'reader' ? 'read' : 'change'} everything.`,
    hint: 'Rotate it now. In a page, use the publishable key and the access token of the signed-in user. A server that forwards the headers of a browser must drop Sec-Fetch-Site and Origin.',
    headers: challenge('A secret key must not be used in a browser'),
  }),
  'read key': ({ refused }) => ({
    status: 403,
    code: '42501',
    ...(refused === 'write'
      ? {
          message: 'A read key cannot write or call functions',
          hint: 'Use it for GET and HEAD only. To write, use the secret key, or the publishable key and the access token of a signed-in user.',
        }
      : {
          message: 'A read key cannot receive live updates',
          hint: 'Poll instead, with a filter on the time of the last change.',
        }),
  }),
  'rate limited': () => ({
    status: 429,
    code: 'PT429',
    message: 'Too many requests in a short time',
    details: `Requests are counted over ${periodSeconds} seconds: per account, or per address for callers who are not signed in.`,
    hint: `Wait ${periodSeconds} seconds. One request can read or write many rows.`,
    headers: { 'retry-after': String(periodSeconds) },
  }),
  'no upgrade': () => ({
    status: 426,
    code: 'PT426',
    message: 'This path accepts only WebSocket connections',
    hint: "supabase.channel('…').on('postgres_changes', …).subscribe() opens one.",
    headers: { upgrade: 'websocket', connection: 'upgrade' },
  }),
  // The codes of these two are Supabase's.
  'too many sockets': ({ of, limit }) => ({
    status: 429,
    code: 'ConnectionRateLimitReached',
    message: `Too many connected users: at most ${limit} sockets of ${of}`,
    headers: { 'retry-after': String(periodSeconds) },
  }),
  'too many channels': ({ limit }) => ({
    status: 400,
    code: 'ChannelRateLimitReached',
    message: `Too many channels: at most ${limit} of a socket`,
  }),
  'keys unavailable': () => ({
    status: 503,
    code: 'PGRST301',
    message: 'The keys that verify access tokens cannot be fetched at the moment',
    hint: 'The request is valid: try again.',
  }),
  'response too large': () => ({
    status: 400,
    code: '54000',
    message: 'The response is too large, so nothing was done',
    details: `A response may have at most ${limits.response.bytes} bytes, and each of its rows at most ${limits.response.rowBytes}.`,
    hint: 'Select fewer columns, or request fewer rows with limit.',
  }),
  'too many rows': () => ({
    status: 400,
    code: '54000',
    message: 'The filter matches too many rows for so large a body, so nothing was done',
    details: `The size of the body times the number of rows may be at most ${limits.body.ofRows} bytes.`,
    hint: 'Filter for fewer rows: <key>=in.(…).',
  }),
  'value too long': ({ field }) => ({
    status: 400,
    code: '54000',
    message: `A value of ${field} is too long to sort or group by it`,
    details: `At most ${limits.query.sortedBytes} bytes are accepted.`,
    hint: 'Sort or group by a shorter part of it, or by another column.',
  }),
  database: ({ sqlstate, message, details, hint, authenticated, issues, forbidden }) => ({
    ...(issues && { issues: issues.map(renderIssue) }),
    ...(forbidden && {
      issues: forbidden.fields.map(field => renderForbidden(field, forbidden.action, forbidden.expected)),
    }),
    code: sqlstate,
    message,
    ...advice[sqlstate],
    ...(details && { details }),
    ...(hint && { hint }),
    ...(sqlstate === '42501' ? refusal({ authenticated }) : { status: statusOf(sqlstate) }),
  }),
  'database unavailable': () => ({
    status: 503,
    code: 'PGRST001',
    message: 'The database cannot take this request at the moment',
    hint: 'The request is valid: try again.',
  }),
  'read-only database': () => ({
    status: 503,
    code: 'PGRST001',
    message: 'The database is read-only at the moment, so nothing was written',
    hint: 'The request is valid, and reads still work: try again.',
  }),
  'disk full': () => ({
    status: 503,
    code: '53100',
    message: 'The disk of the database is full, so nothing was written',
    hint: 'The request is valid, and reads still work. Send it again once the operator has freed space.',
  }),
  'read replica': () => ({
    status: 405,
    code: '25006',
    message: 'This service uses a read replica of the database and cannot write',
    hint: 'Send writes to the service that uses the primary.',
    headers: { allow: 'OPTIONS,GET,HEAD' },
  }),
  'too many at once': () => ({
    status: 429,
    code: 'PT429',
    message: 'This caller has too many requests in flight',
    hint: 'Wait for responses before sending more requests.',
    headers: { 'retry-after': '1' },
  }),
  overloaded: () => ({
    status: 503,
    code: 'PT503',
    message: 'Too many large requests are in progress',
    hint: 'The request is valid: try again.',
  }),
  'no live connection': () => ({
    status: 503,
    code: 'PT503',
    message: 'No connection for live updates can be opened now',
    hint: 'The request is valid: try again.',
  }),
  'not set': () => misconfigured,
  misconfigured: () => misconfigured,
  crash: () => ({
    status: 500,
    code: 'PGRSTX00',
    message: 'The request failed because of a bug in the service',
    hint: 'Report it to the operator with the x-request-id of this response.',
  }),
} satisfies Partial<FailureRows>;
