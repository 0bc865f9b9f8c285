/** What comes of credentials, the database, and the service itself. */
import { type FailureRows, refusal } from './row.ts';
import { statusOf } from './sqlstate.ts';

const challenge = (description: string): Record<string, string> => ({
  'www-authenticate': `Bearer error="invalid_token", error_description="${description.replace(/["\\]/g, '')}"`,
});

export const serviceRows = {
  'credentials missing': ({ what }) => ({
    status: 401,
    code: 'PGRST302',
    message: `The request has no ${what}`,
    hint: 'Every request carries apikey: <key> and Authorization: Bearer <access token, or the key>.',
    headers: { 'www-authenticate': 'Bearer' },
  }),
  'credentials refused': ({ message }) => ({
    status: 401,
    code: 'PGRST301',
    message,
    headers: challenge(message),
  }),
  'claims refused': ({ message }) => ({
    status: 401,
    code: 'PGRST303',
    message,
    headers: challenge(message),
  }),
  'keys unavailable': () => ({
    status: 503,
    code: 'PGRST301',
    message: 'The keys that verify access tokens cannot be fetched at the moment',
    hint: 'Nothing is wrong with the request: try again.',
  }),
  'response too large': ({ bytes }) => ({
    status: 400,
    code: '54000',
    message: 'The response is too large, so nothing was done',
    details: `It would have ${bytes} bytes; 16 MiB are allowed.`,
    hint: 'Select fewer columns, or ask for fewer rows with limit.',
  }),
  database: ({ sqlstate, message, details, hint, authenticated }) => ({
    code: sqlstate,
    message,
    details,
    hint,
    ...(sqlstate === '42501' ? refusal(authenticated) : { status: statusOf(sqlstate) }),
  }),
  'database unavailable': () => ({
    status: 503,
    code: 'PGRST001',
    message: 'The database cannot be reached at the moment',
    hint: 'Nothing is wrong with the request: try again.',
    headers: { 'retry-after': '1' },
  }),
  'too many at once': () => ({
    status: 429,
    code: 'PT429',
    message: 'There are too many requests of this caller at once',
    hint: 'Wait for answers before sending more.',
    headers: { 'retry-after': '1' },
  }),
  misconfigured: () => ({
    status: 500,
    code: 'PGRSTX00',
    message: 'The service is not configured correctly',
  }),
} satisfies Partial<FailureRows>;
