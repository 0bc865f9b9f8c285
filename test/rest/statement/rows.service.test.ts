/** Creating, reading, changing and deleting rows, beyond what the conformance tests cover. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { operatorNames, rowOf } from '../../../functions/rest/request/operators.ts';
import { aGraphic, aQuote } from '../../setup/rows.ts';
import { useService } from '../../setup/service.ts';
import { representation, useCallers } from '../../setup/wire.ts';

const service = useService();
const { staff } = useCallers(service);

it('a value keeps numbers past 2^53, trailing zeros and microseconds exactly', async () => {
  const values = '"unit_price":1.50,"total_price":12345678901234567890.10';
  const quote = aQuote(randomUUID(), { expires_at: '2031-01-01T00:00:00.123456Z' });
  const row = JSON.stringify(quote).replace(/}$/, `,${values}}`);
  const path = '/quotes?select=unit_price,total_price,expires_at';
  const { text } = await staff.send('POST', path, row, representation);
  expect(text).toBe(`[{${values},"expires_at":"2031-01-01T00:00:00.123456+00:00"}]`);
});

it.each([
  ['+05:30', '05:30:00+05:30'],
  ['5', '05:00:00+05:00'],
  ['-05:30', '18:30:00-05:30'],
])('a time is shown in the preferred offset, which is east of Greenwich without a sign: %s', async (zone, time) => {
  const quote = aQuote(randomUUID(), { expires_at: '2031-01-01T00:00:00Z' });
  const prefer = `return=representation, handling=strict, timezone=${zone}`;
  const { headers, body } = await staff.send('POST', '/quotes?select=expires_at', quote, { prefer });
  expect(headers.get('preference-applied')).toContain(`timezone=${zone}`);
  expect(body[0].expires_at).toMatch(new RegExp(`T${time?.replace('+', '\\+')}$`));
});

it('a row keeps the times that the database sets when an insert or an update sends null', async () => {
  const times = { created_at: null, updated_at: null };
  const select = 'select=id,created_at,updated_at';
  const set = { created_at: expect.any(String), updated_at: expect.any(String) };
  const row = aGraphic();
  const send = (method: string, query: string, body: object) =>
    staff.send(method, `/graphics?${query}&${select}`, body, representation);
  const made = await send('POST', 'on_conflict=id', { ...row, ...times });
  expect(made.body).toMatchObject([set]);
  const { id } = made.body[0];
  expect((await send('PATCH', `id=eq.${id}`, times)).body).toMatchObject([set]);
  expect((await send('PATCH', '', [{ id, ...times }])).body).toMatchObject([set]);
  expect((await send('PUT', `id=eq.${id}`, { ...row, id, ...times })).body).toMatchObject([set]);
  const uneven = [aGraphic(), { ...aGraphic(), created_at: '2026-01-01' }];
  const many = await send('POST', `columns=${Object.keys(row)},created_at`, uneven);
  expect(many.body).toMatchObject([set, set]);
});

it('a filter by id is a list for several ids, beyond its page, and for a count', async () => {
  const ids = [randomUUID(), randomUUID()];
  const account = randomUUID();
  const rows = ids.map(id => aQuote(account, { id }));
  await staff.send('POST', '/quotes', rows);
  const read = async (query: string) => (await staff.get(`/quotes?select=id&${query}`)).body;
  expect(await read(`id=eq(any).{${ids}}`)).toHaveLength(2);
  expect(await read(`id=eq.${ids[0]}&limit=0`)).toEqual([]);
  expect(await read(`id=eq.${ids[0]}&offset=1`)).toEqual([]);
  expect((await staff.get(`/quotes?select=count()&id=eq.${account}`)).body).toEqual([{ count: 0 }]);
});

it('a write ignores limit= and returns all matching rows', async () => {
  const account = randomUUID();
  await staff.send('POST', '/quotes', [aQuote(account), aQuote(account), aQuote(account)]);
  const path = `/quotes?account_id=eq.${account}&limit=1&select=sport`;
  const prefer = 'return=representation, count=exact';
  const changed = await staff.send('PATCH', path, { sport: 'golf' }, { prefer });
  expect(changed.body).toEqual([{ sport: 'golf' }, { sport: 'golf' }, { sport: 'golf' }]);
  expect(changed.headers.get('content-range')).toBe('0-2/3');
  const planned = await staff.send('PATCH', path, { sport: 'polo' }, { prefer: 'count=planned' });
  expect([planned.status, planned.headers.get('content-range')]).toEqual([204, '0-2/*']);
  const deleted = await staff.send('DELETE', path, undefined, { prefer });
  expect([deleted.status, deleted.headers.get('content-range')]).toEqual([200, '*/3']);
});

it.each(['', 'missing=default'])('columns= allows invalid values in all other fields: %j', async missing => {
  const odd = { width: 'wide', category_id: 5, nonsense: [1] };
  const rows = [1, 2].map(() => ({ id: randomUUID(), ...aGraphic(), ...odd }));
  const path = '/graphics?columns=id,name,code,file_url,file_format&select=id,width';
  const made = await staff.send('POST', path, rows, { prefer: `return=representation,${missing}` });
  expect([made.status, made.body]).toEqual([201, rows.map(({ id }) => ({ id, width: null }))]);
  const changes = rows.map(({ id }) => ({ id, name: 'Changed', ...odd }));
  const changed = await staff.send('PATCH', '/graphics?columns=name&select=width', changes, representation);
  expect([changed.status, changed.body]).toEqual([200, [{ width: null }, { width: null }]]);
});

it('a POST of several rows has no Location', async () => {
  const headers = { prefer: 'return=headers-only' };
  const reply = await staff.send('POST', '/graphics', [aGraphic(), aGraphic()], headers);
  expect([reply.status, reply.headers.get('location')]).toEqual([201, null]);
});

it('Postgres has each operator for a text, an array or a boolean, but for those of ranges, which no column has', async () => {
  for (const name of operatorNames.filter(each => rowOf(each)?.kind !== 'range')) {
    const filters = ['name=<op>.lion', 'name=<op>.(lion)', 'tags=<op>.{lion}', 'is_active=<op>.true'];
    const replies = filters.map(filter => staff.get(`/graphics?${filter.replace('<op>', name)}`));
    expect([name, (await Promise.all(replies)).map(({ status }) => status)]).toEqual([
      name,
      expect.arrayContaining([200]),
    ]);
  }
});
