/**
 * What supabase-js gets for what it can ask (https://supabase.com/docs/reference/javascript), each call against real rows: a
 * sentence, the call, and what it is told.
 */
import { randomUUID } from 'node:crypto';
import { PostgrestError } from '@supabase/supabase-js';
import { beforeAll, describe, expect, expectTypeOf, it } from 'vitest';
import { aGraphic, aNotification, aQuote } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import {
  type Client,
  type Clients,
  clientOf,
  clientsOf,
  expectData,
  expectErrorFields,
  namesOf,
  type Result,
} from './supabase.ts';

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
  ['eq, of no column', q => q.eq('colour', 'red'), '400 42703'],
  ['neq', q => q.neq('file_format', 'svg'), 'BEAR'],
  ['gt', q => q.gt('sort_order', 4), 'NOVA'],
  ['gte', q => q.gte('sort_order', 4), 'NOVA WOLF'],
  ['lt', q => q.lt('sort_order', 2), 'LION'],
  ['lte', q => q.lte('sort_order', 2), 'BEAR LION'],
  ['like', q => q.like('name', 'Gold%'), 'LION STAR'],
  ['like, with an escaped wildcard', q => q.like('description', '%100\\%'), 'NOVA'],
  ['likeAllOf', q => q.likeAllOf('name', ['%Gold%', '%n']), 'LION'],
  ['likeAnyOf', q => q.likeAnyOf('name', ['%Bear', '%Wolf']), 'BEAR WOLF'],
  ['ilike', q => q.ilike('name', 'NOVA'), 'NOVA'],
  ['ilikeAllOf', q => q.ilikeAllOf('name', ['gold%', '%STAR']), 'STAR'],
  ['ilikeAnyOf', q => q.ilikeAnyOf('name', ['%bear', 'n%']), 'BEAR NOVA'],
  ['regexMatch', q => q.regexMatch('name', '^G.*(n|f)$'), 'LION WOLF'],
  ['regexIMatch', q => q.regexIMatch('name', '^(NOVA|black bear)$'), 'BEAR NOVA'],
  ['is null', q => q.is('tags', null), 'NOVA'],
  ['is true', q => q.is('is_active', true), 'BEAR LION NOVA STAR'],
  ['is false', q => q.is('is_active', false), 'WOLF'],
  ['isDistinct, which null passes', q => q.isDistinct('width', 100), 'BEAR LION NOVA STAR'],
  ['in, of numbers', q => q.in('sort_order', [1, 2, 2]), 'BEAR LION'],
  ['in, of texts with commas and parentheses', q => q.in('description', ['a, b', '(x)']), 'STAR'],
  ['in, of nothing', q => q.in('code', []), ''],
  ['notIn', q => q.notIn('code', ['LION', 'NOVA']), 'BEAR STAR WOLF'],
  ['notIn, of nothing', q => q.notIn('code', []), 'BEAR LION NOVA STAR WOLF'],
  ['contains', q => q.contains('tags', ['gold', 'animal']), 'LION'],
  ['contains, of nothing', q => q.contains('tags', []), 'BEAR LION STAR WOLF'],
  ['containedBy', q => q.containedBy('tags', ['animal', 'black', 'shape']), 'BEAR WOLF'],
  ['overlaps', q => q.overlaps('tags', ['gold', 'black']), 'BEAR LION STAR'],
  ['overlaps, of an array as text', q => q.overlaps('tags', '{"gold",black}'), 'BEAR LION STAR'],
  ['rangeGt', q => q.rangeGt('created_at', '[1,2)'), '404 42883'],
  ['rangeGte', q => q.rangeGte('sort_order', '[1,2)'), '404 42883'],
  ['rangeLt', q => q.rangeLt('tags', '[1,2)'), '404 42883'],
  ['rangeLte', q => q.rangeLte('sort_order', '[1,2)'), '404 42883'],
  ['rangeAdjacent', q => q.rangeAdjacent('created_at', '[1,2)'), '404 42883'],
  ['textSearch', q => q.textSearch('name', "'gold' & !'lion'"), 'STAR'],
  ['textSearch, in English', q => q.textSearch('name', 'golden | bears', { config: 'english' }), 'BEAR LION'],
  ['textSearch, plain', q => q.textSearch('name', 'star gold', { type: 'plain' }), 'STAR'],
  ['textSearch, phrase', q => q.textSearch('name', 'star gold', { type: 'phrase' }), ''],
  ['textSearch, web', q => q.textSearch('name', 'wolf or "gold star"', { type: 'websearch' }), 'STAR WOLF'],
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

