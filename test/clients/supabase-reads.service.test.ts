/** What supabase-js reads (https://supabase.com/docs/reference/javascript/select), each against real rows. */
import { randomUUID } from 'node:crypto';
import { PostgrestError } from '@supabase/supabase-js';
import { beforeAll, describe, expect, expectTypeOf, it } from 'vitest';
import { aGraphic, aQuote } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { type Clients, clientOf, clientsOf, expectData, expectErrorFields } from './supabase.ts';

const category = randomUUID();
const graphics = [
  { code: 'BEAR', name: 'Black Bear', tags: ['animal', 'black'], sort_order: 2, file_format: 'png' },
  { code: 'LION', name: 'Golden Lion', tags: ['animal', 'gold'], sort_order: 1, category_id: category },
  { code: 'NOVA', name: 'nova', tags: null, sort_order: 5, description: 'Say "hi", (softly)\\ 100%' },
  {
    code: 'STAR',
    name: 'Gold Star',
    tags: ['shape', 'gold'],
    sort_order: 3,
    width: 300,
    description: 'a, b',
  },
  { code: 'WOLF', name: 'Grey Wolf', tags: [], sort_order: 4, width: 100, is_active: false },
].map(aGraphic);
const customization = { team: 'Lions', size: 12, logo: { tags: ['a', 'b'] } };
const quotes = [
  { quote_number: 'QT-2026-00001', customization, unit_price: 19.5 },
  { quote_number: 'QT-2026-00002', customization: { team: 'Tigers', size: 9 }, colors: { primary: 'red' } },
  { quote_number: 'QT-2026-00003', customization: {}, rush_order: true, event_date: '2026-05-01' },
].map(more => aQuote(randomUUID(), more));

const account = randomUUID();
const service = useService();
let as: Clients;
beforeAll(async () => {
  as = await clientsOf(service, account);
  expectData(await as.staff.from('graphics').insert(graphics, { defaultToNull: false }), null, 201);
  expectData(await as.staff.from('quotes').insert(quotes, { defaultToNull: false }), null, 201);
});

const select = (columns?: string) => as.staff.from('graphics').select(columns as '*');
const library = () => select('code').order('code');
const orders = (columns = 'quote_number') => as.staff.from('quotes').select(columns).order('quote_number');
type Filter<Query> = (query: Query) => Query;

