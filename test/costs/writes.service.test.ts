/** Bodies that are expensive to read, to check or to store, and writes that return much. */
import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { quotes } from '../../schema/quotes.ts';
import type { RawRequest } from '../fuzz/send.ts';
import { sample } from '../setup/full-size.ts';
import { aQuote } from '../setup/rows.ts';
import { insertQuotes, postQuote, query } from './quotes.ts';
import { expectCheap, json, useTarget } from './target.ts';

const target = useTarget();

const megabyte = 1024 * 1024;
const path = '/rest/v1/quotes';
const times = (count: number, text: string, separator = ',') => Array(count).fill(text).join(separator);
const list = (count: number, make: (n: number) => string, separator = ',') =>
  Array.from({ length: count }, (_, n) => make(n)).join(separator);
const representation = { prefer: 'return=representation' };

const byDefault = { prefer: 'missing=default,return=representation' };
const snapshots: [what: string, make: () => string, headers?: Record<string, string>][] = [
  ['empty arrays', () => `{"a":[${times(340_000, '[]')}]}`],
  ['small numbers', () => `{"a":[${times(500_000, '1')}]}`, { 'idempotency-key': 'small numbers' }],
  ['keys', () => `{${list(90_000, n => `"${n.toString(36)}":[]`)}}`],
  ['numbers of 131,072 digits', () => `{"a":[${times(2000, '1e131071')}]}`, byDefault],
  ['one number of a megabyte', () => `{"a":${'9'.repeat(1_000_000)}}`],
  ['levels', () => `{"a":${'['.repeat(490)}${']'.repeat(490)}}`],
];

it.each(sample(2, snapshots))('storing a snapshot of %s is cheap', async (_, make, headers) => {
  const row = JSON.stringify(aQuote(target.account, { customization: 'here' }));
  const body = row.replace('"here"', make());
  const post = postQuote(target, {}, { ...representation, ...headers });
  expectCheap(await target.attack([{ ...post, body }]));
});

const columns = Object.entries(quotes.columns);
const everyColumn = columns
  .filter(([, { privileges }]) => privileges.customer.some(privilege => privilege === 'insert'))
  .map(([name]) => name);
const keys = Array.from({ length: 12_000 }, () => randomUUID());
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const everyDefault = { path: `${path}?columns=${everyColumn}`, headers: { prefer: 'missing=default' } };
const shortKeys = (count: number, value: string) => `{${list(count, n => `"${n.toString(36)}":${value}`)}}`;

const bodies: [string, () => Partial<RawRequest> & { body: string }][] = [
  [
    'every column by its default',
    () => ({ ...everyDefault, body: `[${times(4000, JSON.stringify(aQuote(target.account)))}]` }),
  ],
  ['keys that differ', () => ({ body: `[${list(19_000, n => `{"a${n}":${n}}`)}]` })],
  ['one row of many keys', () => ({ body: shortKeys(90_000, '1') })],
  ['a form of many fields', () => ({ headers: form, body: list(100_000, n => `a${n}=1`, '&') })],
  ['braces', () => ({ body: '{"a":'.repeat(megabyte / 5) })],
  ['a text that never ends', () => ({ body: `{"sport":"${'\\"'.repeat(megabyte / 2 - 10)}` })],
  [
    'a change of thousands of rows by their keys',
    () => ({ method: 'PATCH', body: `[${keys.map(id => `{"id":"${id}","sport":"golf"}`).join(',')}]` }),
  ],
  [
    'an upsert of thousands of rows',
    () => ({
      path: `${path}?on_conflict=id`,
      headers: { prefer: 'resolution=merge-duplicates,return=representation' },
      body: `[${list(3500, n => JSON.stringify(aQuote(target.account, { id: keys[n] })))}]`,
    }),
  ],
];

it.each(sample(2, bodies))('a body of %s is cheap', async (_, make) => {
  const { method = 'POST', headers, ...request } = make();
  const asked = { ...target.callers.customer, ...json, ...headers };
  expectCheap(await target.attack([{ path, method, ...request, headers: asked }]), { mayTakeTooLong: true });
});

it.each([
  ['unit_price', `${'1'.repeat(100_000)}x`],
  ['event_date', `2026-01-01T10:00:00.${'1'.repeat(100_000)}x`],
])('a value of %s that is nearly valid is cheap', { tags: ['full'] }, async (column, value) => {
  const headers = { ...target.callers.staff, ...json };
  const body = JSON.stringify({ [column]: value });
  expectCheap(await target.attack([{ method: 'PATCH', path: `${path}?id=not.is.null`, headers, body }]));
});

/** A megabyte: the start, spaces, and the end. */
const padded = (start: string, end = ''): string =>
  start + ' '.repeat(megabyte - start.length - end.length) + end;

const tables: [string, string][] = [
  ['quotes that close too early, spaces and a line end', padded('"x'.repeat(megabyte / 4), '\n')],
  ['quoted fields without a comma between them', padded('"x"x'.repeat(megabyte / 8))],
  ['commas only', ','.repeat(megabyte)],
  ['a hundred thousand names', list(100_000, n => `a${n}`)],
  ['short lines under many names', `${'a,'.repeat(20_000)}a\n${'b\n'.repeat(20_000)}`],
];

it.each(sample(1, tables))('CSV of %s is refused and cheap', async (_, body) => {
  const headers = { ...target.callers.staff, 'content-type': 'text/csv' };
  const outcome = await target.attack([{ method: 'POST', path: '/rest/v1/graphics', headers, body }]);
  expectCheap(outcome);
  expect(outcome.replies[0]?.status).toBeGreaterThanOrEqual(400);
});

it.each([
  ['empty arrays', () => `[${times(340_000, '[]')}]`],
  [
    'a quote with empty arrays',
    () => JSON.stringify(aQuote(target.account, { customization: { a: Array(300_000).fill([]) } })),
  ],
])('sixty bodies at once of %s are cheap', { tags: ['full'] }, async (_, make) => {
  const headers = { ...target.callers.customer, ...json };
  const request = { method: 'POST', path, headers, body: Buffer.from(make()) };
  expectCheap(await target.attack(Array(60).fill(request), 60));
});

it('a compressed body of 200 MiB is not unpacked', { tags: ['full'] }, async () => {
  const body = gzipSync(Buffer.alloc(200 * megabyte, ' '), { level: 1 });
  expect(body.length).toBeLessThan(megabyte);
  const headers = { ...target.callers.customer, ...json, 'content-encoding': 'gzip' };
  const outcome = await target.attack([{ method: 'POST', path, headers, body }]);
  expectCheap(outcome);
  expect(outcome.replies[0]?.status).toBeGreaterThanOrEqual(400);
});

it('a change of many large rows that returns them all is cheap', async () => {
  await insertQuotes(target, 'curling', 200, "repeat('x', 1000000)");
  const rows = `${path}?${query({ sport: 'eq.curling', select: 'customization' })}`;
  const headers = { ...target.callers.customer, ...json, ...representation };
  for (const change of [{ method: 'PATCH', body: '{"company":"Lions"}' }, { method: 'DELETE' }]) {
    expectCheap(await target.attack([{ ...change, path: rows, headers }]), { mayTakeTooLong: true });
  }
});
