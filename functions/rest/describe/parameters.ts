/** The parameters of requests, in the query string and in headers, and the headers of responses. */
import type { Audience, Collection } from '../../../schema/collection.ts';
import { limits } from '../../common/limits.ts';
import { operatorNames } from '../request/operators.ts';
import { isRead, type Method } from '../request/request.ts';
import { columnsFor, describeMeaning, type Json } from './json-schema.ts';

const text = { type: 'string' };
const inQuery = (name: string, description: string, schema: Json = text): Json => ({
  name,
  in: 'query',
  description,
  schema,
});
const inHeader = (name: string, description: string, schema: Json = text): Json => ({
  ...inQuery(name, description, schema),
  in: 'header',
});
const rowsFrom0 = { type: 'integer', minimum: 0 };
/** Texts, each in a parameter of its own, or one. An importer of Postman sends no parameter for the empty array. */
const anyNumber: Json = { anyOf: [{ type: 'array', items: text, default: [] }, text] };
/** A text that may be left out: Postman enables all parameters, and makes up a text for one without a default. */
const orNone: Json = { anyOf: [{ type: 'array', items: text, maxItems: 0, default: [] }, text] };
const profile = { type: 'string', enum: ['public', 'builder'] };

/** Part of the description of every operation with filters. */
export const howToFilter = `Filter rows by \`column=operator.value\`; every filter must hold. The operators are ${operatorNames.join(', ')}. The prefix \`not.\` negates one, and \`and\` and \`or\` combine filters. \`in\` takes a list: \`in.(a,b)\`.`;

const preferences: Record<string, string> = {
  GET: 'count=exact|planned|estimated, handling=strict|lenient, timezone=…',
  POST: 'return=representation|headers-only|minimal, resolution=merge-duplicates|ignore-duplicates, missing=default|null, count=exact, tx=commit|rollback, handling=strict|lenient',
  PUT: 'return=representation|minimal, tx=commit|rollback',
  PATCH:
    'return=representation|minimal, missing=default|null, count=exact, max-affected=… with handling=strict, tx=commit|rollback',
  DELETE:
    'return=representation|minimal, count=exact, max-affected=… with handling=strict, tx=commit|rollback',
};

const requestId = inHeader(
  'x-request-id',
  `An id for the log, returned in the response: up to ${limits.request.requestId} letters, digits and \`._-\`.`,
  { type: 'string', pattern: `^[A-Za-z0-9._-]{1,${limits.request.requestId}}$` },
);

/** Combined filters, under the names that operations use in references. */
const logic: Record<string, Json> = Object.fromEntries(
  [
    ['or', 'at least one'],
    ['and', 'every one'],
    ['not.or', 'none'],
    ['not.and', 'not every one'],
  ].map(([name = '', holds]) => [
    name,
    inQuery(
      name,
      `Rows for which ${holds} of these holds: \`(a.eq.1,b.is.null,and(c.gt.2,c.lt.5))\`.`,
      anyNumber,
    ),
  ]),
);

/** The parameters of all collections, under the names that operations use in references. */
export const sharedParameters: Record<string, Json> = {
  select: inQuery(
    'select',
    'The columns to return: `a,b`, `alias:a`, `a::text`, `json->key`, `count()`, and what belongs to a row: `*,relation(column)`. Default: `*`, all columns in the schema of a row.',
    { type: 'string', default: '*' },
  ),
  order: inQuery('order', 'The order of the rows: `a.desc.nullslast,b`.', orNone),
  limit: inQuery(
    'limit',
    'The maximum number of rows to return. The service has its own limit too; `Link` names the next page.',
    { ...rowsFrom0, default: limits.response.rows },
  ),
  offset: inQuery('offset', 'The number of rows to skip.', { ...rowsFrom0, default: 0 }),
  columns: inQuery('columns', 'The columns to take from the body: `a,b`.', orNone),
  on_conflict: inQuery(
    'on_conflict',
    'The unique columns that identify the row of an upsert: `a,b`. Default: the primary key.',
    orNone,
  ),
  range: inHeader('Range', 'The first and the last row, counted from 0: `0-9`.', {
    type: 'string',
    pattern: '^\\d+-\\d*$',
    default: '0-',
  }),
  apikey: inHeader(
    'apikey',
    'The publishable key of this service. An importer that reads one credential of an operation takes it from here.',
    { type: 'string', default: '{{apiKey}}' },
  ),
  acceptProfile: inHeader('Accept-Profile', 'The schema. Both names mean the same one.', profile),
  contentProfile: inHeader('Content-Profile', 'The schema. Both names mean the same one.', profile),
  requestId,
  traceparent: inHeader('traceparent', "The request's trace (W3C Trace Context), for the log.", {
    type: 'string',
    pattern: '^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$',
  }),
  ifNoneMatch: inHeader(
    'If-None-Match',
    'The ETag of an earlier response. The response is 304 when the new one would be identical.',
    { type: 'string', default: '""' },
  ),
  ifMatch: inHeader(
    'If-Match',
    'The ETag of the row that the filter names by its key. The response is 412 when the row has changed since.',
    { type: 'string', default: '*' },
  ),
  idempotencyKey: inHeader(
    'Idempotency-Key',
    'Makes retries safe: for a day, a request with this key is executed once, and its retries get the first response.',
    // Postman and Bruno replace the default by a new uuid; Postman would send one made-up text with every request.
    { type: 'string', pattern: `^[!-~]{1,${limits.request.idempotencyKey}}$`, default: '{{$guid}}' },
  ),
  ...logic,
  ...Object.fromEntries(
    Object.entries(preferences).map(([method, known]) => [
      `prefer${method}`,
      inHeader('Prefer', `Preferences, joined by commas: ${known}.`, {
        type: 'string',
        default: method === 'GET' ? 'handling=lenient' : 'return=minimal',
      }),
    ]),
  ),
};

