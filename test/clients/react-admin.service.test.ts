/**
 * react-admin's data provider for PostgREST, which its one for Supabase uses too, and the numbered filters that it writes; refine's
 * for Supabase, where its pages need what belongs to a row.
 * @module-tag full
 */
import { randomUUID } from 'node:crypto';
import restProvider, { defaultPrimaryKeys, defaultSchema } from '@raphiniert/ra-data-postgrest';
import { dataProvider } from '@refinedev/supabase';
import { type DataProvider, fetchUtils } from 'ra-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aGraphic, aQuote } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { representation, useCallers } from '../setup/wire.ts';
import { clientOf } from './supabase.ts';

const service = useService();
const { staff } = useCallers(service);
beforeEach(async () => {
  await service.sql`truncate builder.graphics`;
});

/** A provider with the secret key, or signed in with a token. */
const providerOf = (token?: string): DataProvider =>
  restProvider({
    apiUrl: `${service.url}/rest/v1`,
    httpClient: (url: string, options: fetchUtils.Options) => {
      const headers = new Headers(options.headers);
      headers.set('apikey', token ? service.publishableKey : service.secretKey);
      const user = { authenticated: token !== undefined, token: `Bearer ${token}` };
      return fetchUtils.fetchJson(url, { ...options, headers, user });
    },
    defaultListOp: 'eq',
    primaryKeys: defaultPrimaryKeys,
    schema: defaultSchema,
  });

describe('@raphiniert/ra-data-postgrest', () => {
  const names = ['Lion Head', 'Lion', 'Tiger Head', 'Head'];
  const category_id = randomUUID();
  let provider: DataProvider;
  let rows: { id: string; name: string }[];
  beforeEach(async () => {
    provider = providerOf();
    const graphics = names.map((name, width) => aGraphic({ name, width, category_id }));
    rows = (await staff.send('POST', '/graphics', graphics, representation)).body;
  });
  const ids = (count: number) => rows.slice(0, count).map(({ id }) => id);
  const pagination = { page: 1, perPage: 2 };
  const sort = { field: 'name', order: 'DESC' } as const;

  describe('getList', () => {
    const list = async (filter: object) => {
      const { data, total } = await provider.getList('graphics', { pagination, sort, filter });
      return { names: data.map(({ name }) => name), total };
    };

    it.each<[filter: object, names: string[], total: number]>([
      [{}, ['Tiger Head', 'Lion Head'], 4],
      [{ 'width@gte': 1, 'width@lt': 3 }, ['Tiger Head', 'Lion'], 2],
      [{ 'name@ilike': 'head li on' }, ['Lion Head'], 1],
      [{ '@or': { name: 'Head', 'width@eq': 1 } }, ['Lion', 'Head'], 2],
    ])('filters, orders, counts and cuts a page: %j', async (filter, names, total) => {
      expect(await list(filter)).toEqual({ names, total });
    });
  });

  it('getOne, getMany and getManyReference read rows', async () => {
    const [id = ''] = ids(1);
    expect(await provider.getOne('graphics', { id })).toEqual({ data: rows[0] });
    expect(await provider.getMany('graphics', { ids: [] })).toEqual({ data: [] });
    expect((await provider.getMany('graphics', { ids: ids(2) })).data).toHaveLength(2);
    const reference = { target: 'category_id', id: category_id, pagination, sort, filter: { 'width@gt': 0 } };
    expect(await provider.getManyReference('graphics', reference)).toMatchObject({
      data: [{ name: 'Tiger Head' }, { name: 'Lion' }],
      total: 3,
    });
    await expect(provider.getOne('graphics', { id: category_id })).rejects.toMatchObject({ status: 406 });
  });

  it('create, update, updateMany, delete and deleteMany write rows', async () => {
    const { data } = await provider.create('graphics', { data: aGraphic({ name: 'Wolf' }) });
    const changed = { id: data.id, data: { ...data, name: 'Fox' }, previousData: data };
    expect((await provider.update('graphics', changed)).data).toMatchObject({ id: data.id, name: 'Fox' });
    expect(await provider.updateMany('graphics', { ids: ids(2), data: { width: 9 } })).toEqual({
      data: expect.arrayContaining(ids(2)),
    });
    expect((await provider.delete('graphics', { id: data.id })).data).toMatchObject({ name: 'Fox' });
    expect((await provider.deleteMany('graphics', { ids: ids(2) })).data).toHaveLength(2);
    const left = await staff.get('/graphics?select=name&order=name');
    expect(left.body).toEqual([{ name: 'Head' }, { name: 'Tiger Head' }]);
  });
});

describe('a page shows a quote with its history and its offers, by one request', () => {
  const account = randomUUID();
  const id = randomUUID();
  beforeAll(async () => {
    await staff.send(
      'POST',
      '/quotes',
      aQuote(account, { id, status: 'quoted', unit_price: 1, total_price: 9 }),
    );
  });
  const shown = {
    id,
    quote_events: [expect.objectContaining({ event: 'quote.quoted' })],
    quote_offers: [expect.objectContaining({ number: 1, total_price: 9 })],
  };

  it('with `embed`, in react-admin', async () => {
    const customer = providerOf(await service.token({ account }));
    const meta = { embed: ['quote_events', 'quote_offers'] };
    expect((await customer.getOne('quotes', { id, meta })).data).toMatchObject(shown);
  });

  it('with `select`, in refine', async () => {
    const token = await service.token({ account });
    const provider = dataProvider(clientOf(service, service.publishableKey, token) as never);
    const meta = { select: '*, quote_events(*), quote_offers(*)' };
    expect((await provider.getOne({ resource: 'quotes', id, meta })).data).toMatchObject(shown);
  });
});

it('a numbered filter stays on the next page', async () => {
  const graphics = ['Lion', 'Lion Head'].map(name => aGraphic({ name }));
  await staff.send('POST', '/graphics', graphics);
  const query = 'name[0][0]=ilike.*i*&name[0][1]=ilike.*o*&name[1]=ilike.lion*';
  const first = await staff.get(`/graphics?${query}&select=name&order=name&limit=1`);
  const next = /<.*(\?.*)>/.exec(first.headers.get('link') ?? '')?.[1];
  expect(first.body).toEqual([{ name: 'Lion' }]);
  expect((await staff.get(`/graphics${next}`)).body).toEqual([{ name: 'Lion Head' }]);
});
