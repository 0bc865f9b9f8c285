/** The responses of each method: rows, or an error. */
import type { Method } from '../request/request.ts';
import { describeErrors, errorsOf } from './errors.ts';
import { headersOf } from './headers.ts';
import type { Json } from './json-schema.ts';

/** The rows in each media type that is offered. */
function rows(schema: Json): Json {
  const array = { type: 'array', items: schema };
  return {
    'application/json': { schema: array },
    'application/vnd.pgrst.object+json': { schema },
    'application/vnd.pgrst.array+json;nulls=stripped': { schema: array },
    'text/csv': { schema: { type: 'string' } },
  };
}

/** The responses of a method by status; `row` is the schema of a row as the caller reads it. */
export function responsesOf(method: Method, row: Json): Json {
  const response = (description: string, headers: string[], content?: Json): Json => ({
    description,
    headers: headersOf(headers),
    ...(content && { content }),
  });
  const read = ['Content-Range', 'Preference-Applied', 'Content-Profile', 'ETag'];
  const written = ['Content-Range', 'Preference-Applied', 'ETag'];
  const unchanged = { 304: response('The ETag in If-None-Match is still current.', ['ETag']) };
  const content = method === 'HEAD' ? undefined : rows(row);
  const withRows = 'With `Prefer: return=representation` the response has the rows.';
  const noContent = { 204: response('Done. The response has no body.', written) };
  const successes: Record<Method, Json> = {
    GET: {
      200: response('The rows.', [...read, 'Link'], content),
      206: response('A page of the rows, when the request prefers a count.', [...read, 'Link'], content),
      ...unchanged,
    },
    HEAD: {
      200: response('The headers of a GET.', [...read, 'Link']),
      206: response('The headers of a GET of a page.', [...read, 'Link']),
      ...unchanged,
    },
    POST: {
      200: response(`An upsert that inserted no row. ${withRows}`, written, content),
      201: response(`The rows are inserted. ${withRows}`, [...written, 'Location'], content),
    },
    PUT: {
      200: response(`The row is replaced. ${withRows}`, ['Preference-Applied', 'ETag'], content),
      201: response(`The row is inserted. ${withRows}`, ['Preference-Applied', 'ETag'], content),
      ...noContent,
    },
    PATCH: {
      200: response('The changed rows, with `Prefer: return=representation`.', written, content),
      ...noContent,
    },
    DELETE: {
      200: response('The deleted rows, with `Prefer: return=representation`.', written, content),
      ...noContent,
    },
  };
  return { ...successes[method], ...describeErrors(errorsOf[method]) };
}

/** The responses of an operation that returns one value instead of rows; `statuses` are those of its errors. */
export const valueResponses = (description: string, content: Json, statuses: number[]): Json => ({
  200: { description, headers: headersOf([]), content },
  ...describeErrors(statuses),
});
