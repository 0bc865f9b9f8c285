/** The error responses, each with an example rendered by the service itself. */
import type { Failure } from '../../common/failure/failure.ts';
import { renderFailure } from '../../common/failure/render-failure.ts';
import type { Method } from '../request/request.ts';
import type { Json } from './json-schema.ts';
import { headersOf, refer, sharedHeaders } from './parameters.ts';

export const errorSchema: Json = {
  type: 'object',
  description: 'An error. The codes are those of PostgREST and Postgres.',
  required: ['code', 'message', 'details', 'hint'],
  properties: {
    code: { type: 'string' },
    message: { type: 'string', description: 'For an invalid body: the first invalid field.' },
    details: {
      type: ['string', 'null'],
      description: 'For an invalid body: every invalid field, and why.',
    },
    hint: { type: ['string', 'null'] },
    issues: {
      type: 'array',
      description:
        'The fields that are invalid, already taken, or forbidden for this caller, for display in a form. Paths have the syntax of react-hook-form: `column.key`.',
      items: {
        type: 'object',
        required: ['path', 'expected', 'received', 'message'],
        properties: Object.fromEntries(
          ['path', 'expected', 'received', 'message'].map(name => [name, { type: 'string' }]),
        ),
      },
    },
  },
};

/** For every status of a failure: when it is sent, and an example. */
const errors: [when: string, example: Failure][] = [
  [
    'Invalid: the query string (`PGRST100`, `42703`), a preference (`PGRST122`, `PGRST124`) or the body (`PGRST102`, `PGRST204`, or with `issues` any code of classes 22 and 23); or the filter is missing (`21000`).',
    { is: 'unfiltered', verb: 'UPDATE', key: 'a_key' },
  ],
  [
    'The key is missing (`PGRST302`), the key or the token is refused (`PGRST301`, `PGRST303`), a secret key is used in a browser (`PT401`), or the caller must sign in (`42501`).',
    { is: 'credentials missing', what: 'apikey header' },
  ],
  [
    'The caller lacks the permission (`42501`).',
    { is: 'forbidden table', collection: 'a_table', authenticated: true },
  ],
  [
    'The operator does not fit the column (`42883`), or a row that the body or an argument names was not found (`PT404`).',
    { is: 'rows missing', found: '1' },
  ],
  [
    'The path does not have the method, the filter of a PUT is not on exactly the primary key (`PGRST105`), or the database is a read replica (`25006`).',
    { is: 'put filters' },
  ],
  [
    'The schema (`PGRST106`) or media type (`PGRST107`) is not offered, or the result is not one row (`PGRST116`). When a change by key wrote no row, `hint` begins with `changed`, `gone` or `not yours`.',
    { is: 'not singular', rows: '0' },
  ],
  ['The body took too long to arrive (`PT408`).', { is: 'body too slow' }],
  [
    'A row with this key already exists (`23505`), the row cannot change this way, or the request must send what it is based on (`PT409`): `hint` has the update to write, and names the columns to send.',
    { is: 'taken key' },
  ],
  [
    'The row has changed since it was read, or is gone (`PT412`). `hint` begins with `changed`, `gone` or `not yours`.',
    { is: 'precondition failed' },
  ],
  ['The body is too large (`PGRST102`).', { is: 'body too large' }],
  ['The URL is too long (`PT414`).', { is: 'url too long' }],
  [
    'The body has a Content-Encoding, or is CSV for spreadsheets (`PT415`).',
    { is: 'encoded body', encoding: 'gzip' },
  ],
  [
    'The page is past the end, or its bounds contradict each other (`PGRST103`).',
    {
      is: 'invalid range',
      details: 'An offset of 8 was requested, but there are only 3 rows.',
      headers: { 'content-range': '*/3', 'preference-applied': 'count=exact' },
    },
  ],
  [
    'The Idempotency-Key was used for another request (`PT422`).',
    {
      is: 'database',
      sqlstate: 'PT422',
      message: 'The Idempotency-Key was used for another request, so nothing was written',
      authenticated: true,
    },
  ],
  [
    'The account, or the address of a caller who is not signed in, sends too many requests or has too many in progress (`PT429`). Retry-After says when to try again.',
    { is: 'rate limited', reason: '' },
  ],
  ['A header is too long (`PT431`).', { is: 'header too long' }],
  ['An internal error.', { is: 'misconfigured', reason: '' }],
  [
    'The database is unavailable: try again. Or its disk is full, and only reads work (`53100`).',
    { is: 'database unavailable', reason: '' },
  ],
  [
    'The statement took too long (`57014`).',
    {
      is: 'database',
      sqlstate: '57014',
      message: 'The request took too long and was cancelled',
      authenticated: true,
    },
  ],
];

/** The headers that have a description, by their names in lower case. */
const headerNames = new Map(Object.keys(sharedHeaders).map(name => [name.toLowerCase(), name]));

export const sharedErrors: Record<string, Json> = Object.fromEntries(
  errors.map(([description, example]) => {
    const { status, headers, body } = renderFailure(example);
    const names = Object.keys(headers).map(name => headerNames.get(name) ?? name);
    const content = { 'application/json': { schema: refer('schemas', 'error'), example: body } };
    return [`error${status}`, { description, headers: headersOf([...names, 'Proxy-Status']), content }];
  }),
);

const always = [400, 401, 403, 406, 414, 429, 431, 500, 503, 504];

/** The statuses that a method may fail with. */
export const errorsOf: Record<Method, number[]> = {
  GET: [...always, 404, 416],
  HEAD: [...always, 404, 416],
  POST: [...always, 405, 408, 409, 413, 415, 422],
  PUT: [...always, 405, 408, 409, 412, 413, 415],
  PATCH: [...always, 404, 405, 408, 409, 412, 413, 415],
  DELETE: [...always, 404, 405, 409, 412],
};

export const describeErrors = (statuses: number[]): Json =>
  Object.fromEntries(statuses.map(status => [status, refer('responses', `error${status}`)]));
