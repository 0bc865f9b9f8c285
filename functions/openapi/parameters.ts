/** What a request may say in its query string and its headers. */
import type { Audience, Collection } from '../../schema/collection.ts';
import { limits } from '../common/limits.ts';
import { operators, textSearchOperators } from '../request/operators.ts';
import type { Method } from '../request/request.ts';
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
const profile = { type: 'string', enum: ['public', 'builder'] };

const names = [...Object.keys(operators), 'in', 'is', ...Object.keys(textSearchOperators)].join(', ');
/** For who reads of an operation that filters. */
export const howToFilter = `Rows are filtered by \`column=operator.value\`; every filter must hold. The operators are ${names}; \`not.\` before one negates it, and \`or=(a.eq.1,b.is.null)\` combines some. \`in\` takes a list: \`in.(a,b)\`.`;

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
  `Comes back, and is in the log: up to ${limits.request.requestId} letters, digits and \`._-\`.`,
);

/** The parameters that all operations share, by the name they are referred to with. */
export const sharedParameters: Record<string, Json> = {
  select: inQuery(
    'select',
    'The columns to answer: `a,b`, `alias:a`, `a::text`, `json->key`, `count()`. All when left out.',
  ),
  order: inQuery('order', 'The order of the rows: `a.desc.nullslast,b`.'),
  limit: inQuery(
    'limit',
    'Rows to answer at most. No answer has more than the cap of the service; `Link` leads on.',
    rowsFrom0,
  ),
  offset: inQuery('offset', 'Rows to skip.', rowsFrom0),
  columns: inQuery('columns', 'The columns to take from the body: `a,b`.'),
  on_conflict: inQuery(
    'on_conflict',
    'The unique columns by which an upsert finds the row; the primary key when left out.',
  ),
  range: inHeader('Range', 'Rows from and to, counted from 0: `0-9`.', {
    type: 'string',
    pattern: '^\\d+-\\d*$',
  }),
  acceptProfile: inHeader('Accept-Profile', 'The schema: both names mean the same.', profile),
  contentProfile: inHeader('Content-Profile', 'The schema: both names mean the same.', profile),
  requestId,
  traceparent: inHeader(
    'traceparent',
    'The trace this request belongs to (W3C Trace Context); it is in the log.',
  ),
  ifNoneMatch: inHeader('If-None-Match', 'The ETag of an answer one has: 304 when it would be the same.'),
  ifMatch: inHeader('If-Match', 'The ETag of the row, by its key: 412 when it has changed since.'),
  idempotencyKey: inHeader(
    'Idempotency-Key',
    'Makes it safe to send this request again: for a day it is answered as the first time, and written once.',
    { type: 'string', minLength: 1, maxLength: limits.request.idempotencyKey },
  ),
  ...Object.fromEntries(
    Object.entries(preferences).map(([method, known]) => [
      `prefer${method}`,
      inHeader('Prefer', `Preferences, joined by commas: ${known}.`),
    ]),
  ),
};

/** A filter for each column the audience reads, by the name it is referred to with. */
export const columnFilters = (collection: Collection, audience: Audience): Record<string, Json> =>
  Object.fromEntries(
    columnsFor(collection, audience, 'select').map(([name, column]) => [
      `${collection.name}.${name}`,
      inQuery(name, `Filter, for example \`eq.…\`. ${describeMeaning(column)}`),
    ]),
  );

export const refer = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` });

/** What each method listens to. */
export function parametersOf(method: Method, collection: Collection, audience: Audience): Json[] {
  const isRead = method === 'GET' || method === 'HEAD';
  const filters = Object.keys(columnFilters(collection, audience));
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
    `prefer${isRead ? 'GET' : method}`,
    isRead ? 'acceptProfile' : 'contentProfile',
    isRead ? 'ifNoneMatch' : method === 'POST' ? 'idempotencyKey' : 'ifMatch',
    'requestId',
    'traceparent',
  ];
  return [...shared, ...headers, ...own].map(name => refer('parameters', name));
}