/** Returns a filter for each column that the audience may read, under the name that operations use in references. */
export const columnFilters = (collection: Collection, audience: Audience): Record<string, Json> =>
  Object.fromEntries(
    columnsFor(collection, audience, 'select').map(([name, column]) => [
      `${collection.name}.${name}`,
      inQuery(name, `Filter, for example \`eq.…\`. ${describeMeaning(column)}`, anyNumber),
    ]),
  );

export const refer = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` });

/** Returns references to the parameters that a method takes. */
export function parametersOf(method: Method, collection: Collection, audience: Audience): Json[] {
  const filters = [...Object.keys(logic), ...Object.keys(columnFilters(collection, audience))];
  const shared = {
    GET: ['select', 'order', 'limit', 'offset', 'range'],
    HEAD: ['select', 'order', 'limit', 'offset'],
    POST: ['select', 'columns', 'on_conflict'],
    PUT: ['select'],
    PATCH: ['select', 'order', 'columns'],
    DELETE: ['select', 'order'],
  }[method];
  const own = {
    POST: [],
    PUT: [`${collection.name}.${collection.primaryKey}`],
    GET: filters,
    HEAD: filters,
    PATCH: filters,
    DELETE: filters,
  }[method];
  const headers = [
    'apikey',
    `prefer${isRead(method) ? 'GET' : method}`,
    isRead(method) ? 'acceptProfile' : 'contentProfile',
    isRead(method) ? 'ifNoneMatch' : method === 'POST' ? 'idempotencyKey' : 'ifMatch',
    'requestId',
    'traceparent',
  ];
  return [...shared, ...headers, ...own].map(name => refer('parameters', name));
}

const header = (description: string): Json => ({ description, schema: { type: 'string' } });

/** The headers of responses, under the names that responses use in references. */
export const sharedHeaders: Record<string, Json> = {
  'Content-Range': header(
    'The rows of this page and, when the request prefers a count, the total: `0-9/100`, `*/0`.',
  ),
  'Content-Profile': header('The schema, when the request named one.'),
  'Preference-Applied': header('The preferences that were applied.'),
  Vary: header('The request headers that the response depends on.'),
  Link: header('`rel="next"`: the URL of the next page, when there is one.'),
  ETag: header(
    'The version of a single row, for If-Match and If-None-Match. Of a cached collection: the version of the response.',
  ),
  Location: header('The URL of the new row, with `Prefer: return=headers-only`.'),
  'Accept-Encoding': header('The encodings that a body may have.'),
  Allow: header('The methods of this path.'),
  'Retry-After': header('Seconds to wait before the next attempt.'),
  'WWW-Authenticate': header('`Bearer`, with the error in the token.'),
  'Proxy-Status': header(
    '`PostgREST; error=<code>`: the code of the error, also for HEAD, which has no body.',
  ),
  'Cache-Control': header(
    '`private, no-store`; of a cached collection, how long the response may be cached.',
  ),
  'X-Request-Id': header('The id of the request in the log.'),
  'Server-Timing': header('Milliseconds in the database, and in total.'),
};

const always = ['Cache-Control', 'X-Request-Id', 'Server-Timing'];

/** Returns references to the named headers and to the headers of every response. */
export const headersOf = (names: string[]): Json =>
  Object.fromEntries([...names, ...always].map(name => [name, refer('headers', name)]));
