/** The responses of each method: rows, or an error. */
import { type Audience, readsAllRows } from '../../../schema/collection.ts';
import type { Method } from '../request/request.ts';
import { describeErrors, errorsOf } from './errors.ts';
import { anyObject, type Json } from './json-schema.ts';
import { headersOf } from './parameters.ts';

const text = { schema: { type: 'string' } };

/** Returns the rows in each media type on offer, JSON first. */
function rows(schema: Json): Json {
  const array = { schema: { type: 'array', items: schema } };
  return {
    'application/json': array,
    'application/vnd.pgrst.object+json': { schema },
    'application/vnd.pgrst.array+json;nulls=stripped': array,
    'application/vnd.pgrst.object+json;nulls=stripped': { schema },
    'text/csv': text,
  };
}

/** The execution plan of the statement, for staff. */
const executionPlan: Json = {
  'application/vnd.pgrst.plan+json': { schema: { type: 'array', items: anyObject } },
  'application/vnd.pgrst.plan+text': text,
};

/** Returns the responses of a method by status; `row` is the schema of a row as the audience reads it. */
export function responsesOf(method: Method, row: Json, audience: Audience): Json {
  const response = (description: string, headers: string[], content?: Json): Json => ({
    description,
    headers: headersOf(headers),
    ...(content && { content }),
  });
  const read = ['Content-Range', 'Preference-Applied', 'Content-Profile', 'ETag', 'Link', 'Vary'];
  const unchanged = { 304: response('The ETag in If-None-Match is still current.', ['ETag', 'Vary']) };
  const written = ['Content-Range', 'Preference-Applied', 'Content-Profile', 'ETag'];
  const content = rows(row);
  const contentOf200 = readsAllRows(audience) ? { ...content, ...executionPlan } : content;
  const returned = 'with `Prefer: return=representation`';
  const orEmpty = `The body has the rows ${returned}, and is empty otherwise.`;
  const noContent = { 204: response('Done. The response has no body.', written) };
  const successes: Record<Method, Json> = {
    GET: {
      200: response('The rows.', read, contentOf200),
      206: response(
        'A page of the rows, when the request prefers a count; or rows of which an embedded list has more.',
        read,
        content,
      ),
      ...unchanged,
    },
    HEAD: {
      200: response('The headers of a GET.', read),
      206: response('The headers of a GET of a page.', read),
      ...unchanged,
    },
    POST: {
      200: response(`An upsert that inserted no row. ${orEmpty}`, written, contentOf200),
      201: response(`The rows are inserted. ${orEmpty}`, [...written, 'Location'], content),
    },
    PUT: {
      200: response(`The row is replaced, ${returned}.`, written, contentOf200),
      201: response(`The row is inserted, ${returned}.`, written, content),
      ...noContent,
    },
    PATCH: {
      200: response(`The changed rows, ${returned}.`, written, contentOf200),
      ...noContent,
    },
    DELETE: {
      200: response(`The deleted rows, ${returned}.`, written, contentOf200),
      ...noContent,
    },
  };
  return { ...successes[method], ...describeErrors(errorsOf[method]) };
}

/** Returns the responses of an operation that returns one value instead of rows; `statuses` are those of its errors. */
export const valueResponses = (
  description: string,
  content: Json,
  statuses: number[],
  headers: string[] = [],
): Json => ({
  200: { description, headers: headersOf(headers), content },
  ...describeErrors(statuses),
});
