/**
 * Requests as supabase-py writes them, after its published source (github.com/supabase/supabase-py, src/postgrest). They are
 * sent from here, without the package itself: it is on neither npm nor Debian, where the tests install from.
 * @module-tag full
 */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { aGraphic, aQuote } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { callerOf } from '../setup/wire.ts';

const service = useService();
beforeEach(async () => {
  await service.sql`truncate builder.graphics`;
});

type Row = Record<string, unknown>;

/** With both profiles and a content type on every request, and `{}` as the body of a DELETE. */
function python(key: string, token = key) {
  const caller = callerOf(service, key, token);
  const always = {
    accept: 'application/json',
    'content-type': 'application/json',
    'accept-profile': 'public',
    'content-profile': 'public',
    'x-client-info': 'supabase-py/postgrest-py v2.20.0',
    'x-supabase-client-runtime': 'python',
  };
  return async (
    method: string,
    table: string,
    params: [string, string][],
    prefer?: string,
    json?: unknown,
  ) => {
    const headers = { ...always, ...(prefer !== undefined && { prefer }) };
    const body = method === 'DELETE' ? {} : json;
    const reply = await caller.send(method, `/${table}?${new URLSearchParams(params)}`, body, headers);
    return { status: reply.status, body: reply.body, range: reply.headers.get('content-range') };
  };
}

/** A list is inserted with the names of its columns. */
const columnsOf = (rows: Row[]): [string, string] => [
  'columns',
  [...new Set(rows.flatMap(Object.keys))].map(name => `"${name}"`).join(),
];

it('table().insert, upsert, update and delete return rows, and can be limited', async () => {
  const send = python(service.secretKey);
  const rows = ['A', 'B'].map(name => aGraphic({ name }));
  const codes: [string, string] = ['code', `in.(${rows.map(({ code }) => code)})`];
  const inserted = await send(
    'POST',
    'graphics',
    [columnsOf(rows)],
    'return=representation,count=exact',
    rows,
  );
  expect(inserted).toMatchObject({ status: 201, body: [{ name: 'A' }, { name: 'B' }], range: '*/2' });
  const renamed = rows.map(row => ({ ...row, name: 'C' }));
  const preferred = 'return=representation,resolution=merge-duplicates';
  const upserted = await send(
    'POST',
    'graphics',
    [['on_conflict', 'code'], columnsOf(rows)],
    preferred,
    renamed,
  );
  expect(upserted).toMatchObject({ status: 200, body: [{ name: 'C' }, { name: 'C' }] });
  const limited = 'return=representation,handling=strict,max-affected=1';
  const tooMany = await send('PATCH', 'graphics', [codes], limited, { name: 'D' });
  expect(tooMany).toMatchObject({ status: 400, body: { code: 'PGRST124' } });
  const updated = await send('PATCH', 'graphics', [codes], 'return=representation', { is_active: false });
  expect(updated).toMatchObject({ status: 200, body: [{ name: 'C' }, { name: 'C' }] });
  expect((await send('DELETE', 'graphics', [codes], 'return=representation')).body).toHaveLength(2);
});

describe('select', () => {
  it.each<[string, [string, string][], number]>([
    ["eq('is_active', True)", [['is_active', 'eq.True']], 2],
    ["is_('is_active', False)", [['is_active', 'is.False']], 0],
    ["not_.is_('width', None)", [['width', 'not.is.null']], 2],
    ["in_('name', ['Head, (big)', 'B'])", [['name', 'in.("Head, (big)",B)']], 1],
    ["contains('tags', ['big', 'cat'])", [['tags', 'cs.{big,cat}']], 2],
    ["gte('created_at', a datetime)", [['created_at', 'gte.2020-05-20 10:00:00.123456+00:00']], 2],
    ["lt('created_at', a date)", [['created_at', 'lt.2020-05-20']], 0],
    ["or_('width.eq.0,name.ilike.*big*')", [['or', '(width.eq.0,name.ilike.*big*)']], 2],
    ["ilike_any_of('name', 'l%,x%')", [['name', 'ilike(any).{l%,x%}']], 1],
    [
      'gte and lt of one column',
      [
        ['width', 'gte.1'],
        ['width', 'lt.9'],
      ],
      1,
    ],
  ])('%s finds rows, and counts them', async (_, filters, count) => {
    const send = python(service.secretKey);
    const rows = ['Lion', 'Head, (big)'].map((name, width) =>
      aGraphic({ name, width, tags: ['cat', 'big'] }),
    );
    await send('POST', 'graphics', [columnsOf(rows)], 'return=minimal', rows);
    const page: [string, string][] = [
      ['order', 'width.desc.nullslast,id.asc'],
      ['offset', '0'],
      ['limit', '1'],
    ];
    const found = await send('GET', 'graphics', [['select', 'id,width'], ...filters, ...page], 'count=exact');
    expect(found.body).toHaveLength(Math.min(count, 1));
    expect(found.range).toMatch(new RegExp(`/${count}$`));
  });

  it("contains('customization', a dict) finds the quotes of a customer, and an error has its four fields", async () => {
    const account = randomUUID();
    const send = python(service.publishableKey, await service.token({ account }));
    const [quote] = (await send('POST', 'quotes', [], 'return=representation', aQuote(account))).body;
    const filter: [string, string] = ['customization', 'cs.{"team": "Lions"}'];
    expect((await send('GET', 'quotes', [['select', 'id'], filter])).body).toEqual([{ id: quote.id }]);
    const change = { status: 'ordered' };
    const refused = await send(
      'PATCH',
      'quotes',
      [['id', `eq.${quote.id}`]],
      'return=representation',
      change,
    );
    expect(refused).toMatchObject({ status: 409 });
    expect(refused.body).toEqual({
      code: 'PT409',
      message: 'A quote cannot move from draft to ordered',
      details: expect.any(String),
      hint: null,
    });
    expect((await send('POST', 'rpc/next_quote_number', [], undefined, {})).body).toMatch(/^QT-/);
  });
});
