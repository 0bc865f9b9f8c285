/** A random request of a caller, as it is sent. */
import fc from 'fast-check';
import type { Collection } from '../../schema/collection.ts';
import { collections } from '../../schema/collections.ts';
import { sometimes, text, weighted } from './arbitraries.ts';
import { anyBody, type FuzzBody } from './body.ts';
import { anyHeaders } from './headers.ts';
import { anyParameter } from './query.ts';
import { barelyEncoded, headerText, percentEncoded } from './text-encoding.ts';
import { mutated, oddText } from './texts.ts';
import { anyKey, type Subject } from './values.ts';
import type { FuzzCaller } from './world.ts';

export interface FuzzRequest {
  method: string;
  /** With the query; printable ASCII and bytes above it. */
  path: string;
  /** Bytes, each as the character of its number. */
  headers: Record<string, string>;
  body?: Buffer;
}

export interface Rules {
  /** Writes are rolled back. */
  rollsBack?: boolean;
  /** Only paths of collections. */
  onlyCollections?: boolean;
}

type Wildness = 'nothing' | 'query' | 'headers' | 'body' | 'everything';
/** Mostly a single part is wild, so that the other parts don't fail the request before that one is reached. */
const wildness: [weight: number, wild: Wildness][] = [
  [2, 'nothing'],
  [2, 'query'],
  [1, 'headers'],
  [1, 'body'],
  [1, 'everything'],
];

export function anyRequest(caller: FuzzCaller, rules: Rules = {}): fc.Arbitrary<FuzzRequest> {
  return weighted(
    ...collections.flatMap(collection =>
      wildness.map(([weight, wild]): [number, fc.Arbitrary<FuzzRequest>] => [
        weight * (collection.name === 'quotes' ? 5 : 2),
        requestTo(collection, caller, wild, rules),
      ]),
    ),
  );
}

function requestTo(collection: Collection, caller: FuzzCaller, wild: Wildness, rules: Rules) {
  const isWild = (part: Wildness) => wild === part || wild === 'everything';
  const subject: Subject = { collection, caller, isWild: isWild('query') };
  const own = fc.constant(`/rest/v1/${collection.name}`);
  const path = rules.onlyCollections ? own : weighted([95, own], [5, otherPath]);
  return fc
    .tuple(path, anyHeaders(isWild('headers')), anyCall(subject, { ...subject, isWild: isWild('body') }))
    .map(([path, headers, [method, query, body]]): FuzzRequest => {
      const all: Record<string, string> = {
        ...headers,
        ...caller.headers,
        // The first of a repeated preference counts.
        ...(rules.rollsBack && { prefer: `tx=rollback,${headers['prefer'] ?? ''}` }),
        ...(body && { 'content-type': body.contentType }),
      };
      return {
        method,
        path: `${path}${query === '' ? '' : `?${query}`}`,
        headers: Object.fromEntries(Object.entries(all).map(([name, value]) => [name, headerText(value)])),
        ...(body && { body: body.bytes }),
      };
    });
}

type Call = [method: string, query: string, body: FuzzBody | undefined];

/** A method, and what it goes with. */
function anyCall(subject: Subject, bodySubject: Subject): fc.Arbitrary<Call> {
  const [query, ofARow] = [anyQuery(subject, false), anyQuery(subject, true)];
  const [row, changes] = [anyBody(bodySubject, true), anyBody(bodySubject, false)];
  const call = (
    methods: string[],
    its: fc.Arbitrary<string>,
    percent: number,
    body: fc.Arbitrary<FuzzBody>,
  ) => fc.tuple(fc.constantFrom(...methods), its, sometimes(percent, body));
  return weighted<Call>(
    [45, call(['GET', 'GET', 'GET', 'GET', 'HEAD'], query, 2, changes)],
    [18, call(['POST'], query, 97, row)],
    [18, call(['PATCH'], ofARow, 97, changes)],
    [9, call(['PUT'], ofARow, 97, row)],
    [9, call(['DELETE'], ofARow, 2, changes)],
    [3, call(otherMethods, query, 2, changes)],
  );
}
const otherMethods = ['OPTIONS', 'TRACE', 'PROPFIND', 'PURGE', 'LOCK', 'REPORT', 'SUBSCRIBE', 'MKCOL'];

/** A query string, mostly of one row by its key or of any. */
export function anyQuery(subject: Subject, isOfARow: boolean): fc.Arbitrary<string> {
  const parameter = anyParameter(subject);
  const key = fc.tuple(fc.constant(subject.collection.primaryKey), text`eq.${anyKey(subject)}`);
  const any = fc.array(parameter, { maxLength: 3 });
  const encode = fc.constantFrom(
    ...Array(3).fill(percentEncoded),
    subject.isWild ? barelyEncoded : percentEncoded,
  );
  const query = fc
    .tuple(
      isOfARow ? weighted([7, fc.tuple(key)], [3, any]) : any,
      encode,
      weighted([95, fc.constant('&')], [5, fc.constant(';')]),
    )
    .map(([parameters, encoded, separator]) =>
      parameters.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join(separator),
    );
  const spoilt = text`${mutated(query).map(barelyEncoded)}${badEncoding}`;
  return subject.isWild ? weighted([88, query], [12, spoilt]) : query;
}

const badEncoding = fc.constantFrom('', ...'% %zz %00 %ff %c0%af %ed%a0%80 %u0027 + %2500'.split(' '));

/** Paths that are not of a collection, and misspelt ones. */
const otherPath = weighted(
  [3, fc.constant('/rest/v1/rpc/next_quote_number')],
  [1, fc.constant('/rest/v1/rpc/duplicate_quote')],
  [1, fc.constant('/rest/v1/')],
  [1, text`/rest/v1/rpc/${oddText.map(percentEncoded)}`],
  [2, text`/rest/v1/${oddText.map(percentEncoded)}`],
  [1, text`/${mutated(fc.constant('rest/v1/quotes')).map(barelyEncoded)}`],
  [
    2,
    fc.constantFrom(
      ...['/rest/v1/quotes/', '/rest/v1//quotes', '/REST/v1/quotes', '/rest/v1/quotes/1', '/rest/v2/quotes'],
      ...['/', '/health', '/favicon.ico', '/../etc/passwd', '/reference/..%2f..%2fpackage.json'],
    ),
  ],
);

/** The request as a curl command, with names in place of credentials. */
export function asCurl({ method, path, headers, body }: FuzzRequest, caller: FuzzCaller): string {
  const shown = (character: string): string =>
    /[ -&(-[\]-~]/.test(character)
      ? character
      : `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
  const latin = (text: string): string => {
    const parts = text.match(/(\w)\1{99,}|./gs) ?? [];
    const runs = parts.map(part =>
      part.length === 1 ? shown(part) : `'$(printf ${part.charAt(0)}%.0s {1..${part.length}})$'`,
    );
    return `$'${runs.join('')}'`;
  };
  const own = Object.entries(headers).filter(([name]) => !(name in caller.headers));
  return [
    `curl -g --path-as-is -X ${method} "$URL"${latin(path)}`,
    '-H "apikey: $KEY" -H "authorization: Bearer $TOKEN"',
    ...own.map(([name, text]) => `-H ${latin(`${name}: ${text}`)}`),
    ...(body ? [`--data-binary ${latin(body.toString('latin1'))}`] : []),
    `# as ${caller.name}`,
  ].join(' ');
}
