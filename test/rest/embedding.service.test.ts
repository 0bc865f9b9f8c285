/** What belongs to a row, in one request. What PostgREST responds is recorded in test/conformance/embedding-cases.json. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { limits } from '../../functions/common/limits.ts';
import { aQuote } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { representation, useCallers } from '../setup/wire.ts';

const service = useService({ bindings: { MAX_ROWS: '3' } });
const account = randomUUID();
const { anon, customer, staff } = useCallers(service, account);

/** A quote with an offer, and another account's. */
const own = randomUUID();
const foreign = randomUUID();
beforeAll(async () => {
  for (const [id, of] of [
    [own, account],
    [foreign, randomUUID()],
  ] as const) {
    const row = aQuote(of, { id, status: 'quoted', unit_price: 10, total_price: 100 });
    expect((await staff.send('POST', '/quotes', row)).status).toBe(201);
  }
});

const everything = 'select=*,quote_events(*),quote_offers(*)';

describe('embedded rows', () => {
  it('have the columns that the caller may read of their collection', async () => {
    const { body } = await customer.get(`/quotes?id=eq.${own}&${everything}`);
    expect(body).toHaveLength(1);
    expect(body[0]).not.toHaveProperty('internal_notes');
    expect(body[0].quote_events[0]).toMatchObject({ event: 'quote.quoted' });
    expect(body[0].quote_events[0]).not.toHaveProperty('staff_id');
    expect(body[0].quote_offers[0]).toMatchObject({ number: 1, total_price: 100 });
    const asStaff = await staff.get(`/quotes?id=eq.${own}&${everything}`);
    expect(asStaff.body[0].quote_events[0]).toHaveProperty('staff_id');
  });

  it.each([
    `select=id,quote_events(staff_id)`,
    `select=id,quote_events(event)&quote_events.order=staff_id`,
    `select=id,quote_offers(number,quotes(internal_notes))`,
  ])('are refused with a column that the caller may not read: %s', async query => {
    const { status, body } = await customer.get(`/quotes?${query}`);
    expect([status, body.code]).toEqual([403, '42501']);
    expect(body.message).toMatch(/staff_id|internal_notes/);
  });

  it("are those of the caller's accounts, also where a filter or an order looks at them", async () => {
    const ids = async (query: string) =>
      (await customer.get(`/quote_events?${query}`)).body.map(
        ({ quote_id }: { quote_id: string }) => quote_id,
      );
    expect(await ids('select=quote_id,quotes!inner(id)')).toEqual([own]);
    expect(await ids(`select=quote_id,quotes!inner(id)&quotes.id=eq.${foreign}`)).toEqual([]);
    expect(await ids('select=quote_id,quotes(id)&order=quotes(total_price)')).toEqual([own]);
  });

  it('are nothing to a caller who may not read their collection', async () => {
    const { status, body } = await anon.get('/quotes?select=id,quote_events(id)');
    expect([status, body.code]).toEqual([401, '42501']);
  });

  it('do not have rows that are deleted', async () => {
    const id = randomUUID();
    await staff.send('POST', '/quotes', aQuote(account, { id, status: 'rejected' }));
    await staff.send('DELETE', `/quotes?id=eq.${id}`);
    const { body } = await staff.get(`/quote_events?quote_id=eq.${id}&select=event,quotes(id)&limit=1`);
    expect(body).toEqual([{ event: 'quote.rejected', quotes: null }]);
    const path = `/quote_events?quote_id=eq.${id}&select=event,quotes(id)&quotes.deleted_at=not.is.null`;
    expect((await staff.get(`${path}&limit=1`)).body[0].quotes).toEqual({ id });
  });

  it('are at most MAX_ROWS for each row, in the order of their keys', async () => {
    await service.sql`insert into builder.quote_events (quote_id, account_id, event, status, currency, created_as)
      select ${own}, ${account}, 'quote.changed', 'quoted', 'USD', 'staff' from generate_series(1, 9)`;
    const [{ quote_events }] = (await staff.get(`/quotes?id=eq.${own}&select=quote_events(id)`)).body;
    expect(quote_events).toHaveLength(3);
    const ids = quote_events.map(({ id }: { id: number }) => id);
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
  });

  it('count towards the size of a response, row by row', async () => {
    const id = randomUUID();
    const customization = { text: 'x'.repeat(900_000) };
    await staff.send(
      'POST',
      '/quotes',
      aQuote(account, { id, customization, status: 'quoted', unit_price: 1, total_price: 1 }),
    );
    await service.sql`insert into builder.quote_offers
      (quote_id, account_id, number, unit_price, total_price, currency, product_id, sport, customization, created_as)
      select quote_id, account_id, number + n, unit_price, total_price, currency, product_id, sport, customization, created_as
      from builder.quote_offers, generate_series(1, 30) n where quote_id = ${id}`;
    const path = `/quotes?id=eq.${id}&select=id`;
    expect((await staff.get(`${path},quote_offers(customization)&quote_offers.limit=2`)).status).toBe(200);
    const { status, body } = await staff.get(`${path},customization,quote_offers(customization)`);
    expect([status, body.code]).toEqual([400, '54000']);
  });

  it('have no ETag, since the version of a row does not cover them', async () => {
    expect((await staff.get(`/quotes?id=eq.${own}`)).headers.get('etag')).not.toBeNull();
    for (const parts of ['quote_events(id)', 'quote_events!inner()']) {
      const path = `/quotes?id=eq.${own}&select=id,${parts}`;
      expect((await staff.get(path)).headers.get('etag')).toBeNull();
    }
  });

  it('are in what a write returns, also filtered', async () => {
    const path = `/quotes?id=eq.${own}&select=company,quote_offers(number)`;
    const write = (query: string) => staff.send('PATCH', path + query, { company: 'Lions' }, representation);
    expect((await write('')).body).toEqual([{ company: 'Lions', quote_offers: [{ number: 1 }] }]);
    const filtered = await write('&quote_offers.number=eq.7');
    expect(filtered.body).toEqual([{ company: 'Lions', quote_offers: [] }]);
  });

  it.each([
    'select=id,quote_offers!inner(number)&quote_offers.number=eq.1',
    'select=id,quote_offers!inner()',
    'select=id,offers:quote_offers!inner(number)&offers=is.null',
    'select=id,quote_offers()&quote_offers=is.null',
    'select=id,offers:quote_offers(number)&offers=not.is.null',
    'select=id,quote_offers(number)&or=(sport.eq.golf,and(quote_offers.is.null,sport.eq.baseball))',
    'quote_offers=is.null',
  ])('do not select the rows of a write: %s', async query => {
    for (const prefer of ['return=minimal', 'return=headers-only', 'return=representation']) {
      for (const [method, body] of [['DELETE'], ['PATCH', { company: 'Lost' }]] as const) {
        const path = `/quotes?account_id=eq.${account}&${query}`;
        const { status, body: error } = await staff.send(method, path, body, { prefer });
        expect([status, error?.code, error?.hint]).toEqual([
          400,
          'PGRST100',
          expect.stringContaining('id=in.('),
        ]);
      }
    }
    const rows = await staff.get(`/quotes?account_id=eq.${account}&company=not.eq.Lost&select=id,deleted_at`);
    expect(rows.body).toContainEqual({ id: own, deleted_at: null });
  });

  it('do not hide a row that an insert returns', async () => {
    for (const method of ['POST', 'PUT']) {
      const id = randomUUID();
      const path = `/quotes?select=id,quote_offers!inner(number)${method === 'PUT' ? `&id=eq.${id}` : ''}`;
      const { status, body } = await staff.send(method, path, aQuote(account, { id }), representation);
      expect([status, body.code, body.hint]).toEqual([
        400,
        'PGRST100',
        'Embed them without !inner: quote_offers(…).',
      ]);
      expect((await staff.get(`/quotes?id=eq.${id}`)).body).toEqual([]);
    }
  });

  it('are none past their limit and offset, also where a filter asks for them', async () => {
    const get = async (path: string) => (await staff.get(path)).body;
    const quote = `/quotes?id=eq.${own}&select=id,quote_offers`;
    expect(await get(`${quote}!inner(number)&quote_offers.offset=1`)).toEqual([]);
    expect(await get(`${quote}!inner(number)&quote_offers.limit=0`)).toEqual([]);
    expect(await get(`${quote}(number)&quote_offers.limit=0&quote_offers.offset=1`)).toEqual([
      { id: own, quote_offers: [] },
    ]);
    expect(await get(`${quote}()&quote_offers=is.null&quote_offers.limit=0`)).toEqual([{ id: own }]);
    const offer = `/quote_offers?quote_id=eq.${own}&select=number`;
    expect(await get(`${offer},quotes(id)&quotes.offset=1`)).toEqual([{ number: 1, quotes: null }]);
    expect(await get(`${offer},...quotes(id)&quotes.limit=0`)).toEqual([{ number: 1, id: null }]);
  });

  it('that are more than the service returns make the status 206, which supabase-js shows', async () => {
    const id = randomUUID();
    await staff.send('POST', '/quotes', aQuote(account, { id, status: 'submitted' }));
    const read = async (query: string) => {
      const { status, body } = await staff.get(`/quotes?id=eq.${id}&select=id,quote_events(id)${query}`);
      return [status, body[0].quote_events.length];
    };
    const move = (status: string) => staff.send('PATCH', `/quotes?id=eq.${id}`, { status });
    await move('rejected');
    await move('submitted');
    expect(await read('')).toEqual([200, 3]);
    await move('cancelled');
    expect(await read('')).toEqual([206, 3]);
    expect(await read('&quote_events.limit=100')).toEqual([206, 3]);
    expect(await read('&quote_events.limit=3')).toEqual([200, 3]);
    expect(await read('&quote_events.offset=1')).toEqual([200, 3]);
    expect(await read('&order=created_at&limit=1')).toEqual([206, 3]);
    const inner = await staff.get(`/quote_events?quote_id=eq.${id}&select=quotes(quote_events(id))&limit=1`);
    expect(inner.status).toBe(206);
    const object = { accept: 'application/vnd.pgrst.object+json' };
    expect((await staff.get(`/quotes?id=eq.${id}&select=quote_events(id)`, object)).status).toBe(206);
    expect((await staff.get(`/quotes?id=eq.${foreign}&${everything}`)).status).toBe(200);
  });

  it('are never missing where they are an aggregate without a group', async () => {
    const filter = 'quote_offers.number=eq.7';
    const path = `/quotes?id=eq.${own}&select=quote_offers!inner(count())&${filter}`;
    expect((await staff.get(path)).body).toEqual([{ quote_offers: [{ count: 0 }] }]);
  });

  it('group by a column of the one related row, and aggregate it', async () => {
    const { body } = await staff.get(`/quote_offers?select=count(),...quotes(sport,total_price.sum())`);
    expect(body[0]).toMatchObject({ sport: 'baseball' });
    expect(Object.keys(body[0]).sort()).toEqual(['count', 'sport', 'sum']);
  });

  it('leave an empty row where nothing else is selected', async () => {
    const reply = (method: string, path: string, headers = {}) =>
      staff.send(method, path, method === 'PATCH' ? { company: 'Lions' } : undefined, headers);
    const path = `/quotes?id=eq.${own}&select=quote_offers!inner()`;
    expect((await reply('GET', path)).body).toEqual([{}]);
    expect((await reply('GET', `${path}&limit=1&order=id`)).body).toEqual([{}]);
    expect((await reply('GET', path, { accept: 'application/vnd.pgrst.object+json' })).body).toEqual({});
    expect((await reply('PATCH', path.replace('!inner', ''), representation)).body).toEqual([{}]);
    expect((await reply('GET', '/quote_offers?select=...quotes()&limit=1')).body).toEqual([{}]);
    for (const accept of ['text/csv', 'text/csv; profile=spreadsheet']) {
      expect((await reply('GET', path, { accept })).status).toBe(200);
    }
  });

  it('are empty rows where they select rows only to filter by them', async () => {
    const of = `quote_id=eq.${own}&number=eq.1`;
    const get = async (path: string) => (await staff.get(path)).body;
    expect(await get(`/quote_offers?select=quotes(quote_events())&${of}`)).toEqual([{ quotes: {} }]);
    const none = 'quotes.quote_events.event=eq.x';
    expect(await get(`/quote_offers?select=quotes(quote_events!inner())&${none}&${of}`)).toEqual([
      { quotes: null },
    ]);
    expect(await get(`/quotes?select=quote_offers(quotes())&quote_offers.number=eq.1&id=eq.${own}`)).toEqual([
      { quote_offers: [{}] },
    ]);
  });
});

