/** The headers of answers. */
import type { Json } from './json-schema.ts';
import { refer } from './parameters.ts';

const header = (description: string): Json => ({ description, schema: { type: 'string' } });

/** By the name they are referred to with, which is theirs. */
export const sharedHeaders: Record<string, Json> = {
  'Content-Range': header('The rows of this answer and, when a count was asked for, all: `0-9/100`, `*/0`.'),
  'Content-Profile': header('The schema, when the request named one.'),
  'Preference-Applied': header('The preferences that had a bearing on the answer.'),
  Link: header('`rel="next"`: where the rows go on, when there are more.'),
  ETag: header(
    'Of one row: its version, for If-Match and If-None-Match. Of the graphics library: the answer.',
  ),
  Location: header('Where the new row is, with `Prefer: return=headers-only`.'),
  Allow: header('The methods of this path.'),
  'Retry-After': header('Seconds.'),
  'WWW-Authenticate': header('`Bearer`, and what is wrong with the token.'),
  'X-Request-Id': header('The id in the log.'),
  'Server-Timing': header('Milliseconds of the database, and in total.'),
};
/** References to these, and to those of every answer. */
export const headersOf = (names: string[]): Json =>
  Object.fromEntries([...names, 'X-Request-Id', 'Server-Timing'].map(name => [name, refer('headers', name)]));