/** The codes that are found, or the status and the code of the error. */
const filters: [name: string, filter: Filter<ReturnType<typeof library>>, found: string][] = [
  ['eq', q => q.eq('sort_order', 2), 'BEAR'],
  ['eq, of special characters', q => q.eq('description', 'Say "hi", (softly)\\ 100%'), 'NOVA'],
  ['eq, of a uuid', q => q.eq('category_id', category), 'LION'],
  ['eq, of a boolean', q => q.eq('is_active', false), 'WOLF'],
  ['eq, of a number that is none', q => q.eq('sort_order', 'two'), '400 22P02'],
  ['eq, of a uuid that is none', q => q.eq('id', 'me'), '400 22P02'],
  ['eq, of no column', q => q.eq('colour', 'red'), '400 42703'],
  ['neq', q => q.neq('file_format', 'svg'), 'BEAR'],
  ['neq, which null does not pass', q => q.neq('width', 100), 'STAR'],
  ['gt', q => q.gt('sort_order', 4), 'NOVA'],
  ['gt, of no time', q => q.gt('created_at', 'soon'), '400 22007'],
  ['gte', q => q.gte('sort_order', 4), 'NOVA WOLF'],
  ['lt', q => q.lt('sort_order', 2), 'LION'],
  ['lte', q => q.lte('sort_order', 2), 'BEAR LION'],
  ['lte, of a time with an offset', q => q.lte('created_at', '1999-01-01T00:00:00+02:00'), ''],
  ['like', q => q.like('name', 'Gold%'), 'LION STAR'],
  ['like, which tells capitals', q => q.like('name', 'Nova'), ''],
  ['like, with an escaped wildcard', q => q.like('description', '%100\\%'), 'NOVA'],
  ['like, of a number', q => q.like('sort_order', '1%'), '404 42883'],
  ['likeAllOf', q => q.likeAllOf('name', ['%Gold%', '%n']), 'LION'],
  ['likeAnyOf', q => q.likeAnyOf('name', ['%Bear', '%Wolf']), 'BEAR WOLF'],
  ['ilike', q => q.ilike('name', 'NOVA'), 'NOVA'],
  ['ilikeAllOf', q => q.ilikeAllOf('name', ['gold%', '%STAR']), 'STAR'],
  ['ilikeAnyOf', q => q.ilikeAnyOf('name', ['%bear', 'n%']), 'BEAR NOVA'],
  ['regexMatch', q => q.regexMatch('name', '^G.*(n|f)$'), 'LION WOLF'],
  ['regexMatch, of no expression', q => q.regexMatch('name', '('), '400 2201B'],
  ['regexIMatch', q => q.regexIMatch('name', '^(NOVA|black bear)$'), 'BEAR NOVA'],
  ['is null', q => q.is('tags', null), 'NOVA'],
  ['is true', q => q.is('is_active', true), 'BEAR LION NOVA STAR'],
  ['is true, of a number', q => q.is('sort_order', true), '400 42804'],
  ['is false', q => q.is('is_active', false), 'WOLF'],
  ['isDistinct, which null passes', q => q.isDistinct('width', 100), 'BEAR LION NOVA STAR'],
  ['in, of numbers', q => q.in('sort_order', [1, 2, 2]), 'BEAR LION'],
  ['in, of texts with commas and parentheses', q => q.in('description', ['a, b', '(x)']), 'STAR'],
  ['in, of nothing', q => q.in('code', []), ''],
  ['notIn', q => q.notIn('code', ['LION', 'NOVA']), 'BEAR STAR WOLF'],
  ['notIn, of nothing', q => q.notIn('code', []), 'BEAR LION NOVA STAR WOLF'],
  ['contains', q => q.contains('tags', ['gold', 'animal']), 'LION'],
  ['contains, of nothing', q => q.contains('tags', []), 'BEAR LION STAR WOLF'],
  ['contains, of no array', q => q.contains('tags', 'gold'), '400 22P02'],
  ['contains, of a range', q => q.contains('sort_order', '[1,2)'), '404 42883'],
  ['containedBy', q => q.containedBy('tags', ['animal', 'black', 'shape']), 'BEAR WOLF'],
  ['overlaps', q => q.overlaps('tags', ['gold', 'black']), 'BEAR LION STAR'],
  ['overlaps, of an array as text', q => q.overlaps('tags', '{"gold",black}'), 'BEAR LION STAR'],
  ['overlaps, of a number', q => q.overlaps('sort_order', '[1,2)'), '404 42883'],
  ['rangeGt', q => q.rangeGt('created_at', '[1,2)'), '404 42883'],
  ['rangeGt, which shifts numbers', q => q.rangeGt('sort_order', '[1,2)'), '400 22P02'],
  ['rangeGte', q => q.rangeGte('sort_order', '[1,2)'), '404 42883'],
  ['rangeLt', q => q.rangeLt('tags', '[1,2)'), '404 42883'],
  ['rangeLte', q => q.rangeLte('sort_order', '[1,2)'), '404 42883'],
  ['rangeAdjacent', q => q.rangeAdjacent('created_at', '[1,2)'), '404 42883'],
  ['textSearch', q => q.textSearch('name', "'gold' & !'lion'"), 'STAR'],
  ['textSearch, in English', q => q.textSearch('name', 'golden | bears', { config: 'english' }), 'BEAR LION'],
  ['textSearch, plain', q => q.textSearch('name', 'star gold', { type: 'plain' }), 'STAR'],
  ['textSearch, phrase', q => q.textSearch('name', 'star gold', { type: 'phrase' }), ''],
  ['textSearch, web', q => q.textSearch('name', 'wolf or "gold star"', { type: 'websearch' }), 'STAR WOLF'],
  ['textSearch, of no query', q => q.textSearch('name', 'gold &'), '400 42601'],
  ['textSearch, in no language', q => q.textSearch('name', 'x', { config: 'klingon' }), '400 42704'],
  ['textSearch, of an array', q => q.textSearch('tags', 'gold'), '404 42883'],
  ['match', q => q.match({ file_format: 'svg', sort_order: 1, width: undefined }), 'LION'],
  ['not, with is', q => q.not('width', 'is', null), 'STAR WOLF'],
  ['not, with eq', q => q.not('code', 'eq', 'LION'), 'BEAR NOVA STAR WOLF'],
  ['not, with in', q => q.not('code', 'in', '(LION,"NOVA")'), 'BEAR STAR WOLF'],
  ['not, with contains', q => q.not('tags', 'cs', '{animal}'), 'STAR WOLF'],
  ['or', q => q.or('sort_order.eq.1,width.gt.200'), 'LION STAR'],
  ['or, with and', q => q.or('and(tags.cs.{gold,shape},width.not.is.null),code.in.(NOVA,X)'), 'NOVA STAR'],
  ['or, with quoted values', q => q.or('description.eq."a, b",name.eq."Grey Wolf"'), 'STAR WOLF'],
  ['or, negated', q => q.or('not.and(sort_order.gte.2,sort_order.lte.5),code.eq.WOLF'), 'LION WOLF'],
  ['or, twice', q => q.or('code.eq.LION,code.eq.STAR').or('width.is.null,sort_order.eq.2'), 'LION'],
  ['or, of no column', q => q.or('code.eq.A,colour.eq.red'), '400 42703'],
  ['or, unfinished', q => q.or('and(code.eq.A'), '400 PGRST100'],
  ['or, of another table', q => q.or('a.eq.1', { referencedTable: 'shops' }), '400 PGRST108'],
  ['filter', q => q.filter('sort_order', 'in', '(1,3)'), 'LION STAR'],
  ['filter, negated', q => q.filter('name', 'not.ilike', '%O%'), 'BEAR'],
  ['filter, with any', q => q.filter('sort_order', 'eq(any)', '{3,4}'), 'STAR WOLF'],
  ['filter, with no operator', q => q.filter('name', 'resembles', 'x'), '400 PGRST100'],
  ['several of one column', q => q.gt('sort_order', 1).lt('sort_order', 4), 'BEAR STAR'],
  ['limit', q => q.limit(2), 'BEAR LION'],
  ['limit of none', q => q.limit(0), ''],
  ['range', q => q.range(1, 2), 'LION NOVA'],
  ['range past the end', q => q.range(7, 9), ''],
  ['order of another table', q => q.order('name', { referencedTable: 'shops' }), '400 PGRST108'],
  ['order of no column', q => q.order('colour'), '400 42703'],
];

