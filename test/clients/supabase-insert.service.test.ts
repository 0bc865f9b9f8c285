/** supabase-js's insert (https://supabase.com/docs/reference/javascript/insert), as staff. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aGraphic, aNotification, aQuote } from '../setup/rows.ts';
import { type Service, startService } from '../setup/service.ts';
import { type Client, clientOf, expectData, expectError, insertGraphics, namesOf } from './supabase.ts';

let service: Service;
let staff: Client;
beforeAll(async () => {
  service = await startService();
  staff = clientOf(service, service.secretKey);
});
afterAll(() => service.stop());

const library = () => staff.from('graphics');

describe('insert', () => {
  it('one', async () => {
    const graphic = aGraphic({ tags: ['a b', 'c,"d"'] });
    expectData(await library().insert(graphic), null, 201);
    expectData(await library().select('name, tags').eq('code', graphic.code), [
      { name: 'Lion', tags: ['a b', 'c,"d"'] },
    ]);
  });

  it('one, and returns it', async () => {
    const graphic = aGraphic();
    const reply = await library().insert(graphic).select().single();
    expectData(
      reply,
      expect.objectContaining({ ...graphic, id: expect.any(String), is_active: true, sort_order: 0 }),
      201,
    );
  });

  it('many, and returns some of their columns in order', async () => {
    const graphics = [aGraphic({ name: 'B' }), aGraphic({ name: 'A' })];
    const reply = await library().insert(graphics, { count: 'exact' }).select('n:name').order('name');
    expectData(reply, [{ n: 'A' }, { n: 'B' }], 201);
    expect(reply.count).toBe(2);
  });

  it('many with different keys: columns left out are null', async () => {
    const graphics = [aGraphic({ width: 3 }), aGraphic({ description: 'x' })];
    const reply = await library().insert(graphics).select('width, description').order('width');
    expectData(
      reply,
      [
        { width: 3, description: null },
        { width: null, description: 'x' },
      ],
      201,
    );
  });

  it('many with different keys, defaultToNull: false: columns left out have their defaults', async () => {
    const graphics = [aGraphic({ sort_order: 3 }), aGraphic({ is_active: false })];
    const reply = await library()
      .insert(graphics, { defaultToNull: false })
      .select('sort_order, is_active')
      .order('sort_order');
    expectData(
      reply,
      [
        { sort_order: 0, is_active: false },
        { sort_order: 3, is_active: true },
      ],
      201,
    );
    expectError(
      await library().insert(graphics),
      400,
      '23502',
      'Element 0: is_active is required, and 1 more field is invalid',
    );
  });

  it('none', async () => {
    expectData(await library().insert([]), null, 201);
    expectData(await library().insert([]).select(), [], 201);
  });

  it('of a quote keeps its JSON, and a notification its bigint', async () => {
    const customization = { deep: [{ n: 1.5, text: 'Ünïcode \u2028 "\\' }], none: null };
    const quote = await staff
      .from('quotes')
      .insert(aQuote(randomUUID(), { customization }))
      .select('customization')
      .single();
    expectData(quote, { customization }, 201);
    const id = 9007199254740993n;
    const note = await staff
      .from('notifications')
      .insert(aNotification(randomUUID(), { id }))
      .select('id::text')
      .single();
    expectData(note, { id: '9007199254740993' }, 201);
  });

  it('returns CSV', async () => {
    expectData(
      await library()
        .insert(aGraphic({ width: 4 }))
        .select('name, width')
        .csv(),
      'name,width\nLion,4',
      201,
    );
  });

  it('with an unacceptable media type inserts nothing', async () => {
    const { code } = aGraphic();
    const reply = await library().insert(aGraphic({ code })).select('*, owner(*)');
    expectError(reply, 400, 'PGRST200', /relationship between 'graphics' and 'owner'/);
    expect(await namesOf(staff, [code])).toEqual([]);
  });

  it('omits undefined properties', async () => {
    const reply = await library()
      .insert(aGraphic({ sort_order: undefined }))
      .select('sort_order')
      .single();
    expectData(reply, { sort_order: 0 }, 201);
  });

  it('of a code that is taken is a conflict', async () => {
    const { graphics } = await insertGraphics(staff, 'A');
    const reply = await library().insert(graphics);
    expectError(reply, 409, '23505', /duplicate key value violates unique constraint "graphics_code_key"/);
  });

  it('of many rows with one invalid inserts none', async () => {
    const graphics = [aGraphic(), aGraphic({ file_format: 'gif', width: -1 })];
    const reply = await library().insert(graphics, { defaultToNull: false });
    const message = 'Element 1: file_format must be one of jpg, png, svg, webp, and 1 more field is invalid';
    expectError(reply, 400, '23514', message);
    expect(reply.error?.details).toBe(
      'Element 1: file_format must be one of jpg, png, svg, webp; it is "gif". Element 1: width must be a number that is not negative; it is -1.',
    );
    expect(reply.error).toMatchObject({ issues: [{ path: '1.file_format' }, { path: '1.width' }] });
    expect(
      await namesOf(
        staff,
        graphics.map(({ code }) => code),
      ),
    ).toEqual([]);
  });

  it('of a column that does not exist suggests another', async () => {
    const reply = await library().insert(aGraphic({ tag: [] }));
    expectError(reply, 400, 'PGRST204', "Could not find the 'tag' column of 'graphics' in the schema cache");
    expect(reply.error?.hint).toContain("'tags'");
  });
});
