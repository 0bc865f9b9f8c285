/** supabase-js's select, order, limit, range and counts (https://supabase.com/docs/reference/javascript/select). */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aGraphic, aQuote } from '../setup/rows.ts';
import { type Service, startService } from '../setup/service.ts';
import { type Client, clientOf, expectData, expectError } from './supabase.ts';

const graphics = [
  { code: 'BEAR', name: 'Bear', sort_order: 2, width: 64, tags: ['animal', 'x'], file_format: 'png' },
  { code: 'LION', name: 'Lion', sort_order: 1, width: 128, tags: ['animal'] },
  { code: 'STAR', name: 'Star', sort_order: 2 },
].map(aGraphic);
const quote = aQuote(randomUUID(), {
  customization: { team: 'Lions', roster: [{ name: 'Ann', number: 7 }] },
  event_date: '2026-05-01',
  unit_price: 19.5,
});

let service: Service;
let staff: Client;
beforeAll(async () => {
  service = await startService();
  staff = clientOf(service, service.secretKey);
  expectData(await staff.from('graphics').insert(graphics, { defaultToNull: false }), null, 201);
  expectData(await staff.from('quotes').insert(quote), null, 201);
});
afterAll(() => service.stop());

const library = (columns = 'code') => staff.from('graphics').select(columns);
const codes = (...names: string[]) => names.map(code => ({ code }));

describe('select', () => {
  const lion = {
    code: 'LION',
    name: 'Lion',
    file_format: 'svg',
    sort_order: 1,
    tags: ['animal'],
    deleted_at: null,
  };
  const ofGraphics: [columns: string | undefined, expected: unknown][] = [
    ['code, name', { code: 'LION', name: 'Lion' }],
    ['n:name, "sort_order"', { n: 'Lion', sort_order: 1 }],
    ['sort_order::text, s:width::float8', { sort_order: '1', s: 128 }],
    ['tags->0, first:tags->>0', { tags: 'animal', first: 'animal' }],
    ['*', expect.objectContaining(lion)],
    [undefined, expect.objectContaining(lion)],
    ['*, format:file_format', expect.objectContaining({ ...lion, format: 'svg' })],
  ];
  it.each(ofGraphics)('%j', async (columns, expected) => {
    expectData(await staff.from('graphics').select(columns).eq('code', 'LION'), [expected]);
  });

  it('selects parts of JSON', async () => {
    const columns =
      'customization->>team, who:customization->roster->0->name, customization->roster->0->>number';
    expectData(await staff.from('quotes').select(columns), [{ team: 'Lions', who: 'Ann', number: '7' }]);
  });

  it('returns dates, numbers and JSON unchanged', async () => {
    const { data } = await staff
      .from('quotes')
      .select('event_date, unit_price, customization, created_at')
      .single();
    const { event_date, unit_price, customization } = quote as Record<string, unknown>;
    expect(data).toEqual({
      event_date,
      unit_price,
      customization,
      created_at: expect.stringMatching(/\.\d{1,6}\+00:00$/),
    });
  });

  it.each([
    'page',
    'found',
    'position',
    'keyset',
    'version',
    'rows',
    'quotes',
    'written',
    'body',
    'c0',
    'xmin',
  ])('accepts any alias, even one that the statement uses itself: %s', async name => {
    const named = [{ [name]: 'Lion', code: 'LION' }];
    const lion = () => staff.from('graphics').select(`${name}:name, code`).order('code').eq('code', 'LION');
    expectData(await lion(), named);
    expectData(await lion().single(), named[0]);
    expect((await lion().csv()).data).toBe(`${name},code\nLion,LION`);
    const rename = () => staff.from('graphics').update({ name: 'Lion' });
    expectData(await rename().eq('code', 'LION').select(`${name}:name, code`), named);
    const id = (await library('id').eq('code', 'LION').single()).data as unknown as { id: string };
    expectData(await staff.from('graphics').select(`${name}:name, code`).eq('id', id.id), named);
    expectData(await rename().eq('id', id.id).select(`${name}:name, code`), named);
  });

  const aggregates: [columns: string, expected: unknown[]][] = [
    ['count()', [{ count: 3 }]],
    ['count', [{ count: 3 }]],
    [
      'sort_order.sum(), most:sort_order.max(), sort_order.min(), a:width.avg()',
      [{ sum: 5, most: 2, min: 1, a: 96 }],
    ],
    ['n:count()::text', [{ n: '3' }]],
    [
      'file_format, count(), sort_order.sum()',
      [
        { file_format: 'png', count: 1, sum: 2 },
        { file_format: 'svg', count: 2, sum: 3 },
      ],
    ],
  ];
  it.each(aggregates)('aggregates: %s', async (columns, expected) => {
    const query = library(columns);
    expectData(await (columns.includes('file_format') ? query.order('file_format') : query), expected);
  });

  const wrong: [columns: string, status: number, code: string, message: RegExp][] = [
    ['code, colour', 400, '42703', /column graphics.colour does not exist/],
    ['code, owners(name)', 400, 'PGRST200', /relationship between 'graphics' and 'owners'/],
    ['code::colour', 400, '42704', /type "colour" does not exist/],
    ['code,,name', 400, 'PGRST100', /failed to parse select/],
    ['name.sum()', 404, '42883', /function sum\(text\) does not exist/],
  ];
  it.each(wrong)('says what is wrong with %s', async (columns, status, code, message) => {
    expectError(await library(columns), status, code, message);
  });

  it('suggests the nearest column', async () => {
    const { error } = await library('file_forma');
    expect(error?.hint).toContain('graphics.file_format');
  });

  it('of an unknown table gets an error with the existing ones', async () => {
    const reply = await staff.from('shirts').select();
    expectError(reply, 404, 'PGRST205', /Could not find the table/);
    expect(reply.error?.hint).toContain('quotes, graphics, notifications');
  });
});

