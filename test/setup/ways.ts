/** Every way to write a row over HTTP. */
import type { Caller, Reply } from './wire.ts';

/** The values to write, the path of the collection, a new row with the values, another new row, and the id of an existing row. */
export interface Write {
  path: string;
  values: object;
  row: object;
  other: object;
  id: unknown;
}

/** A way, what precedes a column in the path of an issue, and what sends the write. The response has the written rows. */
export type Way = [way: string, prefix: string, send: (caller: Caller, write: Write) => Promise<Reply>];

const textOf = (value: unknown): string =>
  Array.isArray(value) ? `{${value}}` : typeof value === 'object' ? JSON.stringify(value) : String(value);
const texts = (row: object) =>
  Object.entries(row).map(([name, value]): [string, string] => [
    name,
    value === null || value === '' ? '' : textOf(value),
  ]);

/** A CSV of one row. An empty text and null are an empty cell. */
export const csvOf = (row: object) => {
  const quoted = texts(row).map(([, text]) => (text === '' ? '' : `"${text.replaceAll('"', '""')}"`));
  return `${Object.keys(row).join()}\n${quoted.join()}`;
};
const formOf = (row: object) => new URLSearchParams(texts(row)).toString();

const prefer = 'return=representation';
const json = { prefer };
export const csv = { prefer, 'content-type': 'text/csv' };
const form = { prefer, 'content-type': 'application/x-www-form-urlencoded' };
export const merge = { prefer: `${prefer},resolution=merge-duplicates` };

export const inserts: Way[] = [
  ['POST', '', (caller, { path, row }) => caller.send('POST', path, row, json)],
  ['POST of an array', '1.', (caller, { path, row, other }) => caller.send('POST', path, [other, row], json)],
  ['POST of CSV', '0.', (caller, { path, row }) => caller.send('POST', path, csvOf(row), csv)],
  ['POST of a form', '', (caller, { path, row }) => caller.send('POST', path, formOf(row), form)],
];

export const replacements: Way[] = [
  ['PUT', '', (caller, { path, row, id }) => caller.send('PUT', `${path}?id=eq.${id}`, { ...row, id }, json)],
  ['upsert', '', (caller, { path, row, id }) => caller.send('POST', path, { ...row, id }, merge)],
  [
    'upsert of CSV',
    '0.',
    (caller, { path, row, id }) => caller.send('POST', path, csvOf({ ...row, id }), { ...csv, ...merge }),
  ],
];

export const changes: Way[] = [
  ['PATCH', '', (caller, { path, values, id }) => caller.send('PATCH', `${path}?id=eq.${id}`, values, json)],
  [
    'PATCH of an array',
    '0.',
    (caller, { path, values, id }) => caller.send('PATCH', path, [{ id, ...values }], json),
  ],
  [
    'PATCH of CSV',
    '0.',
    (caller, { path, values, id }) => caller.send('PATCH', path, csvOf({ id, ...values }), csv),
  ],
];
