/** The headers of responses. */
import type { Json } from './json-schema.ts';
import { refer } from './parameters.ts';

const header = (description: string): Json => ({ description, schema: { type: 'string' } });

/** Each header under its own name, by which responses refer to it. */
export const sharedHeaders: Record<string, Json> = {
  'Content-Range': header(
    'The rows of this page and, when the request prefers a count, the total: `0-9/100`, `*/0`.',
  ),
  'Content-Profile': header('The schema, when the request named one.'),
  'Preference-Applied': header('The preferences that were applied.'),
  Vary: header('The request headers that the response depends on.'),
  Link: header('`rel="next"`: the URL of the next page, when there is one.'),
  ETag: header(
    'The version of a single row, for If-Match and If-None-Match. For the graphics library: the version of the response.',
  ),
  Location: header('The URL of the new row, with `Prefer: return=headers-only`.'),
  'Accept-Encoding': header('The encodings that a body may have.'),
  Allow: header('The methods of this path.'),
  'Retry-After': header('Seconds until the next attempt makes sense.'),
  'WWW-Authenticate': header('`Bearer`, with the error in the token.'),
  'Proxy-Status': header('`PostgREST; error=<code>`: the code of the error, which HEAD has nowhere else.'),
  'Cache-Control': header(
    '`private, no-store`; for the graphics library, how long the response may be kept.',
  ),
  'X-Request-Id': header('The id of the request in the log.'),
  'Server-Timing': header('Milliseconds in the database, and in total.'),
};

const always = ['Cache-Control', 'X-Request-Id', 'Server-Timing'];

/** Returns references to the headers named, and to those of every response. */
export const headersOf = (names: string[]): Json =>
  Object.fromEntries([...names, ...always].map(name => [name, refer('headers', name)]));
