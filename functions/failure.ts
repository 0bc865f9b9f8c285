/**
 * Everything that can end a request without its answer: one union, one row each, one function that renders it.
 * Codes, statuses and texts are PostgREST's where it has them
 * (https://docs.postgrest.org/en/stable/references/errors.html); SQLSTATEs are mapped as it maps them.
 */
import { describeParseError, type ParseError } from './request/parse-error.ts';

/** One thing that is wrong with a body: where (a JSON path), what was expected, what came. */
export interface BodyIssue {
  path: string;
  expected: string;
  received: string;
  sqlstate: string;
}

export type Failure =
  | { is: 'unparsable'; error: ParseError }
  | { is: 'too complex'; what: string; limit: number }
  | { is: 'invalid body'; message: string; details?: string }
  | { is: 'invalid fields'; issues: BodyIssue[] }
  | { is: 'invalid range'; details: string; total?: string }
  | { is: 'unacceptable schema'; schema: string; exposed: readonly string[] }
  | { is: 'unacceptable media type'; mediaTypes: string[] }
  | { is: 'put filters' }
  | { is: 'put range' }
  | { is: 'put key mismatch' }
  | { is: 'not singular'; rows: string }
  | { is: 'unsupported method'; method: string; allow: string }
  | { is: 'unknown path' }
  | { is: 'unknown collection'; name: string; collections: readonly string[] }
  | { is: 'unknown function'; name: string }
  | { is: 'invalid preferences'; preferences: string[] }
  | { is: 'max affected'; rows: string }
  | { is: 'embedding'; collection: string; name: string }
  | { is: 'unknown column'; collection: string; column: string; nearest: string[] }
  | { is: 'unknown body column'; collection: string; column: string; nearest: string[] }
  | { is: 'unknown type'; name: string }
  | { is: 'forbidden table'; collection: string; authenticated: boolean }
  | { is: 'forbidden column'; collection: string; column: string; action: string; authenticated: boolean }
  | { is: 'unfiltered'; verb: 'UPDATE' | 'DELETE' }
  | { is: 'credentials missing'; what: string }
  | { is: 'credentials refused'; message: string }
  | { is: 'claims refused'; message: string }
  | { is: 'body too large'; limit: number }
  | { is: 'response too large'; limit: number }
  | { is: 'database'; sqlstate: string; message: string; details?: string; hint?: string; authenticated: boolean }
  | { is: 'database unavailable'; reason: string }
  | { is: 'misconfigured'; reason: string };

export interface RenderedFailure {
  status: number;
  headers: Record<string, string>;
  body: { code: string; message: string; details: string | null; hint: string | null; issues?: BodyIssue[] };
}

interface Row {
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
const refusal = (authenticated: boolean): Pick<Row, 'status' | 'headers'> =>
  authenticated ? { status: 403 } : { status: 401, headers: { 'www-authenticate': 'Bearer' } };

const perhaps = (names: string[], quote: (name: string) => string): string | undefined =>
  names.length === 0 ? undefined : `Perhaps you meant ${names.map(quote).join(' or ')}.`;

const describeIssue = ({ path, expected, received }: BodyIssue): string => `${path}: expected ${expected}, received ${received}`;

type Rows = { [K in Failure['is']]: (failure: Extract<Failure, { is: K }>) => Row };

const rows: Rows = {
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
    message: issues.length === 1 ? 'A field of the body is invalid' : `${issues.length} fields of the body are invalid`,
    details: issues.map(describeIssue).join('; '),
  }),
  'invalid range': ({ details, total }) => ({
    status: 416,
    code: 'PGRST103',
    message: 'Requested range not satisfiable',
    details,
    ...(total !== undefined && { headers: { 'content-range': `*/${total}` } }),
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
  'unknown function': ({ name }) => ({
    status: 404,
    code: 'PGRST202',
    message: `Could not find the function builder.${name} in the schema cache`,
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
  'credentials refused': ({ message }) => ({ status: 401, code: 'PGRST301', message, headers: challenge(message) }),
  'claims refused': ({ message }) => ({ status: 401, code: 'PGRST303', message, headers: challenge(message) }),
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
  misconfigured: () => ({ status: 500, code: 'PGRSTX00', message: 'The service is not configured correctly' }),
};

/** The first prefix that fits gives the status, as PostgREST's table has it; anything else is the client's, 400. */
const statuses: [prefix: string, status: number][] = [
  ['08', 503],
  ['09', 500],
  ['0L', 403],
  ['0P', 403],
  ['23503', 409],
  ['23505', 409],
  ['25006', 405],
  ['21000', 500],
  ['25', 500],
  ['28', 403],
  ['2D', 500],
  ['38', 500],
  ['39', 500],
  ['3B', 500],
  ['40', 500],
  ['53400', 500],
  ['53', 503],
  ['54', 500],
  ['55P03', 503],
  ['55', 500],
  ['57014', 504],
  ['57P', 503],
  ['57', 500],
  ['58', 503],
  ['F0', 500],
  ['HV', 500],
  ['P0001', 400],
  ['P0', 500],
  ['XX', 500],
  ['42883', 404],
  ['42P01', 404],
  ['42P17', 500],
];

function statusOf(sqlstate: string): number {
  const chosen = /^PT([2-5]\d\d)$/.exec(sqlstate)?.[1];
  return chosen ? Number(chosen) : (statuses.find(([prefix]) => sqlstate.startsWith(prefix))?.[1] ?? 400);
}

/** What a failure looks like on the wire. */
export function renderFailure(failure: Failure): RenderedFailure {
  const row = (rows[failure.is] as (failure: Failure) => Row)(failure);
  return {
    status: row.status,
    headers: row.status === 503 ? { 'retry-after': '1', ...row.headers } : { ...row.headers },
    body: {
      code: row.code,
      message: row.message,
      details: row.details ?? null,
      hint: row.hint ?? null,
    },
  };
}
