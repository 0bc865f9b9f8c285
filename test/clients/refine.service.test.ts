/**
 * @refinedev/supabase: the data provider of Refine, over supabase-js.
 * @module-tag full
 */
import { randomUUID } from 'node:crypto';
import { dataProvider } from '@refinedev/supabase';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aGraphic, aQuote } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { clientOf, namesOf } from './supabase.ts';

const service = useService();
let provider: ReturnType<typeof dataProvider>;
let rows: { id: string; name: string; code: string }[];
beforeAll(async () => {
  provider = dataProvider(clientOf(service, service.secretKey));
});
beforeEach(async () => {
  await service.sql`truncate builder.graphics`;
  const variables = ['Lion Head', 'Lion', 'Tiger, "big"'].map((name, width) =>
    aGraphic({ name, width, tags: name.split(' ') }),
  );
  rows = (await provider.createMany({ resource: 'graphics', variables })).data as never;
});

const resource = 'graphics';
const ids = () => rows.slice(0, 2).map(({ id }) => id);
const namesLeft = () =>
  namesOf(
    clientOf(service, service.secretKey),
    rows.map(({ code }) => code),
  );

describe('getList', () => {
  const list = async (filters: object[], currentPage = 1) => {
    const { data, total } = await provider.getList({
      resource,
      filters: filters as never,
      sorters: [{ field: 'width', order: 'desc' }],
      pagination: { currentPage, pageSize: 2 },
    });
    return [data.map(({ width }) => width), total];
  };
  const width = (operator: string, value: unknown) => ({ field: 'width', operator, value });
  const name = (operator: string, value: unknown) => ({ field: 'name', operator, value });
  const tags = (operator: string, value: unknown) => ({ field: 'tags', operator, value });

  it('orders, counts and cuts pages', async () => {
    expect(await list([])).toEqual([[2, 1], 3]);
    expect(await list([], 2)).toEqual([[0], 3]);
  });

  it.each<[filters: object[], widths: number[]]>([
    [[width('gte', 0), width('lt', 2), width('ne', 1)], [0]],
    [[width('between', [1, 2])], [2, 1]],
    [
      [width('nnull', null), width('in', [0, 1])],
      [1, 0],
    ],
    [[name('eq', 'Tiger, "big"')], [2]],
    [[name('contains', 'ION h')], [0]],
    [[name('startswith', 'lion')], [1, 0]],
    [[name('ncontains', '%lion%')], [2]],
    [[tags('ina', ['Lion', 'Head'])], [0]],
    [[{ operator: 'or', value: [name('contains', 'r, '), width('eq', 1), tags('ina', ['Big'])] }], [2, 1]],
  ])('filters: %j', async (filters, widths) => {
    expect(await list(filters)).toEqual([widths, widths.length]);
  });
});

it('getOne, getMany, create, update, updateMany, deleteOne and deleteMany read and write rows', async () => {
  const [first = '', second = ''] = ids();
  expect((await provider.getOne({ resource, id: first })).data).toEqual(rows[0]);
  expect((await provider.getMany({ resource, ids: ids() })).data).toHaveLength(2);
  expect((await provider.getOne({ resource, id: randomUUID() })).data).toBeUndefined();
  const { data } = await provider.create({ resource, variables: aGraphic({ name: 'Wolf' }) });
  expect(data).toMatchObject({ name: 'Wolf', is_active: true });
  const renamed = await provider.update({ resource, id: first, variables: { name: 'Fox' } });
  expect(renamed.data).toMatchObject({ id: first, name: 'Fox' });
  const widened = await provider.updateMany({ resource, ids: ids(), variables: { width: 9 } });
  expect(widened.data.map(({ width }) => width)).toEqual([9, 9]);
  await provider.deleteOne({ resource, id: first });
  await provider.deleteMany({ resource, ids: [second] });
  expect(await namesLeft()).toEqual(['Tiger, "big"']);
});

it('does as a customer what the rules allow, and gives the error of the rest', async () => {
  const account = randomUUID();
  const customer = dataProvider(clientOf(service, service.publishableKey, await service.token({ account })));
  const { data } = await customer.create({ resource: 'quotes', variables: aQuote(account) });
  const update = (status: string) =>
    customer.update({ resource: 'quotes', id: String(data.id), variables: { status } });
  expect((await update('submitted')).data).toMatchObject({ status: 'submitted' });
  const message = 'A quote cannot move from submitted to ordered';
  await expect(update('ordered')).rejects.toMatchObject({ code: 'PT409', message });
});