/** The last digits of the quotes that are found. */
const jsonFilters: [name: string, filter: Filter<ReturnType<typeof orders>>, numbers: string][] = [
  ['eq, of a JSON path as text', q => q.eq('customization->>team', 'Lions'), '1'],
  ['eq, of a JSON path as JSON', q => q.eq('customization->size', 12), '1'],
  ['gt, which compares JSON numbers as numbers', q => q.gt('customization->size', 10), '1'],
  ['in, of a JSON path', q => q.in('customization->>team', ['Lions', 'Tigers']), '1 2'],
  ['is, of a JSON path that is not there', q => q.is('customization->>team', null), '3'],
  ['contains, of JSON', q => q.contains('customization', { logo: { tags: ['b'] } }), '1'],
  ['contains, of an array inside JSON', q => q.contains('customization->logo->tags', '["a"]'), '1'],
  ['containedBy, of JSON', q => q.containedBy('customization', { team: 'Tigers', size: 9, x: 1 }), '2 3'],
  ['textSearch, of JSON', q => q.textSearch('customization', 'tigers'), '2'],
  ['match, of JSON', q => q.match({ 'colors->>primary': 'red' }), '2'],
  ['or, of JSON', q => q.or('customization->>team.eq.Lions,rush_order.is.true'), '1 3'],
  ['lte, of a date', q => q.lte('event_date', '2026-05-01'), '3'],
];

interface Reply {
  data: unknown;
  error: { code: string } | null;
  status: number;
}

/** The first value of each row; of an error, all four of whose fields are there, its status and code. */
function told({ data, error, status }: Reply): string {
  if (error !== null) {
    expectErrorFields(error, /./);
    return `${status} ${error.code}`;
  }
  return (data as object[]).map(row => Object.values(row)[0]).join(' ');
}

