/** What supabase-js inserts and upserts (https://supabase.com/docs/reference/javascript/insert), as staff. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { aGraphic, aNotification, aQuote } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { type Client, clientOf, expectData, expectError, insertGraphics, namesOf } from './supabase.ts';

const service = useService();
let staff: Client;
beforeAll(async () => {
  staff = clientOf(service, service.secretKey);
});

const library = () => staff.from('graphics');
type Written = PromiseLike<Parameters<typeof expectData>[0]>;

/** What is written as new rows, and what comes back with 201. */
const insertions: [name: string, write: () => Written, data: unknown][] = [
  ['one', () => library().insert(aGraphic()), null],
  [
    'one, and returns it',
    () => library().insert(aGraphic()).select().single(),
    expect.objectContaining({ name: 'Lion', id: expect.any(String), is_active: true, sort_order: 0 }),
  ],
  [
    'an array of texts with every special character',
    () =>
      library()
        .insert(aGraphic({ tags: ['a b', 'c,"d"'] }))
        .select('tags')
        .single(),
    { tags: ['a b', 'c,"d"'] },
  ],
  [
    'many, and returns some of their columns in order',
    () =>
      library()
        .insert([aGraphic({ name: 'B' }), aGraphic({ name: 'A' })])
        .select('n:name')
        .order('name'),
    [{ n: 'A' }, { n: 'B' }],
  ],
  [
    'many with different keys: columns left out are null',
    () =>
      library()
        .insert([aGraphic({ width: 3 }), aGraphic({ description: 'x' })])
        .select('width, description')
        .order('width'),
    [
      { width: 3, description: null },
      { width: null, description: 'x' },
    ],
  ],
  [
    'many with different keys, defaultToNull: false: columns left out have their defaults',
    () =>
      library()
        .insert([aGraphic({ sort_order: 3 }), aGraphic({ is_active: false })], { defaultToNull: false })
        .select('sort_order, is_active')
        .order('sort_order'),
    [
      { sort_order: 0, is_active: false },
      { sort_order: 3, is_active: true },
    ],
  ],
  ['none', () => library().insert([]), null],
  ['none, and returns them', () => library().insert([]).select(), []],
  [
    'JSON, to the letter',
    () =>
      staff
        .from('quotes')
        .insert(aQuote(randomUUID(), { customization: { n: 1.5, deep: [{ text: 'Ü \u2028 "\\' }] } }))
        .select('customization')
        .single(),
    { customization: { n: 1.5, deep: [{ text: 'Ü \u2028 "\\' }] } },
  ],
  [
    'a bigint',
    () =>
      staff
        .from('notifications')
        .insert(aNotification(randomUUID(), { id: 9007199254740993n }))
        .select('id::text')
        .single(),
    { id: '9007199254740993' },
  ],
  [
    'one, and returns CSV',
    () =>
      library()
        .insert(aGraphic({ width: 4 }))
        .select('name, width')
        .csv(),
    'name,width\nLion,4',
  ],
  [
    'no undefined properties',
    () =>
      library()
        .insert(aGraphic({ sort_order: undefined }))
        .select('sort_order')
        .single(),
    { sort_order: 0 },
  ],
];

