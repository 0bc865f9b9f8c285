/** Bodies that become much larger in Postgres. */
import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { quotes } from '../../schema/quotes.ts';
import { sample } from '../setup/full-size.ts';
import { aQuote } from '../setup/rows.ts';
import { expectCheap } from './expect-cheap.ts';
import { postQuote, query } from './quotes.ts';
import type { CostlyRequest } from './sender.ts';
import { json, useTarget } from './target.ts';

const target = useTarget();

const megabyte = 1024 * 1024;
const times = (count: number, text: string, separator = ',') => Array(count).fill(text).join(separator);
/** A quote whose customization is this JSON text. */
const withSnapshot = (customization: string): string =>
  JSON.stringify(aQuote(target.account, { customization: 'here' })).replace('"here"', customization);

const snapshots: [string, () => string][] = [
  ['empty arrays', () => `{"a":[${times(340_000, '[]')}]}`],
  ['empty objects', () => `{"a":[${times(340_000, '{}')}]}`],
  ['small numbers', () => `{"a":[${times(500_000, '1')}]}`],
  ['empty texts', () => `{"a":[${times(340_000, '""')}]}`],
  ['keys', () => `{${Array.from({ length: 90_000 }, (_, n) => `"${n.toString(36)}":[]`).join(',')}}`],
  ['the same key', () => `{${times(170_000, '"a":0')}}`],
  ['numbers of 131,072 digits', () => `{"a":[${times(2000, '1e131071')}]}`],
  ['numbers of 16,000 decimals', () => `{"a":[${times(20_000, '1e-16000')}]}`],
  ['one number of a megabyte', () => `{"a":${'9'.repeat(1_000_000)}}`],
  ['a megabyte of escapes', () => `{"a":"${'\\u0001'.repeat(170_000)}"}`],
  ['a megabyte of quotes', () => `{"a":"${"'\\\\".repeat(340_000)}"}`],
  ['levels', () => `{"a":${'['.repeat(490)}${']'.repeat(490)}}`],
];
const preferences: [string, Record<string, string>][] = [
  ['', {}],
  [', with missing=default', { prefer: 'missing=default,return=representation' }],
  [', with an Idempotency-Key', { prefer: 'return=representation' }],
];

for (const [how, headers] of preferences) {
  it.each(sample(4, snapshots))(`a snapshot of %s${how}`, { timeout: 60_000 }, async (_, make) => {
    const key = how.includes('Key') ? { 'idempotency-key': randomUUID() } : {};
    const post = { ...postQuote(target, {}, { ...headers, ...key }), body: withSnapshot(make()) };
    expectCheap(await target.attack([post]));
  });
}

const everyColumn = Object.entries(quotes.columns)
  .filter(([, { privileges }]) => privileges.customer.some(privilege => privilege === 'insert'))
  .map(([name]) => name);

const nullable = everyColumn.filter(name => quotes.columns[name as keyof typeof quotes.columns].nullable);