describe('a filter, an order, a range', () => {
  it.each(filters)('%s', async (_, filter, found) => {
    expect(told(await filter(library()))).toBe(found);
  });

  it.each(jsonFilters)('%s', async (_, filter, numbers) => {
    expect(told(await filter(orders())).replaceAll('QT-2026-0000', '')).toBe(numbers);
  });

  const sorted: [name: string, order: Filter<ReturnType<typeof select>>, codes: string][] = [
    ['descending', q => q.order('code', { ascending: false }), 'WOLF STAR NOVA LION BEAR'],
    ['nulls last', q => q.order('width', { nullsFirst: false }).order('code'), 'WOLF STAR BEAR LION NOVA'],
    ['nulls first', q => q.order('width', { nullsFirst: true }).order('code'), 'BEAR LION NOVA WOLF STAR'],
    ['of an array element', q => q.order('tags->0').order('code'), 'BEAR LION STAR NOVA WOLF'],
  ];
  it.each(sorted)('order: %s', async (_, order, codes) => {
    expect(told(await order(select('code')))).toBe(codes);
  });
});

describe('select', () => {
  const lion = { code: 'LION', name: 'Golden Lion', sort_order: 1, deleted_at: null, width: null };
  const columns: [columns: string | undefined, row: unknown][] = [
    ['code, name', { code: 'LION', name: 'Golden Lion' }],
    ['n:name, "sort_order"', { n: 'Golden Lion', sort_order: 1 }],
    ['sort_order::text, s:sort_order::float8', { sort_order: '1', s: 1 }],
    ['tags->0, first:tags->>0', { tags: 'animal', first: 'animal' }],
    ['*', expect.objectContaining(lion)],
    [undefined, expect.objectContaining(lion)],
    ['*, format:file_format', expect.objectContaining({ ...lion, format: 'svg' })],
    // Names that the statement uses itself.
    ...['page', 'found', 'keyset', 'version', 'rows', 'body', 'c0', 'xmin'].map((name): [string, unknown] => [
      `${name}:code`,
      { [name]: 'LION' },
    ]),
  ];
  it.each(columns)('%j', async (columns, row) => {
    expectData(await select(columns).eq('code', 'LION'), [row]);
    expectData(await select(columns).eq('code', 'LION').single(), row);
  });

  it('parts of JSON, and dates and numbers unchanged', async () => {
    const columns = 'customization->>team, tag:customization->logo->tags->0, unit_price, created_at';
    const row = { team: 'Lions', tag: 'a', unit_price: 19.5, created_at: expect.stringMatching(/\+00:00$/) };
    expectData(await orders(columns).limit(1), [row]);
  });

  const aggregates: [columns: string, rows: unknown[]][] = [
    ['count()', [{ count: 5 }]],
    ['n:count()::text', [{ n: '5' }]],
    ['sort_order.sum(), most:sort_order.max(), a:width.avg()', [{ sum: 15, most: 5, a: 200 }]],
  ];
  it.each(aggregates)('aggregates: %s', async (columns, rows) => {
    expectData(await select(columns), rows);
  });

  it.each([
    ['code, colour', '400 42703'],
    ['code, owners(name)', '400 PGRST200'],
    ['code::colour', '400 42704'],
    ['code,,name', '400 PGRST100'],
    ['name.sum()', '404 42883'],
  ])('says what is wrong with %s', async (columns, error) => {
    expect(told(await select(columns))).toBe(error);
  });
});

describe('counts', () => {
  it.each(['exact', 'planned', 'estimated'] as const)('%s, with the rows and without', async count => {
    await service.sql`analyze builder.graphics`;
    const rows = await as.staff.from('graphics').select('code', { count }).order('code').range(0, 0);
    expect(rows).toMatchObject({ error: null, count: 5, status: 206, data: [{ code: 'BEAR' }] });
    const head = await as.staff.from('graphics').select('*', { count, head: true });
    expect(head).toMatchObject({ error: null, count: 5, status: 200, data: null });
  });

  it('of the rows that match a filter, and past their end', async () => {
    const counted = () => as.staff.from('graphics').select('code', { count: 'exact' });
    expect(await counted().eq('file_format', 'png')).toMatchObject({ count: 1, data: [{ code: 'BEAR' }] });
    const past = await counted().range(7, 9);
    expect(told(past)).toBe('416 PGRST103');
    expect(past.error?.details).toBe('An offset of 7 was requested, but there are only 5 rows.');
  });
});

