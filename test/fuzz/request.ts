/** A random request of a caller, as it is sent. */
import type { Collection } from '../../schema/collection.ts';
import { collections } from '../../schema/collections.ts';
import { anyBody } from './body.ts';
import type { Chance } from './chance.ts';
import { anyHeaders } from './headers.ts';
import { anyParameter } from './query.ts';
import { barelyEncoded, headerText, percentEncoded } from './text-encoding.ts';
import { anyText, mutated } from './texts.ts';
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

const usualMethods = ['GET', 'GET', 'GET', 'GET', 'HEAD', 'POST', 'POST', 'PATCH', 'PATCH', 'PUT', 'DELETE'];
const otherMethods = ['OPTIONS', 'TRACE', 'PROPFIND', 'PURGE', 'LOCK', 'REPORT', 'SUBSCRIBE', 'MKCOL'];

export function anyRequest(caller: FuzzCaller, chance: Chance, rules: Rules = {}): FuzzRequest {
  const collection = chance.weighted(
    ...collections.map((one): [number, () => Collection] => [one.name === 'quotes' ? 5 : 2, () => one]),
  );
  // Mostly a single part is wild, so that the other parts don't fail the request before that one is reached.
  const wild = chance.pick(['nothing', 'nothing', 'query', 'query', 'headers', 'body', 'everything']);
  const isWild = (part: string) => wild === part || wild === 'everything';
  const subject: Subject = { collection, caller, chance, isWild: isWild('query') };
  const method = chance.pick(chance.percent(97) ? usualMethods : otherMethods);
  const headers = { ...anyHeaders(chance, isWild('headers')), ...caller.headers };
  if (rules.rollsBack) {
    // The first of a repeated preference counts.
    headers['prefer'] = `tx=rollback,${headers['prefer'] ?? ''}`;
  }
  const path =
    chance.percent(95) || rules.onlyCollections ? `/rest/v1/${collection.name}` : otherPath(chance);
  const query = anyQuery(subject, method);
  const request: FuzzRequest = {
    method,
    path: `${path}${query === '' ? '' : `?${query}`}`,
    headers: Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, headerText(text)])),
  };
  if (/POST|PATCH|PUT/.test(method) ? chance.percent(97) : chance.percent(2)) {
    const { contentType, bytes } = anyBody({ ...subject, isWild: isWild('body') }, method !== 'PATCH');
    return {
      ...request,
      headers: { ...request.headers, 'content-type': headerText(contentType) },
      body: bytes,
    };
  }
  return request;
}

function anyQuery(subject: Subject, method: string): string {
  const { chance, collection } = subject;
  const parameters = chance.several(0, 3, () => anyParameter(subject));
  if (/PATCH|PUT|DELETE/.test(method) && chance.percent(70)) {
    parameters.splice(0, parameters.length - 1, [collection.primaryKey, `eq.${anyKey(subject)}`]);
  }
  const encode = !subject.isWild || chance.percent(75) ? percentEncoded : barelyEncoded;
  const query = parameters
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .join(chance.percent(95) ? '&' : ';');
  return subject.isWild && chance.percent(12)
    ? barelyEncoded(mutated(query, chance)) + chance.pick(badEncodings)
    : query;
}

const badEncodings = [
  '',
  '%',
  '%0',
  '%zz',
  '%00',
  '%ff',
  '%c0%af',
  '%ed%a0%80',
  '%f4%90%80%80',
  '%u0027',
  '+',
  '%2500',
];

/** Paths that are not of a collection, and misspelt ones. */
const otherPath = (chance: Chance): string =>
  chance.weighted(
    [3, () => '/rest/v1/rpc/next_quote_number'],
    [1, () => '/rest/v1/rpc/duplicate_quote'],
    [1, () => '/rest/v1/'],
    [1, () => `/rest/v1/rpc/${percentEncoded(anyText(chance))}`],
    [2, () => `/rest/v1/${percentEncoded(anyText(chance))}`],
    [1, () => `/${barelyEncoded(mutated('rest/v1/quotes', chance))}`],
    [
      1,
      () =>
        chance.pick([
          '/rest/v1/quotes/',
          '/rest/v1//quotes',
          '/REST/v1/quotes',
          '/rest/v1/quotes/1',
          '/rest/v2/quotes',
        ]),
    ],
    [
      1,
      () =>
        chance.pick(['/', '/health', '/favicon.ico', '/../etc/passwd', '/reference/..%2f..%2fpackage.json']),
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