/** The first value of each row; of an error, all four of whose fields are there, its status and code. */
function told({ data, error, status }: Omit<Result, 'count'>): string {
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
    expect(told(await library().geojson())).toBe('406 PGRST107');
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
    expect(told(refused)).toBe('406 PGRST107');
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

interface Graphic {
  id: string;
  code: string;
  name: string;
}

/** Before each write `a` and `b` are stored, under names of one letter, and `c` and `d` are not. */
type Made = Record<'a' | 'b' | 'c' | 'd', Graphic>;

const make = (): Made => {
  const one = (name: string) => ({ ...aGraphic({ name }), id: randomUUID(), name });
  return { a: one('A'), b: one('B'), c: one('C'), d: one('D') };
};

const ok = (data: unknown, status = 200, count: number | null = null) => ({
  ...{ error: null, data, status, count },
});
const no = (status: number, code: string, message: string | RegExp, more: object = {}) => ({
  error: expect.objectContaining({ code, message: expect.stringMatching(message), ...more }),
  ...{ data: null, status, count: null },
});

const written = () => as.secret.from('graphics');
const codes = (...graphics: Graphic[]) => graphics.map(({ code }) => code);
const counted = { count: 'exact' } as const;
const noRow = /^Cannot coerce the result to a single JSON object$/;
const [first, missing] = ['Element 1: file_format must be one of jpg, png, svg, webp', randomUUID()];

/** The names of the four that are stored afterwards; left out, those of before. */
type Write = [what: string, write: (made: Made) => PromiseLike<Result>, result: unknown, names?: string];

const insertions: Write[] = [
  ['one', ({ c }) => written().insert(c), ok(null, 201), 'A B C'],
  [
    'one, and returns it',
    ({ c }) => written().insert(c).select().single(),
    ok(expect.objectContaining({ name: 'C', is_active: true, sort_order: 0 }), 201),
    'A B C',
  ],
  [
    'many, and returns some of their columns in order, and their count',
    ({ c, d }) => written().insert([d, c], counted).select('n:name').order('name'),
    ok([{ n: 'C' }, { n: 'D' }], 201, 2),
    'A B C D',
  ],
  ['one, and returns CSV', ({ c }) => written().insert(c).select('name').csv(), ok('name\nC', 201), 'A B C'],
  [
    'an array of texts with every special character',
    ({ c }) =>
      written()
        .insert({ ...c, tags: ['a b', 'c,"d"'] })
        .select('tags')
        .single(),
    ok({ tags: ['a b', 'c,"d"'] }, 201),
    'A B C',
  ],
  [
    'many with different keys: columns left out are null',
    ({ c, d }) =>
      written()
        .insert([{ ...c, width: 3 }, d])
        .select('width')
        .order('name'),
    ok([{ width: 3 }, { width: null }], 201),
    'A B C D',
  ],
  [
    'many with different keys, defaultToNull: false: columns left out have their defaults',
    ({ c, d }) =>
      written()
        .insert([{ ...c, sort_order: 3 }, d], { defaultToNull: false })
        .select('sort_order')
        .order('name'),
    ok([{ sort_order: 3 }, { sort_order: 0 }], 201),
    'A B C D',
  ],
  ['none', () => written().insert([]), ok(null, 201)],
  ['none, and returns them', () => written().insert([]).select(), ok([], 201)],
  [
    'no undefined properties',
    ({ c }) =>
      written()
        .insert({ ...c, sort_order: undefined })
        .select('sort_order'),
    ok([{ sort_order: 0 }], 201),
    'A B C',
  ],
  ['a code that is taken', ({ a }) => written().insert(a), no(409, '23505', /"graphics_\w+key"/)],
  [
    'many of which one is invalid: none, and its fields are named',
    ({ c, d }) => written().insert([c, { ...d, file_format: 'gif', width: -1 }], { defaultToNull: false }),
    no(400, '23514', `${first}, and 1 more field is invalid`, {
      details: `${first}; it is "gif". Element 1: width must be a number that is not negative; it is -1.`,
      issues: [
        expect.objectContaining({ path: '1.file_format' }),
        expect.objectContaining({ path: '1.width' }),
      ],
    }),
  ],
  [
    'one, and asks for what is not there',
    ({ c }) => written().insert(c).select('*, owner(*)'),
    no(400, 'PGRST200', /relationship between 'graphics' and 'owner'/),
  ],
  [
    'a column that is not there, and is told a similar one',
    ({ c }) => written().insert({ ...c, tag: [] }),
    no(400, 'PGRST204', "Could not find the 'tag' column of 'graphics' in the schema cache", {
      hint: expect.stringContaining("'tags'"),
    }),
  ],
];

const upserts: Write[] = [
  [
    'merges by the column that onConflict names',
    ({ a, c }) =>
      written()
        .upsert([{ ...a, name: 'A2' }, c], { onConflict: 'code', ...counted })
        .select('name')
        .order('name'),
    ok([{ name: 'A2' }, { name: 'C' }], 201, 2),
    'A2 B C',
  ],
  [
    'of existing rows only is a 200',
    ({ a }) => written().upsert({ ...a, name: 'A2' }, { onConflict: 'code' }),
    ok(null),
    'A2 B',
  ],
  [
    'merges by the primary key by default',
    ({ a }) =>
      written()
        .upsert({ ...a, width: 5 })
        .select('name, width')
        .single(),
    ok({ name: 'A', width: 5 }),
  ],
  [
    'ignores duplicates, and returns the new rows',
    ({ a, c }) =>
      written()
        .upsert([{ ...a, name: 'A2' }, c], { onConflict: 'code', ignoreDuplicates: true })
        .select('name'),
    ok([{ name: 'C' }], 201),
    'A B C',
  ],
  [
    'ignores duplicates, of which there may be nothing else',
    ({ a }) => written().upsert(a, { ignoreDuplicates: true }).select().maybeSingle(),
    ok(null, 201),
  ],
  [
    'without a unique constraint that fits',
    ({ c }) => written().upsert(c, { onConflict: 'name' }),
    no(400, '42P10', /no unique or exclusion constraint/),
  ],
  [
    'of the same row twice',
    ({ c }) => written().upsert([c, c], { onConflict: 'code' }),
    no(400, '21000', /cannot affect row a second time/),
  ],
];

const updates: Write[] = [
  [
    'changes the rows that a filter finds',
    ({ a }) => written().update({ name: 'C' }).eq('code', a.code),
    ok(null, 204),
    'B C',
  ],
  [
    'returns the changed rows, and their count',
    ({ a, b }) =>
      written()
        .update({ width: 9, tags: null }, counted)
        .in('code', codes(a, b))
        .select('name, width')
        .order('name'),
    ok(
      [
        { name: 'A', width: 9 },
        { name: 'B', width: 9 },
      ],
      200,
      2,
    ),
  ],
  [
    'returns the one that match finds',
    ({ a: { code } }) => written().update({ width: null }).match({ code }).select('width').single(),
    ok({ width: null }),
  ],
  ['of no rows, counted', () => written().update({ name: 'C' }, counted).eq('id', missing), ok(null, 204, 0)],
  ['of no rows, with select()', () => written().update({ name: 'C' }).eq('id', missing).select(), ok([])],
  [
    'of no rows, with maybeSingle()',
    () => written().update({ name: 'C' }).eq('id', missing).select().maybeSingle(),
    ok(null),
  ],
  [
    'of no rows, with single()',
    () => written().update({ name: 'C' }).eq('id', missing).select().single(),
    no(406, 'PGRST116', noRow),
  ],
  [
    'of several rows with single()',
    ({ a, b }) => written().update({ name: 'C' }).in('code', codes(a, b)).select().single(),
    no(406, 'PGRST116', noRow),
  ],
  [
    'of an array changes every row by its key',
    ({ a, b }) =>
      written()
        .update([
          { id: b.id, name: 'B2' },
          { id: a.id, name: 'A2', width: 5 },
        ])
        .in('code', codes(a, b))
        .select('name, width'),
    ok([
      { name: 'B2', width: null },
      { name: 'A2', width: 5 },
    ]),
    'A2 B2',
  ],
  [
    'of an array with a row that is not there',
    ({ a, c }) =>
      written()
        .update([
          { id: a.id, name: 'A2' },
          { id: c.id, name: 'C' },
        ])
        .in('code', codes(a, c)),
    no(404, 'PT404', 'Some rows of the body were not found, so nothing was changed'),
  ],
  ['without a filter', () => written().update({ name: 'C' }), no(400, '21000', /UPDATE requires a WHERE/)],
  ['of nothing', ({ a }) => written().update({}).eq('code', a.code).select(), ok([])],
  [
    'of an invalid value',
    ({ a }) => written().update({ sort_order: 'x' }).eq('code', a.code),
    no(400, '22P02', 'sort_order must be a whole number'),
  ],
  [
    'of a code to one that is taken',
    ({ a, b }) => written().update({ code: b.code }).eq('code', a.code),
    no(409, '23505', /graphics_code_key/),
  ],
];

const deletions: Write[] = [
  [
    'deletes the rows that a filter finds',
    ({ a }) => written().delete().eq('code', a.code),
    ok(null, 204),
    'B',
  ],
  [
    'returns the deleted rows, and their count',
    ({ a, b }) => written().delete(counted).in('code', codes(a, b)).select('name').order('name'),
    ok([{ name: 'A' }, { name: 'B' }], 200, 2),
    '',
  ],
  ['of no rows', ({ c }) => written().delete().eq('code', c.code).select(), ok([])],
  ['without a filter', () => written().delete(), no(400, '21000', /DELETE requires a WHERE/)],
];

const tooMany = no(400, 'PGRST124', 'Query result exceeds max-affected preference constraint', {
  details: 'The query affects 2 rows',
});
const undone: Write[] = [
  [
    'rollback, of an insert',
    ({ c }) => written().insert(c).select('name').rollback(),
    ok([{ name: 'C' }], 201),
  ],
  [
    'rollback, of an upsert',
    ({ c }) => written().upsert(c).select('name').rollback(),
    ok([{ name: 'C' }], 201),
  ],
  [
    'rollback, of an update',
    ({ a }) => written().update({ name: 'C' }).eq('code', a.code).select('name').rollback(),
    ok([{ name: 'C' }]),
  ],
  [
    'rollback, of a delete',
    ({ a }) => written().delete().eq('code', a.code).select('name').rollback(),
    ok([{ name: 'A' }]),
  ],
  [
    'maxAffected, when more rows would change',
    ({ a, b }) => written().update({ name: 'C' }).in('code', codes(a, b)).maxAffected(1),
    tooMany,
  ],
  [
    'maxAffected, when more rows would be deleted',
    ({ a, b }) => written().delete().in('code', codes(a, b)).maxAffected(1),
    tooMany,
  ],
];

describe.each([
  ['insert:', insertions],
  ['upsert', upserts],
  ['update', updates],
  ['delete', deletions],
  ['a write is undone by', undone],
])('%s', (_, rows) => {
  it.each(rows)('%s', async (_what, write, expected, names = 'A B') => {
    const made = make();
    const { a, b, c, d } = made;
    expectData(await written().insert([a, b]), null, 201);
    const { data, error, status, count } = await write(made);
    expect({ data, error, status, count }).toEqual(expected);
    if (error !== null) {
      expectErrorFields(error, /./);
    }
    expect((await namesOf(as.secret, codes(a, b, c, d))).join(' ')).toBe(names);
  });
});

describe('values are stored to the letter:', () => {
  it.each<[what: string, table: string, row: () => object, select: string, data: unknown]>([
    [
      'JSON',
      'quotes',
      () => aQuote(randomUUID(), { customization: { n: 1.5, deep: [{ text: 'Ü \u2028 "\\' }] } }),
      'customization',
      { customization: { n: 1.5, deep: [{ text: 'Ü \u2028 "\\' }] } },
    ],
    [
      'a bigint',
      'notifications',
      () => aNotification(randomUUID(), { id: 9007199254740991n }),
      'id::text',
      { id: '9007199254740991' },
    ],
  ])('%s', async (_, table, row, select, data) => {
    expectData(await as.secret.from(table).insert(row()).select(select).single(), data, 201);
  });
});

const elsewhere = {
  auth: {
    name: 'AuthApiError',
    status: 404,
    message:
      'supabase.auth is not part of this service: sign in elsewhere, and pass accessToken to createClient',
  },
  storage: {
    name: 'StorageApiError',
    status: 404,
    statusCode: 'PGRST125',
    message: 'supabase.storage is not part of this service: keep files elsewhere, and their URLs in columns',
  },
};
const user = { email: 'a@b.example', password: 'secret words' };

/** Calls of services that are not part of this one. */
const others: [
  what: keyof typeof elsewhere,
  call: string,
  (client: Client) => Promise<{ error: unknown }>,
][] = [
  ['auth', 'signInWithPassword', ({ auth }) => auth.signInWithPassword(user)],
  ['auth', 'signUp', ({ auth }) => auth.signUp(user)],
  ['auth', 'signInWithOtp', ({ auth }) => auth.signInWithOtp({ email: user.email })],
  ['auth', 'getUser', ({ auth }) => auth.getUser('a.b.c')],
  ['auth', 'admin.listUsers', ({ auth }) => auth.admin.listUsers()],
  ['storage', 'list', ({ storage }) => storage.from('logos').list()],
  ['storage', 'upload', ({ storage }) => storage.from('logos').upload('a.svg', new Blob(['<svg/>']))],
  ['storage', 'download', ({ storage }) => storage.from('logos').download('a.svg')],
  ['storage', 'createSignedUrl', ({ storage }) => storage.from('logos').createSignedUrl('a.svg', 60)],
  ['storage', 'listBuckets', ({ storage }) => storage.listBuckets()],
];

describe('another service', () => {
  it.each(
    others,
  )('says in the error of supabase.%s.%s that it is not here, and what to do', async (...row) => {
    const [what, , call] = row;
    expect((await call(as.anonymous)).error).toMatchObject(elsewhere[what]);
  });

  it('has the message of supabase.functions in the response that its error brings', async () => {
    const { error } = await as.anonymous.functions.invoke('price-quote', { body: { quote: 1 } });
    expect(error).toMatchObject({ name: 'FunctionsHttpError', context: { status: 404 } });
    expect(await error.context.json()).toEqual({
      code: 'PGRST125',
      message: 'supabase.functions is not part of this service: call its functions with supabase.rpc()',
      details: null,
      hint: "supabase.rpc('next_quote_number') and supabase.rpc('duplicate_quote', { id })",
    });
  });

  const paths = ['/auth/v1', '/auth/v1/token', '/storage/v1/object/a/b.svg', '/functions/v1/f'];
  it.each(paths)('is told of without a key too: %s', async path => {
    const response = await service.fetch(path);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: 'PGRST125', hint: expect.any(String) });
  });

  it('is told of without a body for HEAD', async () => {
    const response = await service.fetch('/storage/v1/object/a/b.svg', { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([404, '']);
  });

  const alike = ['/authv1/token', '/auth/v2/token', '/auth/v1x', '/x/auth/v1/', '/constructor/v1/'];
  it.each(alike)('is not meant by %s', async path => {
    const { message } = (await (await service.fetch(path)).json()) as { message: string };
    expect(message).toBe('Invalid path specified in request URL');
  });
});

describe('while the database is unavailable', () => {
  const nobodyListens = 1;
  const away = useService({ databasePort: nobodyListens });
  const graphics = () => clientOf(away, away.secretKey).from('graphics');

  /** How often it was asked with this method, by the worker's log. */
  const asked = (method: string): number =>
    away.logs.filter(line => line.includes('request_id') && line.includes(method)).length;

  it.each<[what: string, call: () => PromiseLike<Result>, method: string, times: number]>([
    ['a read is retried three times', () => graphics().select(), 'GET', 4],
    ['a read is sent once with retry(false)', () => graphics().select().retry(false), 'GET', 1],
    ['a write is sent once', () => graphics().insert(aGraphic()), 'POST', 1],
  ])('%s', async (_, call, method, times) => {
    const before = asked(method);
    expect(await call()).toMatchObject(no(503, 'PGRST001', 'The database cannot be reached at the moment'));
    await expect.poll(() => asked(method)).toBe(before + times);
  });
});