describe('the shape of the result', () => {
  it('single and maybeSingle', async () => {
    const lion = () => select('code').eq('code', 'LION');
    expectData(await lion().single(), { code: 'LION' });
    expectData(await lion().maybeSingle(), { code: 'LION' });
    expectData(await select('code').eq('code', 'NONE').maybeSingle(), null);
    expect(told(await select('code').maybeSingle())).toBe('406 PGRST116');
    expect(told(await select('code').eq('code', 'NONE').single())).toBe('406 PGRST116');
    expect((await library().single()).error?.details).toBe('The result contains 5 rows');
  });

  it('csv and stripNulls; geojson is refused', async () => {
    const star = () => select('code, tags, width, category_id').gt('width', 200);
    expectData(await star().csv(), 'code,tags,width,category_id\nSTAR,"{shape,gold}",300,');
    const stripped = { code: 'STAR', tags: ['shape', 'gold'], width: 300 };
    expectData(await star().stripNulls(), [stripped]);
    expectData(await star().single().stripNulls(), stripped);
    expect(told((await library().geojson()) as Reply)).toBe('406 PGRST107');
  });

  it('overrideTypes and returns change types alone', async () => {
    const query = () => select('code').eq('code', 'LION');
    const overridden = await query().overrideTypes<{ code: 'LION' }[], { merge: false }>();
    expectTypeOf(overridden.data).toEqualTypeOf<{ code: 'LION' }[] | null>();
    const returned = await query().returns<{ code: string }[]>();
    expectTypeOf(returned.data).toEqualTypeOf<{ code: string }[] | null>();
    expect([overridden.data, returned.data]).toEqual([[{ code: 'LION' }], [{ code: 'LION' }]]);
  });

  it('explain is for staff, and executes no write', async () => {
    expectData(await library().explain(), expect.stringMatching(/Scan.*graphics/));
    const json = await library().explain({ format: 'json' });
    expectData(json, [{ Plan: expect.objectContaining({ 'Node Type': expect.any(String) }) }]);
    const all = { analyze: true, verbose: true, settings: true, buffers: true, wal: true };
    expectData(await library().explain(all), expect.stringMatching(/actual time=.*Output:/s));
    const write = as.staff.from('graphics').insert(aGraphic({ code: 'PLAN' }));
    expectData(await write.explain(), expect.stringContaining('Insert'));
    expectData(await library().eq('code', 'PLAN'), []);
    const refused = await as.customer.from('graphics').select().explain();
    expect(told(refused as Reply)).toBe('406 PGRST107');
  });
});

describe('a request', () => {
  it('can be aborted', async () => {
    const gone = new AbortController();
    const reply = library().abortSignal(gone.signal);
    gone.abort();
    expect(await reply).toMatchObject({
      status: 0,
      error: { message: expect.stringContaining('AbortError') },
    });
    expect(told(await library().limit(1).abortSignal(AbortSignal.timeout(10_000)))).toBe('BEAR');
  });

  it('may have another header', async () => {
    const reply = await select('created_at').limit(1).setHeader('prefer', 'timezone=Asia/Tokyo').single();
    expectData(reply, { created_at: expect.stringMatching(/\+09:00$/) });
  });

  it('throws with throwOnError', async () => {
    const error = await Promise.resolve(select('colour').throwOnError()).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(PostgrestError);
    expect(error).toMatchObject({ code: '42703', message: 'column graphics.colour does not exist' });
  });

  it('may name the schema', async () => {
    for (const schema of ['public', 'builder']) {
      expectData(await as.staff.schema(schema).from('graphics').select('code').eq('code', 'LION').single(), {
        code: 'LION',
      });
    }
    const reply = await as.staff.schema('other').from('graphics').select();
    expect(told(reply)).toBe('406 PGRST106');
    expect(reply.error?.hint).toBe('Only the following schemas are exposed: public, builder');
    expect(told(await as.staff.schema('other').from('graphics').insert(aGraphic()))).toBe('406 PGRST106');
  });

  it('without a key of this service, or with a token that has expired, is refused', async () => {
    const nobody = clientOf(service, 'sb_publishable_no');
    expect(told(await nobody.from('graphics').select())).toBe('401 PGRST301');
    const late = await service.token({ account, claims: { exp: 1 } });
    const client = clientOf(service, service.publishableKey, late);
    expect(told(await client.from('quotes').select())).toBe('401 PGRST303');
  });
});