it('embedded rows lose their nulls with nulls=stripped', async () => {
  const accept = 'application/vnd.pgrst.array+json;nulls=stripped';
  const path = `/quotes?id=eq.${own}&select=design_id,quote_offers(number,design_id)`;
  expect((await staff.get(path, { accept })).body).toEqual([{ quote_offers: [{ number: 1 }] }]);
});

it('a write that returns no rows refuses a filter on rows that it does not embed, which might be taken for one on its own', async () => {
  const write = (query: string) =>
    staff.send('PATCH', `/quotes?id=eq.${own}&quote_offers.number=eq.7${query}`, { company: 'Bears' });
  const { status, body } = await write('');
  expect([status, body.code]).toEqual([400, 'PGRST108']);
  expect((await write('&select=quote_offers(id)')).status).toBe(204);
});

it('the one related row of a group is refused, and the hint says to spread it', async () => {
  const { status, body } = await staff.get('/quote_events?select=count(),quotes(status)');
  expect([status, body.code]).toEqual([400, 'PGRST127']);
  expect(body.hint).toContain('...quotes(<column>)');
});

it('an order by a large column of the related row is refused, since each row would keep a copy', async () => {
  const { status, body } = await staff.get(
    '/quote_events?select=id,quotes(id)&order=quotes(customization->>t)',
  );
  expect([status, body.code, body.hint]).toEqual([
    400,
    'PGRST100',
    expect.stringContaining('shorter column'),
  ]);
});

