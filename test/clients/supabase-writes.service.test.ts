/** supabase-js's insert, upsert, update and delete (https://supabase.com/docs/reference/javascript/insert), as staff. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aGraphic, aNotification, aQuote } from '../service/wire.ts';
import { type Service, startService } from '../setup/service.ts';
import { type Client, clientOf, expectData, expectError } from './supabase.ts';

let service: Service;
let staff: Client;
beforeAll(async () => {
  service = await startService();
  staff = clientOf(service, service.secretKey);
});
afterAll(() => service.stop());

type Graphic = ReturnType<typeof aGraphic>;
const library = () => staff.from('graphics');

/** New graphics, their names in order. */
async function inLibrary(...names: string[]): Promise<{ graphics: Graphic[]; codes: string[] }> {
  const graphics = names.map(name => aGraphic({ name }));
  expectData(await library().insert(graphics), null, 201);
  return { graphics, codes: graphics.map(({ code }) => code) };
}
const namesOf = async (codes: string[]): Promise<string[]> => {
  const { data } = await library().select('name').in('code', codes).order('name');
  return (data ?? []).map(({ name }) => name);
};

describe('insert', () => {
  it('one', async () => {
    const graphic = aGraphic({ tags: ['a b', 'c,"d"'] });
    expectData(await library().insert(graphic), null, 201);
    expectData(await library().select('name, tags').eq('code', graphic.code), [
      { name: 'Lion', tags: ['a b', 'c,"d"'] },
    ]);
  });

  it('one, and answers it', async () => {
    const graphic = aGraphic();
    const reply = await library().insert(graphic).select().single();
    expectData(
      reply,
      expect.objectContaining({ ...graphic, id: expect.any(String), is_active: true, sort_order: 0 }),
      201,
    );
  });

  it('many, and answers some columns of them in order', async () => {
    const graphics = [aGraphic({ name: 'B' }), aGraphic({ name: 'A' })];
    const reply = await library().insert(graphics, { count: 'exact' }).select('n:name').order('name');
    expectData(reply, [{ n: 'A' }, { n: 'B' }], 201);
    expect(reply.count).toBe(2);
  });

  it('many with different keys: what is left out is null', async () => {
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

  it('many with different keys, defaultToNull: false: what is left out has its default', async () => {
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
    expectError(await library().insert(graphics), 400, '23502', /fields? of the body/);
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

  it('leaves out what is undefined', async () => {
    const reply = await library()
      .insert(aGraphic({ sort_order: undefined }))
      .select('sort_order')
      .single();
    expectData(reply, { sort_order: 0 }, 201);
  });

  it('of a code that is taken is a conflict', async () => {
    const { graphics } = await inLibrary('A');
    const reply = await library().insert(graphics);
    expectError(reply, 409, '23505', /duplicate key value violates unique constraint "graphics_code_key"/);
  });

  it('of many of which one is wrong inserts none', async () => {
    const graphics = [aGraphic(), aGraphic({ file_format: 'gif', width: -1 })];
    const reply = await library().insert(graphics, { defaultToNull: false });
    expectError(reply, 400, '23514', '2 fields of the body are invalid');
    expect(reply.error?.details).toMatch(/\[1\]\.file_format: .*; \[1\]\.width: /);
    expect(await namesOf(graphics.map(({ code }) => code))).toEqual([]);
  });

  it('of a column that does not exist suggests another', async () => {
    const reply = await library().insert(aGraphic({ tag: [] }));
    expectError(reply, 400, 'PGRST204', "Could not find the 'tag' column of 'graphics' in the schema cache");
    expect(reply.error?.hint).toContain("'tags'");
  });
});

describe('upsert', () => {
  it('merges by the column that onConflict names', async () => {
    const { graphics } = await inLibrary('A');
    const rows = [{ ...graphics[0], name: 'A2' }, aGraphic({ name: 'B' })];
    const reply = await library()
      .upsert(rows, { onConflict: 'code', count: 'exact' })
      .select('name')
      .order('name');
    expectData(reply, [{ name: 'A2' }, { name: 'B' }], 201);
    expect(reply.count).toBe(2);
  });

  it('of rows that all exist answers 200', async () => {
    const { graphics, codes } = await inLibrary('A');
    expectData(await library().upsert({ ...graphics[0], name: 'A2' }, { onConflict: 'code' }), null, 200);
    expect(await namesOf(codes)).toEqual(['A2']);
  });

  it('merges by the primary key when nothing is said', async () => {
    const id = randomUUID();
    const graphic = aGraphic({ id });
    expectData(
      await library()
        .upsert({ ...graphic, width: 5 })
        .select('id, width')
        .single(),
      { id, width: 5 },
      201,
    );
    expectData(
      await library()
        .upsert({ ...graphic, name: 'B' })
        .select('name, width')
        .single(),
      { name: 'B', width: 5 },
    );
  });

  it('ignores duplicates, and answers what is new', async () => {
    const { graphics, codes } = await inLibrary('A');
    const fresh = aGraphic({ name: 'B' });
    const options = { onConflict: 'code', ignoreDuplicates: true };
    const reply = await library()
      .upsert([{ ...graphics[0], name: 'A2' }, fresh], options)
      .select('name');
    expectData(reply, [{ name: 'B' }], 201);
    expectData(
      await library()
        .upsert({ ...graphics[0], name: 'A2' }, options)
        .select()
        .maybeSingle(),
      null,
      201,
    );
    expect(await namesOf([...codes, fresh.code])).toEqual(['A', 'B']);
  });

  it('with defaultToNull: false gives new rows their defaults', async () => {
    const rows = [aGraphic({ sort_order: 3 }), aGraphic({ width: 1 })];
    const options = { onConflict: 'code', defaultToNull: false };
    const reply = await library().upsert(rows, options).select('sort_order').order('sort_order');
    expectData(reply, [{ sort_order: 0 }, { sort_order: 3 }], 201);
  });

  it('says so when no constraint fits', async () => {
    const reply = await library().upsert(aGraphic(), { onConflict: 'name' });
    expectError(reply, 400, '42P10', /no unique or exclusion constraint/);
    expectError(await library().upsert(aGraphic(), { onConflict: 'colour' }), 400, '42703', /colour/);
  });

  it('of the same row twice is refused', async () => {
    const graphic = aGraphic();
    const reply = await library().upsert([graphic, graphic], { onConflict: 'code' });
    expectError(reply, 400, '21000', /cannot affect row a second time/);
  });
});

describe('update', () => {
  it('what a filter finds', async () => {
    const { codes } = await inLibrary('A', 'B');
    expectData(await library().update({ name: 'C' }).eq('code', codes[0]), null, 204);
    expect(await namesOf(codes)).toEqual(['B', 'C']);
  });

  it('and answers it', async () => {
    const { codes } = await inLibrary('A', 'B');
    const reply = await library()
      .update({ width: 9, tags: null }, { count: 'exact' })
      .in('code', codes)
      .select('name, width')
      .order('name');
    expectData(reply, [
      { name: 'A', width: 9 },
      { name: 'B', width: 9 },
    ]);
    expect(reply.count).toBe(2);
    const [code] = codes;
    expectData(await library().update({ width: null }).match({ code }).select('width').single(), {
      width: null,
    });
  });

  it('of nothing answers nothing', async () => {
    const update = () => library().update({ name: 'C' }, { count: 'exact' }).eq('code', 'NONE');
    expect(await update()).toMatchObject({ data: null, error: null, count: 0, status: 204 });
    expectData(await update().select(), []);
    expectData(await update().select().maybeSingle(), null);
    expectError(await update().select().single(), 406, 'PGRST116', /single JSON object/);
  });

  it('of several rows where one was meant changes none', async () => {
    const { codes } = await inLibrary('A', 'B');
    expectError(
      await library().update({ name: 'C' }).in('code', codes).select().single(),
      406,
      'PGRST116',
      /single/,
    );
    expect(await namesOf(codes)).toEqual(['A', 'B']);
  });

  it('without a filter is refused', async () => {
    expectError(await library().update({ name: 'C' }), 400, '21000', 'UPDATE requires a WHERE clause');
  });

  it('of a wrong value, a taken code, no column', async () => {
    const { codes } = await inLibrary('A', 'B');
    const update = (values: object) => library().update(values).eq('code', codes[0]);
    expectError(await update({ sort_order: 'x' }), 400, '22P02', 'A field of the body is invalid');
    expectError(await update({ name: null }), 400, '23502', 'A field of the body is invalid');
    expectError(await update({ code: codes[1] }), 409, '23505', /graphics_code_key/);
    expectError(await update({ colour: 'red' }), 400, 'PGRST204', /'colour' column/);
  });

  it('of a move that is not allowed names those that are', async () => {
    const account = randomUUID();
    const customer = clientOf(service, service.publishableKey, await service.token({ account }));
    const { data } = await customer.from('quotes').insert(aQuote(account)).select('id').single();
    const reply = await customer.from('quotes').update({ status: 'approved' }).eq('id', data?.id);
    expectError(reply, 409, 'PT409', 'A quote cannot move from draft to approved');
    expect(reply.error?.details).toContain('cancelled, submitted');
  });
});

describe('delete', () => {
  it('what a filter finds', async () => {
    const { codes } = await inLibrary('A', 'B');
    expectData(await library().delete().eq('code', codes[0]), null, 204);
    expect(await namesOf(codes)).toEqual(['B']);
  });

  it('and answers it', async () => {
    const { codes } = await inLibrary('A', 'B');
    const reply = await library().delete({ count: 'exact' }).in('code', codes).select('name').order('name');
    expectData(reply, [{ name: 'A' }, { name: 'B' }]);
    expect(reply.count).toBe(2);
    expectData(await library().delete().in('code', codes).select(), []);
    expectError(await library().delete().in('code', codes).select().single(), 406, 'PGRST116', /single/);
  });

  it('without a filter is refused', async () => {
    expectError(await library().delete(), 400, '21000', 'DELETE requires a WHERE clause');
  });
});

describe('what undoes a write', () => {
  it('rollback, which answers what would have been', async () => {
    const { codes } = await inLibrary('A');
    const fresh = aGraphic();
    expectData(await library().insert(fresh).select('code').rollback(), [{ code: fresh.code }], 201);
    expectData(await library().upsert(fresh).select('code').rollback(), [{ code: fresh.code }], 201);
    expectData(await library().update({ name: 'B' }).in('code', codes).select('name').rollback(), [
      { name: 'B' },
    ]);
    expectData(await library().delete().in('code', codes).select('name').rollback(), [{ name: 'A' }]);
    expect(await namesOf([...codes, fresh.code])).toEqual(['A']);
  });

  it('maxAffected, when more rows would change', async () => {
    const { codes } = await inLibrary('A', 'B');
    for (const write of [library().update({ name: 'C' }), library().delete()]) {
      const reply = await write.in('code', codes).maxAffected(1);
      expectError(reply, 400, 'PGRST124', 'Query result exceeds max-affected preference constraint');
      expect(reply.error?.details).toBe('The query affects 2 rows');
    }
    expect(await namesOf(codes)).toEqual(['A', 'B']);
    expectData(await library().delete().in('code', codes).maxAffected(2).select('name').order('name'), [
      { name: 'A' },
      { name: 'B' },
    ]);
  });
});
