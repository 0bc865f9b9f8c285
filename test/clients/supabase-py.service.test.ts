/**
 * Requests as supabase-py writes them, after its published source (github.com/supabase/supabase-py, src/postgrest). They are
 * sent from here, without the package itself: it is on neither npm nor Debian, where the tests install from.
 * @module-tag full
 */
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { aGraphic, aQuote } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { callerOf } from '../setup/wire.ts';

const service = useService();
beforeEach(async () => {
  await service.sql`truncate builder.graphics`;
});

type Parameters = [name: string, value: string][];
const returned = 'return=representation';

/** With both profiles and a content type on every request, and `{}` as the body of a DELETE. */
function python(key: string, token = key) {
  const caller = callerOf(service, key, token);
  const always = { accept: 'application/json', 'accept-profile': 'public', 'content-profile': 'public' };
  return async (method: string, table: string, parameters: Parameters, prefer = '', json?: unknown) => {
    const headers = { ...always, 'content-type': 'application/json', ...(prefer && { prefer }) };
    const path = `/${table}?${new URLSearchParams(parameters)}`;
    const { status, body, ...reply } = await caller.send(
      method,
      path,
      method === 'DELETE' ? {} : json,
      headers,
    );
    return { status, body, range: reply.headers.get('content-range') };
  };
}

/** A list is inserted with the names of its columns. */
const columnsOf = ([row = {}]: object[]): Parameters[0] => [
  'columns',
  Object.keys(row)
    .map(name => `"${name}"`)
    .join(),
];

it('table().insert, upsert, update and delete return rows, and can be limited', async () => {
  const send = python(service.secretKey);
  const rows = ['A', 'B'].map(name => aGraphic({ name }));
  const codes: Parameters[0] = ['code', `in.(${rows.map(({ code }) => code)})`];
  const inserted = await send('POST', 'graphics', [columnsOf(rows)], `${returned},count=exact`, rows);
  expect(inserted).toMatchObject({ status: 201, body: [{ name: 'A' }, { name: 'B' }], range: '*/2' });
  const renamed = rows.map(row => ({ ...row, name: 'C' }));
  const onCode: Parameters = [['on_conflict', 'code'], columnsOf(rows)];
  const upserted = await send('POST', 'graphics', onCode, `${returned},resolution=merge-duplicates`, renamed);
  expect(upserted).toMatchObject({ status: 200, body: [{ name: 'C' }, { name: 'C' }] });
  const limited = `${returned},handling=strict,max-affected=1`;
  const tooMany = await send('PATCH', 'graphics', [codes], limited, { name: 'D' });
  expect(tooMany).toMatchObject({ status: 400, body: { code: 'PGRST124' } });
  expect((await send('DELETE', 'graphics', [codes], returned)).body).toMatchObject([
    { name: 'C' },
    { name: 'C' },
  ]);
});

it.each<[call: string, filter: Parameters[0], count: number]>([
  ["eq('is_active', True)", ['is_active', 'eq.True'], 2],
  ["is_('is_active', False)", ['is_active', 'is.False'], 0],
  ["in_('name', ['Head, (big)', 'B'])", ['name', 'in.("Head, (big)",B)'], 1],
  ["contains('tags', ['big', 'cat'])", ['tags', 'cs.{big,cat}'], 2],
  ["gte('created_at', a datetime)", ['created_at', 'gte.2020-05-20 10:00:00.123456+00:00'], 2],
  ["ilike_any_of('name', 'l%,x%')", ['name', 'ilike(any).{l%,x%}'], 1],
])('table().select().%s finds rows, and counts them', async (_, filter, count) => {
  const send = python(service.secretKey);
  const rows = ['Lion', 'Head, (big)'].map(name => aGraphic({ name, tags: ['cat', 'big'] }));
  await send('POST', 'graphics', [columnsOf(rows)], 'return=minimal', rows);
  const page: Parameters = [
    ['order', 'width.desc.nullslast,id.asc'],
    ['offset', '0'],
    ['limit', '1'],
  ];
  const { range } = await send('GET', 'graphics', [['select', 'id,width'], filter, ...page], 'count=exact');
  expect(range).toMatch(new RegExp(`/${count}$`));
});

it("contains('customization', a dict) finds a customer's quotes, and an error has its four fields", async () => {
  const account = randomUUID();
  const send = python(service.publishableKey, await service.token({ account }));
  const [{ id }] = (await send('POST', 'quotes', [], returned, aQuote(account))).body;
  const filter: Parameters[0] = ['customization', 'cs.{"team": "Lions"}'];
  expect((await send('GET', 'quotes', [['select', 'id'], filter])).body).toEqual([{ id }]);
  expect(await send('PATCH', 'quotes', [['id', `eq.${id}`]], returned, { status: 'ordered' })).toMatchObject({
    status: 409,
    body: { code: 'PT409', message: expect.any(String), details: expect.any(String), hint: null },
  });
  expect((await send('POST', 'rpc/next_quote_number', [], undefined, {})).body).toMatch(/^QT-/);
});
