/**
 * What each failure says. Codes, statuses and texts are PostgREST's where it has them
 * (https://docs.postgrest.org/en/stable/references/errors.html).
 */
import type { BodyIssue, Failure } from '../failure.ts';
import { describeParseError } from '../request/parse-error.ts';
import { statusOf } from './sqlstate.ts';

export interface FailureRow {
  status: number;
  code: string;
  message: string;
  details?: string | undefined;
  hint?: string | undefined;
  headers?: Record<string, string>;
}

const challenge = (description: string): Record<string, string> => ({
  'www-authenticate': `Bearer error="invalid_token", error_description="${description.replace(/["\\]/g, '')}"`,
});

/** A caller who hasn't signed in is asked to (401); one who has is refused (403). */
const refusal = (authenticated: boolean): Pick<FailureRow, 'status' | 'headers'> =>
  authenticated ? { status: 403 } : { status: 401, headers: { 'www-authenticate': 'Bearer' } };

const perhaps = (names: string[], quote: (name: string) => string): string | undefined =>
  names.length === 0 ? undefined : `Perhaps you meant ${names.map(quote).join(' or ')}.`;

const describeIssue = ({ path, expected, received }: BodyIssue): string =>
  `${path}: expected ${expected}, received ${received}`;

type Rows = { [K in Failure['is']]: (failure: Extract<Failure, { is: K }>) => FailureRow };

