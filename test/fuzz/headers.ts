/** Request headers, well-formed or not. */
import fc from 'fast-check';
import { list, present, sometimes, text, weighted } from './arbitraries.ts';
import { anyNumber, mutated, oddText } from './texts.ts';

export const preferences = [
  'return=representation return=minimal return=headers-only count=exact count=planned count=estimated',
  'resolution=merge-duplicates resolution=ignore-duplicates missing=default handling=strict',
  'handling=lenient max-affected=1 timezone=Europe/Berlin',
];
export const preference = fc.constantFrom(...preferences.flatMap(some => some.split(' ')));

export const mediaType = fc.constantFrom(
  'application/json',
  'application/vnd.pgrst.object+json',
  'application/vnd.pgrst.array+json;nulls=stripped',
  'text/csv',
  'application/vnd.pgrst.plan+json; for="application/json"; options=analyze|verbose|buffers',
  'application/vnd.pgrst.plan',
  'image/png',
  '*/*;q=0.1, text/csv;q=0',
);

const wildPreference = weighted(
  [12, preference],
  [1, text`timezone=${oddText}`],
  [1, text`max-affected=${anyNumber}`],
  [1, oddText],
  [1, mutated(preference)],
);

const wildTag = fc.oneof(
  fc.constantFrom('*', '"1-a"', 'W/"750-x", "4294967295-abc"', '""'),
  text`"${oddText}"`,
  oddText,
);

/** One of these, or something odd. */
const oneOf = (...known: string[]) => weighted([85, fc.constantFrom(...known)], [15, oddText]);
/** A few keys, so that callers use each other's. */
const keys = ['kept', 'key-1', 'key-2', 'key-3'];

/** Only preferences, an Idempotency-Key and a media type. */
const tameHeaders = fc.record({
  prefer: sometimes(60, list(preference, 2)),
  'idempotency-key': sometimes(10, fc.constantFrom(...keys)),
  accept: sometimes(5, mediaType),
});

const wildHeaders = fc.record({
  prefer: sometimes(45, fc.oneof(list(wildPreference, 4), list(wildPreference, 4, ', '))),
  accept: sometimes(15, weighted([85, mediaType], [15, oddText])),
  range: sometimes(8, oneOf('0-0', '1-', '0-1', '5-2', '999-')),
  'range-unit': sometimes(3, oddText),
  'accept-profile': sometimes(4, oneOf('public', 'builder', 'pg_catalog')),
  'content-profile': sometimes(4, oneOf('public', 'builder', 'auth')),
  'if-match': sometimes(4, wildTag),
  'if-none-match': sometimes(4, wildTag),
  'idempotency-key': sometimes(12, oneOf(...keys)),
  'x-request-id': sometimes(4, oddText),
  traceparent: sometimes(4, mutated(fc.constant('00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'))),
  'x-forwarded-for': sometimes(2, oddText),
  cookie: sometimes(2, oddText),
  origin: sometimes(3, oneOf('https://builder.example', 'null')),
  'x-client-info': sometimes(2, oddText),
  'x-http-method-override': sometimes(1, fc.constant('DELETE')),
});

export const anyHeaders = (isWild: boolean): fc.Arbitrary<Record<string, string>> =>
  (isWild ? wildHeaders : tameHeaders).map(headers => present<string>(headers));