describe('what cannot be embedded', () => {
  const deep = 'quote_events(quotes(quote_offers(quotes(id))))';
  it.each([
    ['select=id,quote_event(id)', 'PGRST200', /quote_events/],
    ['select=id&quote_events.order=id', 'PGRST108', /select=\*,quote_events\(\*\)/],
    ['select=id,...quote_events(id)', 'PGRST119', /quote_events\(\*\)/],
    ['select=id,quote_events(id)&order=quote_events(id)', 'PGRST118', /quote_events\.order=id/],
    ['select=id,quote_events(id)&quote_events.order=quotes(customization->>t)', 'PGRST108', /quotes\(\*\)/],
    ['select=id,quote_events(id)&quote_events=eq.1', 'PGRST120', /quote_events\.id=eq/],
    ['select=id,quote_events(id),quote_events(event)', 'PGRST100', /other:quote_events/],
    ['select=count(),quote_events(id)', 'PGRST127', /quote_events\(count\(\)\)/],
    [`select=id,${deep}`, 'PGRST100', /a request of its own/],
    [
      `select=id,${Array.from({ length: limits.query.embeddings + 1 }, (_, n) => `a${n}:quote_events(id)`)}`,
      'PGRST100',
      /another request/,
    ],
  ])('%s is refused, and the hint says what to send', async (query, code, hint) => {
    const { status, body } = await staff.get(`/quotes?${query}`);
    expect([status, body.code]).toEqual([400, code]);
    expect(body.hint).toMatch(hint);
  });
});
