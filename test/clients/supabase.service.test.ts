/** What supabase-js writes in a form of its own, each call against real rows. test/conformance has every operator. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { aGraphic, aQuote } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { type Clients, clientsOf, expectData, expectErrorFields, type Result } from './supabase.ts';

const text = 'Say "hi", (softly)\\ 100%';
const graphics = [
  { code: 'BEAR', name: 'Black Bear', tags: ['animal', 'black'], sort_order: 2 },
  { code: 'LION', name: 'Golden Lion', tags: ['animal', 'gold'], sort_order: 1 },
  { code: 'NOVA', name: 'nova', tags: null, sort_order: 5, description: text },
  { code: 'STAR', name: 'Gold Star', tags: ['shape', 'gold'], sort_order: 3, width: 300, description: 'a,b' },
  { code: 'WOLF', name: 'Grey Wolf', tags: [], sort_order: 4, width: 100, is_active: false },
].map(aGraphic);
const quotes = [
  { sport: 'golf', customization: { team: 'Lions', size: 12, logo: { tags: ['a', 'b'] } }, unit_price: 19.5 },
  { sport: 'polo', customization: { team: 'Tigers', size: 9 }, colors: { primary: 'red' } },
].map(more => aQuote(randomUUID(), more));

const service = useService();
let as: Clients;
beforeAll(async () => {
  as = await clientsOf(service, randomUUID());
  expectData(await as.staff.from('graphics').insert(graphics, { defaultToNull: false }), null, 201);
  expectData(await as.staff.from('quotes').insert(quotes, { defaultToNull: false }), null, 201);
});

const select = (columns?: string) => as.staff.from('graphics').select(columns as '*');
const library = () => select('code').order('code');
const sports = (columns = 'sport') => as.staff.from('quotes').select(columns).order('sport');
type Filter<Query> = (query: Query) => Query;

/** The first value of each row; for an error, whose four fields are all there, its status and code. */
function told({ data, error, status }: Omit<Result, 'count'>): string {
  if (error !== null) {
    expectErrorFields(error, /./);
    return `${status} ${error.code}`;
  }
  return (data as object[]).map(row => Object.values(row)[0]).join(' ');
}

const filters: [call: string, filter: Filter<ReturnType<typeof library>>, codes: string][] = [
  ['eq() with special characters', q => q.eq('description', text), 'NOVA'],
  ['in() with commas and parentheses', q => q.in('description', ['a,b', '(x)']), 'STAR'],
  ['like() with an escaped wildcard', q => q.like('description', '%100\\%'), 'NOVA'],
  ['regexIMatch()', q => q.regexIMatch('name', '^(NOVA|black bear)$'), 'BEAR NOVA'],
  ['overlaps()', q => q.overlaps('tags', ['gold', 'black']), 'BEAR LION STAR'],
  ['textSearch() by stems', q => q.textSearch('name', 'golden | bears', { config: 'english' }), 'BEAR LION'],
  ['match()', q => q.match({ file_format: 'svg', sort_order: 1, width: undefined }), 'LION'],
  ['or()', q => q.or('and(tags.cs.{gold,shape},width.not.is.null),description.eq."a,b"'), 'STAR'],
  ['or() twice', q => q.or('code.eq.LION,code.eq.STAR').or('width.is.null,sort_order.eq.2'), 'LION'],
  ['order() of another table', q => q.order('name', { referencedTable: 'shops' }), '400 PGRST108'],
];

describe('select()', () => {
  it.each(filters)('with %s', async (_, filter, codes) => {
    expect(told(await filter(library()))).toBe(codes);
  });

  it.each<[string, Filter<ReturnType<typeof sports>>, string]>([
    ['gt() of a number in JSON', q => q.gt('customization->size', 10), 'golf'],
    ['contains() with JSON', q => q.contains('customization', { logo: { tags: ['b'] } }), 'golf'],
  ])('with %s', async (_, filter, found) => {
    expect(told(await filter(sports()))).toBe(found);
  });

  it.each<[columns: string, row: object]>([
    ['sort_order.sum(), n:count()::text', { sum: 1, n: '1' }],
    ['n:name, "sort_order", s:sort_order::float8', { n: 'Golden Lion', sort_order: 1, s: 1 }],
    // Names that the statement uses itself.
    ['page:code, found:code, body:code', { page: 'LION', found: 'LION', body: 'LION' }],
  ])('of %s', async (columns, row) => {
    expectData(await select(columns).eq('code', 'LION'), [row]);
    expectData(await select(columns).eq('code', 'LION').single(), row);
  });

  it('with a count', async () => {
    const count = 'exact';
    const rows = await as.staff.from('graphics').select('code', { count }).order('code').range(0, 0);
    expect(rows).toMatchObject({ error: null, count: 5, status: 206, data: [{ code: 'BEAR' }] });
    const head = await as.staff.from('graphics').select('*', { count, head: true });
    expect(head).toMatchObject({ error: null, count: 5, status: 200, data: null });
  });

  it('with single(), maybeSingle(), csv(), stripNulls() and geojson()', async () => {
    const lion = () => select('code').eq('code', 'LION');
    expectData(await lion().maybeSingle(), { code: 'LION' });
    expectData(await lion().eq('width', 1).maybeSingle(), null);
    expect(told(await lion().eq('width', 1).single())).toBe('406 PGRST116');
    expect(told(await library().maybeSingle())).toBe('406 PGRST116');
    const star = () => select('code, tags, width, category_id').gt('width', 200);
    expectData(await star().csv(), 'code,tags,width,category_id\nSTAR,"{shape,gold}",300,');
    expectData(await star().single().stripNulls(), { code: 'STAR', tags: ['shape', 'gold'], width: 300 });
    expect(told(await library().geojson())).toBe('406 PGRST107');
  });

  it('with another schema, or with a header of its own', async () => {
    expect(told(await as.staff.schema('public').from('graphics').select('code').order('code'))).toMatch(
      /^BEAR/,
    );
    const other = await as.staff.schema('other').from('graphics').select();
    expect([told(other), other.error?.hint]).toEqual([
      '406 PGRST106',
      'Only the following schemas are exposed: public, builder',
    ]);
    const inTokyo = await select('created_at').setHeader('prefer', 'timezone=Asia/Tokyo').limit(1);
    expect(told(inTokyo)).toMatch(/\+09:00$/);
  });

  it('with explain() is for staff, and executes no write', async () => {
    expectData(await library().explain(), expect.stringMatching(/Scan.*graphics/));
    const json = await as.staff
      .from('graphics')
      .insert(aGraphic({ code: 'PLAN' }))
      .explain({ format: 'json' });
    expectData(json, [{ Plan: expect.objectContaining({ 'Node Type': expect.any(String) }) }]);
    expectData(await library().eq('code', 'PLAN'), []);
    expect(told(await as.customer.from('graphics').select().explain())).toBe('406 PGRST107');
  });
});
