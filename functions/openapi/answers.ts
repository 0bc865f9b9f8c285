/** What a request may be answered: rows, or an error. */
import type { Method } from '../request/request.ts';
import { describeErrors, errorsOf } from './errors.ts';
import { headersOf } from './headers.ts';
import type { Json } from './json-schema.ts';

/** The rows in each media type that they are answered in. */
function rows(schema: Json): Json {
  const array = { type: 'array', items: schema };
  return {
    'application/json': { schema: array },
    'application/vnd.pgrst.object+json': { schema },
    'application/vnd.pgrst.array+json;nulls=stripped': { schema: array },
    'text/csv': { schema: { type: 'string' } },
  };
}

/** What each method answers, by status; `row` is what the caller reads of a row. */
export function answersOf(method: Method, row: Json): Json {
  const answer = (description: string, headers: string[], content?: Json): Json => ({
    description,
    headers: headersOf(headers),
    ...(content && { content }),
  });
  const read = ['Content-Range', 'Preference-Applied', 'Content-Profile', 'ETag'];
  const written = ['Content-Range', 'Preference-Applied', 'ETag'];
  const unchanged = { 304: answer('What If-None-Match names is still so.', ['ETag']) };
  const content = method === 'HEAD' ? undefined : rows(row);
  const ifAsked = 'The rows are in the answer with `Prefer: return=representation`.';
  const nothing = { 204: answer('Done, and nothing to tell.', written) };
  const done: Record<Method, Json> = {
    GET: {
      200: answer('The rows.', [...read, 'Link'], content),
      206: answer('A page of the rows, when a count was asked for.', [...read, 'Link'], content),
      ...unchanged,
    },
    HEAD: {
      200: answer('What a GET says in its headers.', [...read, 'Link']),
      206: answer('The same, of a page.', [...read, 'Link']),
      ...unchanged,
    },
    POST: {
      200: answer(`An upsert that made no new row. ${ifAsked}`, written, content),
      201: answer(`The rows are made. ${ifAsked}`, [...written, 'Location'], content),
    },
    PUT: {
      200: answer(`The row is replaced. ${ifAsked}`, ['Preference-Applied', 'ETag'], content),
      201: answer(`The row is made. ${ifAsked}`, ['Preference-Applied', 'ETag'], content),
      ...nothing,
    },
    PATCH: {
      200: answer('The changed rows, with `Prefer: return=representation`.', written, content),
      ...nothing,
    },
    DELETE: {
      200: answer('The deleted rows, with `Prefer: return=representation`.', written, content),
      ...nothing,
    },
  };
  return { ...done[method], ...describeErrors(errorsOf[method]) };
}

/** What answers one value rather than rows. */
export const oneValue = (description: string, mediaType: string, schema: Json, statuses: number[]): Json => ({
  200: { description, headers: headersOf([]), content: { [mediaType]: { schema } } },
  ...describeErrors(statuses),
});