export const failureRows: Rows = {
  unparsable: ({ error }) => ({ status: 400, code: 'PGRST100', ...describeParseError(error) }),
  'too complex': ({ what, limit }) => ({
    status: 400,
    code: 'PGRST100',
    message: `The request has too many ${what}`,
    details: `At most ${limit} are accepted.`,
  }),
  'invalid body': ({ message, details }) => ({ status: 400, code: 'PGRST102', message, details }),
  'invalid fields': ({ issues }) => ({
    status: 400,
    code: issues[0]?.sqlstate ?? '22P02',
    message:
      issues.length === 1
        ? 'A field of the body is invalid'
        : `${issues.length} fields of the body are invalid`,
    details: issues.map(describeIssue).join('; '),
  }),
  'invalid range': ({ details, headers }) => ({
    status: 416,
    code: 'PGRST103',
    message: 'Requested range not satisfiable',
    details,
    ...(headers && { headers }),
  }),
  'put filters': () => ({
    status: 405,
    code: 'PGRST105',
    message: "Filters must include all and only primary key columns with 'eq' operators",
  }),
  'unacceptable schema': ({ schema, exposed }) => ({
    status: 406,
    code: 'PGRST106',
    message: `Invalid schema: ${schema}`,
    hint: `Only the following schemas are exposed: ${exposed.join(', ')}`,
  }),
  'unacceptable media type': ({ mediaTypes }) => ({
    status: 406,
    code: 'PGRST107',
    message: `None of these media types are available: ${mediaTypes.join(', ')}`,
  }),
  'nul character': () => ({
    status: 400,
    code: '22021',
    message: 'The request contains a NUL character, which no value can hold',
  }),
  'alias too long': ({ alias }) => ({
    status: 400,
    code: '42622',
    message: `The name "${alias}" is too long`,
    details: 'A name has at most 63 bytes.',
  }),
  'not embedded': ({ name }) => ({
    status: 400,
    code: 'PGRST108',
    message: `'${name}' is not an embedded resource in this request`,
    hint: 'Collections of this service cannot be embedded.',
  }),
  'put range': () => ({
    status: 400,
    code: 'PGRST114',
    message: 'limit/offset querystring parameters are not allowed for PUT',
  }),
  'put key mismatch': () => ({
    status: 400,
    code: 'PGRST115',
    message: 'Payload values do not match URL in primary key column(s)',
  }),
  'not singular': ({ rows }) => ({
    status: 406,
    code: 'PGRST116',
    message: 'Cannot coerce the result to a single JSON object',
    details: `The result contains ${rows} rows`,
  }),
  'unsupported method': ({ method, allow }) => ({
    status: 405,
    code: 'PGRST117',
    message: `Unsupported HTTP method: ${method}`,
    headers: { allow },
  }),
  'invalid preferences': ({ preferences }) => ({
    status: 400,
    code: 'PGRST122',
    message: 'Invalid preferences given with handling=strict',
    details: `Invalid preferences: ${preferences.join(', ')}`,
  }),
  'max affected': ({ rows }) => ({
    status: 400,
    code: 'PGRST124',
    message: 'Query result exceeds max-affected preference constraint',
    details: `The query affects ${rows} rows`,
  }),
  'rows missing': ({ found }) => ({
    status: 404,
    code: 'PT404',
    message: 'Not every row of the body was found, so none was changed',
    details: `The rows found are ${found}.`,
  }),
  'unknown path': () => ({
    status: 404,
    code: 'PGRST125',
    message: 'Invalid path specified in request URL',
    hint: 'Collections live at /rest/v1/<collection>.',
  }),
  embedding: ({ collection, name }) => ({
    status: 400,
    code: 'PGRST200',
    message: `Could not find a relationship between '${collection}' and '${name}' in the schema cache`,
    details: `Searched for a foreign key relationship between '${collection}' and '${name}' in the schema 'builder', but no matches were found.`,
  }),
  'function method': ({ method, allow }) => ({
    status: 405,
    code: 'PGRST101',
    message: `Cannot use the ${method} method on RPC`,
    headers: { allow },
  }),
  'forbidden function': ({ name }) => ({
    code: '42501',
    message: `permission denied for function ${name}`,
    ...refusal(false),
  }),
  'unknown function': ({ name, hint }) => ({
    status: 404,
    code: 'PGRST202',
    message: `Could not find the function builder.${name} in the schema cache`,
    hint,
  }),
  'unknown body column': ({ collection, column, nearest }) => ({
    status: 400,
    code: 'PGRST204',
    message: `Could not find the '${column}' column of '${collection}' in the schema cache`,
    hint: perhaps(nearest, name => `'${name}'`),
  }),
  'unknown collection': ({ name, collections }) => ({
    status: 404,
    code: 'PGRST205',
    message: `Could not find the table 'builder.${name}' in the schema cache`,
    hint: `The collections are ${collections.join(', ')}.`,
  }),
  'unknown column': ({ collection, column, nearest }) => ({
    status: 400,
    code: '42703',
    message: `column ${collection}.${column} does not exist`,
    hint: perhaps(nearest, name => `the column "${collection}.${name}"`),
  }),
  'unknown type': ({ name }) => ({ status: 400, code: '42704', message: `type "${name}" does not exist` }),
  'forbidden table': ({ collection, authenticated }) => ({
    code: '42501',
    message: `permission denied for table ${collection}`,
    ...refusal(authenticated),
  }),
  'forbidden column': ({ collection, column, action, authenticated }) => ({
    code: '42501',
    message: `permission denied for column ${column} of table ${collection}`,
    details: `This caller may not ${action} it.`,
    ...refusal(authenticated),
  }),
  unfiltered: ({ verb }) => ({
    status: 400,
    code: '21000',
    message: `${verb} requires a WHERE clause`,
    hint: 'Add a filter, for example id=eq.<id>.',
  }),
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
  'body too large': ({ limit }) => ({
    status: 413,
    code: 'PGRST102',
    message: 'The request body is too large',
    details: `At most ${limit} bytes are accepted.`,
  }),
  'response too large': ({ limit }) => ({
    status: 400,
    code: '54000',
    message: 'The response is too large',
    details: `It may have at most ${limit} bytes.`,
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
  misconfigured: () => ({
    status: 500,
    code: 'PGRSTX00',
    message: 'The service is not configured correctly',
  }),
};
