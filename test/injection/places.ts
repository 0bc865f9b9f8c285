/** Every part of a request that can contain text. */
import { operatorNames } from '../../functions/rest/request/operators.ts';
import type { FuzzRequest } from '../fuzz/request.ts';
import { headerText, percentEncoded } from '../fuzz/text-encoding.ts';
import { owners } from '../fuzz/world.ts';

/** A request without credentials, with the text in one place. */
export type Place = [
  name: string,
  request: (text: string) => Omit<FuzzRequest, 'headers'> & Partial<FuzzRequest>,
];

const inQuotes = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`;

const query =
  (write: (text: string) => [name: string, value: string], collection = 'quotes') =>
  (text: string) => {
    const [name, value] = write(text);
    return {
      method: 'GET',
      path: `/rest/v1/${collection}?${percentEncoded(name)}=${percentEncoded(value)}`,
    };
  };

const header =
  (name: string, write = (text: string) => text, method = 'GET') =>
  (text: string) => ({
    method,
    path: `/rest/v1/quotes?select=id&id=eq.${owners.ann.account}`,
    headers: { [name]: headerText(write(text)) },
    ...(method !== 'GET' && { body: Buffer.from('{"sport":"golf"}') }),
  });

const body =
  (write: (text: string) => string, contentType = 'application/json', method = 'POST') =>
  (text: string) => ({
    method,
    path: `/rest/v1/quotes${method === 'POST' ? '' : `?id=eq.${owners.ann.account}`}`,
    headers: { 'content-type': contentType, prefer: 'return=representation, tx=rollback' },
    body: Buffer.from(write(text)),
  });

const row = {
  account_id: owners.ann.account,
  quote_number: 'QT-2026-00001',
  product_id: owners.ann.account,
  sport: 'golf',
  customization: {},
};

const headers = [
  ...['prefer', 'accept', 'accept-profile', 'range', 'if-none-match', 'x-request-id', 'traceparent'],
  ...['tracestate', 'apikey', 'authorization', 'x-client-info', 'cookie', 'origin'],
];

export const places: Place[] = [
  ...operatorNames.map((name): Place => [`a value of ${name}`, query(text => ['sport', `${name}.${text}`])]),
  ['a value of JSON', query(text => ['customization', `cs.${text}`])],
  ['a value of a uuid', query(text => ['id', `eq.${text}`])],
  ['a value of an array', query(text => ['tags', `cd.${text}`], 'graphics')],
  ['an element of an array', query(text => ['tags', `ov.{${inQuotes(text)}}`], 'graphics')],
  ['a value of a list', query(text => ['sport', `in.(${text})`])],
  ['a value in quotes of a list', query(text => ['sport', `in.(${inQuotes(text)})`])],
  ['values of any', query(text => ['sport', `like(any).{${inQuotes(text)}}`])],
  ['a column', query(text => [text, 'eq.1'])],
  ['a column in quotes', query(text => [inQuotes(text), 'eq.1'])],
  ['an operator', query(text => ['sport', `${text}.1`])],
  ['a text search configuration', query(text => ['sport', `fts(${text}).golf`])],
  ['a key of a path', query(text => [`customization->>${text}`, 'eq.1'])],
  ['a key in quotes of a path', query(text => [`customization->${inQuotes(text)}->>a`, 'eq.1'])],
  ['a logic tree', query(text => ['or', `(${text})`])],
  ['a value in a logic tree', query(text => ['or', `(sport.eq.${inQuotes(text)},and(sport.gt.${text}))`])],
  ['select', query(text => ['select', text])],
  ['a column of select', query(text => ['select', inQuotes(text)])],
  ['an alias', query(text => ['select', `${inQuotes(text.slice(0, 20))}:sport`])],
  ['a cast', query(text => ['select', `sport::${text}`])],
  ['a key of a path in select', query(text => ['select', `a:customization->${inQuotes(text)}`])],
  ['order', query(text => ['order', text])],
  ['limit', query(text => ['limit', text])],
  ['offset', query(text => ['offset', text])],
  ['columns', query(text => ['columns', inQuotes(text)])],
  ['on_conflict', query(text => ['on_conflict', inQuotes(text)])],
  ['a collection', text => ({ method: 'GET', path: `/rest/v1/${percentEncoded(text)}` })],
  ['a function', text => ({ method: 'POST', path: `/rest/v1/rpc/${percentEncoded(text)}` })],
  ...headers.map((name): Place => [`the header ${name}`, header(name)]),
  ...['content-profile', 'content-type', 'if-match'].map(
    (name): Place => [`the header ${name}`, header(name, undefined, 'PATCH')],
  ),
  ['the header idempotency-key', header('idempotency-key', undefined, 'POST')],
  ['a bearer token', header('authorization', text => `Bearer ${text}`)],
  ['a time zone', header('prefer', text => `timezone=${text}`)],
  ['a tag', header('if-match', text => `"${text}-1"`, 'PATCH')],
  ['a trace', header('traceparent', text => `00-${text}-b7ad6b7169203331-01`)],
  ['a value of a body', body(text => JSON.stringify({ ...row, sport: text }))],
  ['a value of a body without defaults', body(text => JSON.stringify({ ...row, id: text }))],
  ['a key of a body', body(text => JSON.stringify({ ...row, [text]: 'x' }))],
  [
    'a key and a value deep in a body',
    body(text => JSON.stringify({ ...row, customization: { [text]: [{ [text]: text }] } })),
  ],
  ['a whole body', body(text => text)],
  ['a change', body(text => JSON.stringify({ customer_notes: text }), 'application/json', 'PATCH')],
  ['a key of a change', body(text => JSON.stringify({ [text]: 'x' }), 'application/json', 'PATCH')],
  ['a change by key', body(text => JSON.stringify([{ id: text, sport: text }]), 'application/json', 'PATCH')],
  ['a name in CSV', body(text => `"${text.replaceAll('"', '""')}",sport\nx,golf`, 'text/csv')],
  ['a value in CSV', body(text => csvOf(text), 'text/csv')],
  ['a name in a form', body(text => `${percentEncoded(text)}=x`, 'application/x-www-form-urlencoded')],
  ['a value in a form', body(text => `sport=${percentEncoded(text)}`, 'application/x-www-form-urlencoded')],
];

const csvOf = (text: string): string =>
  `account_id,quote_number,product_id,sport,customization\n${owners.ann.account},QT-2026-00001,${owners.ann.account},"${text.replaceAll('"', '""')}",{}`;