describe('order, limit and range', () => {
  type Query = ReturnType<typeof library>;
  const pages: [name: string, page: (query: Query) => Query, expected: string[]][] = [
    ['ascending', q => q.order('code'), ['BEAR', 'LION', 'STAR']],
    ['descending', q => q.order('code', { ascending: false }), ['STAR', 'LION', 'BEAR']],
    ['nulls last', q => q.order('width', { nullsFirst: false }), ['BEAR', 'LION', 'STAR']],
    ['nulls first', q => q.order('width', { nullsFirst: true }), ['STAR', 'BEAR', 'LION']],
    [
      'descending, nulls first when nothing is said',
      q => q.order('width', { ascending: false }),
      ['STAR', 'LION', 'BEAR'],
    ],
    [
      'several',
      q => q.order('sort_order', { ascending: false }).order('code', { ascending: false }),
      ['STAR', 'BEAR', 'LION'],
    ],
    [
      'of an array element',
      q => q.order('tags->0', { nullsFirst: true }).order('code'),
      ['STAR', 'BEAR', 'LION'],
    ],
    ['limit', q => q.order('code').limit(2), ['BEAR', 'LION']],
    ['limit of none', q => q.limit(0), []],
    ['range', q => q.order('code').range(1, 2), ['LION', 'STAR']],
    ['range past the end', q => q.order('code').range(7, 9), []],
  ];
  it.each(pages)('%s', async (_, page, expected) => {
    expectData(await page(library()), codes(...expected));
  });

  it('a column of another table is refused', async () => {
    expectError(await library().order('name', { referencedTable: 'shops' }), 400, 'PGRST108', /'shops'/);
    expectError(await library().order('colour'), 400, '42703', /colour/);
  });
});

describe('counts', () => {
  it.each(['exact', 'planned', 'estimated'] as const)('%s', async count => {
    await service.sql`analyze builder.graphics`;
    const reply = await staff.from('graphics').select('code', { count }).order('code').range(0, 1);
    expect(reply).toMatchObject({ error: null, count: 3, status: 206, data: codes('BEAR', 'LION') });
  });

  it.each(['exact', 'planned', 'estimated'] as const)('%s, without the rows', async count => {
    const reply = await staff.from('graphics').select('*', { count, head: true });
    expect(reply).toMatchObject({ error: null, count: 3, status: 200, data: null });
  });

  it('of the rows that match a filter', async () => {
    const reply = await staff.from('graphics').select('code', { count: 'exact' }).eq('file_format', 'png');
    expect(reply).toMatchObject({ error: null, count: 1, status: 200, data: codes('BEAR') });
    const none = await staff.from('graphics').select('*', { count: 'exact', head: true }).eq('code', 'NONE');
    expect(none).toMatchObject({ error: null, count: 0, status: 200, data: null });
  });

  it('a range past the end of a counted table is an error', async () => {
    const reply = await staff.from('graphics').select('code', { count: 'exact' }).range(7, 9);
    expectError(reply, 416, 'PGRST103', /Requested range not satisfiable/);
    expect(reply.error?.details).toBe('An offset of 7 was requested, but there are only 3 rows.');
  });
});
