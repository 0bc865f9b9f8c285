/**
 * supabase-js's update and delete, and the options that undo a write
 * (https://supabase.com/docs/reference/javascript/update), as staff.
 */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { aGraphic } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { type Client, clientOf, expectData, expectError, insertGraphics, namesOf } from './supabase.ts';

const service = useService();
let staff: Client;
beforeAll(async () => {
  staff = clientOf(service, service.secretKey);
});

const library = () => staff.from('graphics');

describe('update', () => {
  it('changes the rows that a filter finds', async () => {
    const { codes } = await insertGraphics(staff, 'A', 'B');
    expectData(await library().update({ name: 'C' }).eq('code', codes[0]), null, 204);
    expect(await namesOf(staff, codes)).toEqual(['B', 'C']);
  });

  it('returns the changed rows', async () => {
    const { codes } = await insertGraphics(staff, 'A', 'B');
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

  it('of no rows returns none', async () => {
    const update = () => library().update({ name: 'C' }, { count: 'exact' }).eq('code', 'NONE');
    expect(await update()).toMatchObject({ data: null, error: null, count: 0, status: 204 });
    expectData(await update().select(), []);
    expectData(await update().select().maybeSingle(), null);
    expectError(await update().select().single(), 406, 'PGRST116', /single JSON object/);
  });

  it('of several rows with single() changes none', async () => {
    const { codes } = await insertGraphics(staff, 'A', 'B');
    expectError(
      await library().update({ name: 'C' }).in('code', codes).select().single(),
      406,
      'PGRST116',
      /single/,
    );
    expect(await namesOf(staff, codes)).toEqual(['A', 'B']);
  });

  it('of an array changes every row by its key', async () => {
    const { codes } = await insertGraphics(staff, 'A', 'B', 'C');
    const { data } = await library().select('id').in('code', codes).order('name');
    const [a, b] = data ?? [];
    const rows = [
      { id: b?.id, name: 'B2' },
      { id: a?.id, name: 'A2', width: 5 },
    ];
    const reply = await library().update(rows).in('code', codes).select('name, width');
    expectData(reply, [
      { name: 'B2', width: null },
      { name: 'A2', width: 5 },
    ]);
    expect(await namesOf(staff, codes)).toEqual(['A2', 'B2', 'C']);
    const missing = await library()
      .update([...rows, { id: randomUUID(), name: 'D' }])
      .in('code', codes);
    expectError(missing, 404, 'PT404', 'Not every row of the body was found, so none was changed');
  });

  it('without a filter is refused', async () => {
    expectError(await library().update({ name: 'C' }), 400, '21000', 'UPDATE requires a WHERE clause');
    expectData(await library().update({}).eq('code', 'NONE').select(), []);
  });

  it('of an invalid value, a taken code, an unknown column', async () => {
    const { codes } = await insertGraphics(staff, 'A', 'B');
    const update = (values: object) => library().update(values).eq('code', codes[0]);
    expectError(await update({ sort_order: 'x' }), 400, '22P02', 'sort_order must be a whole number');
    expectError(await update({ name: null }), 400, '23502', 'name must not be null');
    expectError(
      await staff.from('quotes').update({ quote_number: 'Q-1' }).eq('id', randomUUID()),
      400,
      '23514',
      /^quote_number must be QT-<year>-<5 digits>$/,
    );
    expectError(await update({ code: codes[1] }), 409, '23505', /graphics_code_key/);
    expectError(await update({ colour: 'red' }), 400, 'PGRST204', /'colour' column/);
  });
});

describe('delete', () => {
  it('deletes the rows that a filter finds', async () => {
    const { codes } = await insertGraphics(staff, 'A', 'B');
    expectData(await library().delete().eq('code', codes[0]), null, 204);
    expect(await namesOf(staff, codes)).toEqual(['B']);
  });

  it('returns the deleted rows', async () => {
    const { codes } = await insertGraphics(staff, 'A', 'B');
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

describe('a write is undone by', () => {
  it('rollback, which returns the rows as they would have been', async () => {
    const { codes } = await insertGraphics(staff, 'A');
    const fresh = aGraphic();
    expectData(await library().insert(fresh).select('code').rollback(), [{ code: fresh.code }], 201);
    expectData(await library().upsert(fresh).select('code').rollback(), [{ code: fresh.code }], 201);
    expectData(await library().update({ name: 'B' }).in('code', codes).select('name').rollback(), [
      { name: 'B' },
    ]);
    expectData(await library().delete().in('code', codes).select('name').rollback(), [{ name: 'A' }]);
    expect(await namesOf(staff, [...codes, fresh.code])).toEqual(['A']);
  });

  it('maxAffected, when more rows would change', async () => {
    const { codes } = await insertGraphics(staff, 'A', 'B');
    for (const write of [library().update({ name: 'C' }), library().delete()]) {
      const reply = await write.in('code', codes).maxAffected(1);
      expectError(reply, 400, 'PGRST124', 'Query result exceeds max-affected preference constraint');
      expect(reply.error?.details).toBe('The query affects 2 rows');
    }
    expect(await namesOf(staff, codes)).toEqual(['A', 'B']);
    expectData(await library().delete().in('code', codes).maxAffected(2).select('name').order('name'), [
      { name: 'A' },
      { name: 'B' },
    ]);
  });
});