const keys = Array.from({ length: 12_000 }, () => randomUUID());
const bodies: [string, string, () => Partial<CostlyRequest> & { body: string }][] = [
  [
    'POST',
    'every column by its default',
    () => ({
      path: `/rest/v1/quotes?columns=${everyColumn.join(',')}`,
      headers: { prefer: 'missing=default' },
      body: `[${times(4000, JSON.stringify(aQuote(target.account, { customization: {} })))}]`,
    }),
  ],
  ['POST', 'rows of nothing', () => ({ body: `[${times(19_999, '{}')}]` })],
  [
    'POST',
    'rows of nothing, by default',
    () => ({
      path: `/rest/v1/quotes?columns=${everyColumn.join(',')}`,
      headers: { prefer: 'missing=default' },
      body: `[${times(19_999, '{}')}]`,
    }),
  ],
  [
    'POST',
    'keys that differ',
    () => ({
      body: `[${Array.from({ length: 19_000 }, (_, n) => `{"a${n}":${n}}`).join(',')}]`,
    }),
  ],
  [
    'POST',
    'one row of many keys',
    () => ({
      body: `{${Array.from({ length: 90_000 }, (_, n) => `"a${n}":1`).join(',')}}`,
    }),
  ],
  [
    'POST',
    'a form of many fields',
    () => ({
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: Array.from({ length: 100_000 }, (_, n) => `a${n}=1`).join('&'),
    }),
  ],
  [
    'POST',
    'a form of one field, many times',
    () => ({
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: times(200_000, 'a=1', '&'),
    }),
  ],
  [
    'POST',
    'a form of percent signs',
    () => ({
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `sport=${'%41'.repeat(340_000)}`,
    }),
  ],
  ['POST', 'rows with a megabyte of blanks', () => ({ body: `${' '.repeat(megabyte - 10)}[]` })],
  ['POST', 'brackets', () => ({ body: '['.repeat(megabyte) })],
  ['POST', 'braces', () => ({ body: '{"a":'.repeat(megabyte / 5) })],
  ['POST', 'a text that never ends', () => ({ body: `{"sport":"${'\\"'.repeat(megabyte / 2 - 10)}` })],
  [
    'PATCH',
    'thousands of rows by their keys',
    () => ({
      path: '/rest/v1/quotes',
      body: `[${keys.map(id => `{"id":"${id}","sport":"golf"}`).join(',')}]`,
    }),
  ],
  [
    'PATCH',
    'rows of different columns by their keys',
    () => ({
      path: '/rest/v1/quotes',
      body: `[${keys
        .slice(0, 9000)
        .map((id, n) => `{"id":"${id}","${nullable[n % nullable.length]}":null}`)
        .join(',')}]`,
    }),
  ],
  [
    'POST',
    'an upsert of thousands of rows',
    () => ({
      path: '/rest/v1/quotes?on_conflict=id',
      headers: { prefer: 'resolution=merge-duplicates,return=representation' },
      body: `[${keys
        .slice(0, 4500)
        .map(id => JSON.stringify({ ...aQuote(target.account), id }))
        .join(',')
        .slice(0, megabyte - 10)}]`,
    }),
  ],
];

it.each(sample(6, bodies))('%s of %s', { timeout: 60_000 }, async (method, _, make) => {
  const { path = '/rest/v1/quotes', headers, body } = make();
  const asked = { ...target.callers.customer, ...json, ...headers };
  expectCheap(await target.attack([{ method, path, headers: asked, body }]), { mayTakeTooLong: true });
});

it('a compressed body of 256 MiB is not unpacked', { timeout: 60_000 }, async () => {
  const body = gzipSync(Buffer.alloc(256 * megabyte, ' '));
  expect(body.length).toBeLessThan(megabyte);
  const headers = { ...target.callers.customer, ...json, 'content-encoding': 'gzip' };
  const outcome = await target.attack([{ method: 'POST', path: '/rest/v1/quotes', headers, body }]);
  expectCheap(outcome);
  expect(outcome.replies[0]?.status).toBeGreaterThanOrEqual(400);
});

it('a change of many large rows that returns them all', { timeout: 60_000 }, async () => {
  const { sql } = target.service;
  await sql`
    insert into builder.quotes (account_id, quote_number, product_id, sport, customization)
    select ${target.account}, 'QT-2026-00001', ${randomUUID()}, 'curling', jsonb_build_object('a', repeat('x', 1000000))
    from generate_series(1, 200)`;
  const select = query({ sport: 'eq.curling', select: 'customization' });
  const change = { method: 'PATCH', path: `/rest/v1/quotes?${select}`, body: '{"company":"Lions"}' };
  const headers = { ...target.callers.customer, ...json, prefer: 'return=representation' };
  expectCheap(await target.attack([{ ...change, headers }]), { mayTakeTooLong: true });
  expectCheap(await target.attack([{ ...change, headers, method: 'DELETE', body: '' }]), {
    mayTakeTooLong: true,
  });
});
