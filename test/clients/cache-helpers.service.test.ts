/**
 * Supabase Cache Helpers: queries in a cache of TanStack Query, pages by cursor, and what its mutations send.
 * @module-tag full
 */
import { randomUUID } from 'node:crypto';
import {
  buildDeleteFetcher,
  buildInsertFetcher,
  buildUpdateFetcher,
  buildUpsertFetcher,
  createCursorPaginationFetcher,
} from '@supabase-cache-helpers/postgrest-core';
import { fetchQuery } from '@supabase-cache-helpers/postgrest-react-query';
import { QueryClient } from '@tanstack/react-query';
import { beforeAll, expect, it } from 'vitest';
import { aGraphic } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { type Client, clientOf, expectData, namesOf } from './supabase.ts';

interface Row {
  id: string;
  name: string;
}

const service = useService();
let staff: Client;
let codes: string[];
beforeAll(async () => {
  staff = clientOf(service, service.secretKey);
  const graphics = ['A', 'B, (b)', 'B, (b)', 'C', 'D'].map(name => aGraphic({ name }));
  codes = graphics.map(({ code }) => code);
  expectData(await staff.from('graphics').insert(graphics), null, 201);
});

const library = () => staff.from('graphics');

it('fetchQuery() gets rows and their count, and rejects with the error', async () => {
  const fetched = (query: object) => fetchQuery(new QueryClient(), query as never);
  const page = library().select('name', { count: 'exact' }).in('code', codes).order('name').range(0, 0);
  expect(await fetched(page)).toMatchObject({ data: [{ name: 'A' }], count: 5 });
  await expect(fetched(library().select('nmae'))).rejects.toMatchObject({ code: '42703' });
});

it('a page by cursor begins after the last row, also where values are equal', async () => {
  const query = () => library().select('id, name').in('code', codes).order('name').order('id').limit(2);
  const pageAfter = createCursorPaginationFetcher(query as never, {
    orderBy: 'name',
    uqOrderBy: 'id',
    decode: (last: Row | undefined) => (last ? { orderBy: last.name, uqOrderBy: last.id } : {}),
  });
  const names: string[] = [];
  let last: Row | undefined;
  do {
    const page = ((await pageAfter?.(last)) ?? []) as Row[];
    names.push(...page.map(({ name }) => name));
    last = page.at(-1);
  } while (last);
  expect(names).toEqual(['A', 'B, (b)', 'B, (b)', 'C', 'D']);
});

it('mutations insert, update, upsert and delete rows, and give the error', async () => {
  const id = randomUUID();
  const graphic = { ...aGraphic({ name: 'Wolf' }), id };
  const options = { query: 'id, name', queriesForTable: () => [] };
  const insert = buildInsertFetcher(library() as never, options);
  expect(await insert([graphic])).toMatchObject([{ userQueryData: { id, name: 'Wolf' } }]);
  const update = buildUpdateFetcher(library() as never, ['id'] as never, options);
  expect(await update({ id, name: 'Fox' })).toMatchObject({ userQueryData: { name: 'Fox' } });
  const upsert = buildUpsertFetcher(library() as never, options);
  expect(await upsert([{ ...graphic, name: 'Lynx' }])).toMatchObject([{ userQueryData: { name: 'Lynx' } }]);
  await expect(insert([graphic])).rejects.toMatchObject({ code: '23505' });
  const remove = buildDeleteFetcher(library() as never, ['id'] as never, options);
  expect(await remove([{ id }])).toMatchObject([{ userQueryData: { id } }]);
  expect(await namesOf(staff, [graphic.code])).toEqual([]);
});