describe('insert', () => {
  it.each(insertions)('%s', async (_, write, data) => {
    expectData(await write(), data, 201);
  });

  it('counts the rows', async () => {
    const graphics = [aGraphic(), aGraphic()];
    expect(await library().insert(graphics, { count: 'exact' }).select('id')).toMatchObject({ count: 2 });
  });

  it('of a code that is taken is a conflict', async () => {
    const { graphics } = await insertGraphics(staff, 'A');
    expectError(await library().insert(graphics), 409, '23505', /unique constraint "graphics_code_key"/);
  });

  it('of many rows with one invalid inserts none, and names its fields', async () => {
    const graphics = [aGraphic(), aGraphic({ file_format: 'gif', width: -1 })];
    const reply = await library().insert(graphics, { defaultToNull: false });
    const first = 'Element 1: file_format must be one of jpg, png, svg, webp';
    expectError(reply, 400, '23514', `${first}, and 1 more field is invalid`);
    expect(reply.error?.details).toBe(
      `${first}; it is "gif". Element 1: width must be a number that is not negative; it is -1.`,
    );
    expect(reply.error).toMatchObject({ issues: [{ path: '1.file_format' }, { path: '1.width' }] });
    const codes = graphics.map(({ code }) => code);
    expect(await namesOf(staff, codes)).toEqual([]);
    const missing = await library().insert([aGraphic({ sort_order: 3 }), aGraphic({ is_active: false })]);
    expectError(missing, 400, '23502', 'Element 0: is_active is required, and 1 more field is invalid');
  });

  it('that asks for what is not there inserts nothing, and suggests another column', async () => {
    const { code } = aGraphic();
    const reply = await library().insert(aGraphic({ code })).select('*, owner(*)');
    expectError(reply, 400, 'PGRST200', /relationship between 'graphics' and 'owner'/);
    expect(await namesOf(staff, [code])).toEqual([]);
    const misspelt = await library().insert(aGraphic({ tag: [] }));
    expectError(
      misspelt,
      400,
      'PGRST204',
      "Could not find the 'tag' column of 'graphics' in the schema cache",
    );
    expect(misspelt.error?.hint).toContain("'tags'");
  });
});

describe('upsert', () => {
  it('merges by the column that onConflict names', async () => {
    const { graphics } = await insertGraphics(staff, 'A');
    const rows = [{ ...graphics[0], name: 'A2' }, aGraphic({ name: 'B' })];
    const options = { onConflict: 'code', count: 'exact' } as const;
    const reply = await library().upsert(rows, options).select('name').order('name');
    expectData(reply, [{ name: 'A2' }, { name: 'B' }], 201);
    expect(reply.count).toBe(2);
  });

  it('of existing rows only is a 200', async () => {
    const { graphics, codes } = await insertGraphics(staff, 'A');
    expectData(await library().upsert({ ...graphics[0], name: 'A2' }, { onConflict: 'code' }), null, 200);
    expect(await namesOf(staff, codes)).toEqual(['A2']);
  });

  it('merges by the primary key by default', async () => {
    const graphic = aGraphic({ id: randomUUID() });
    const upsert = (more: object) =>
      library()
        .upsert({ ...graphic, ...more })
        .select('name, width')
        .single();
    expectData(await upsert({ width: 5 }), { name: 'Lion', width: 5 }, 201);
    expectData(await upsert({ name: 'B' }), { name: 'B', width: 5 });
  });

  it('ignores duplicates, and returns the new rows', async () => {
    const { graphics, codes } = await insertGraphics(staff, 'A');
    const [taken, fresh] = [{ ...graphics[0], name: 'A2' }, aGraphic({ name: 'B' })];
    const options = { onConflict: 'code', ignoreDuplicates: true };
    expectData(await library().upsert([taken, fresh], options).select('name'), [{ name: 'B' }], 201);
    expectData(await library().upsert(taken, options).select().maybeSingle(), null, 201);
    expect(await namesOf(staff, [...codes, fresh.code])).toEqual(['A', 'B']);
  });

  it('is an error when no unique constraint fits, and of the same row twice', async () => {
    const graphic = aGraphic();
    const upsert = (rows: object | object[], onConflict: string) => library().upsert(rows, { onConflict });
    expectError(await upsert(graphic, 'name'), 400, '42P10', /no unique or exclusion constraint/);
    expectError(await upsert(graphic, 'colour'), 400, '42703', /colour/);
    expectError(await upsert([graphic, graphic], 'code'), 400, '21000', /cannot affect row a second time/);
  });

  it('of a deleted row is a conflict and changes nothing', async () => {
    const graphic = aGraphic({ id: randomUUID() });
    expectData(await library().insert(graphic), null, 201);
    expectData(await library().delete().eq('code', graphic.code), null, 204);
    const { data: written } = await library()
      .upsert({ ...graphic, name: 'B' })
      .select('name');
    const { data: found } = await library().select('name').eq('code', graphic.code);
    expect(written ?? []).toEqual(found);
  });
});
