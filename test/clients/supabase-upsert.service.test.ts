/** supabase-js's upsert (https://supabase.com/docs/reference/javascript/upsert), as staff. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aGraphic } from '../setup/rows.ts';
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

describe('upsert', () => {
  it('merges by the column that onConflict names', async () => {
    const { graphics } = await insertGraphics(staff, 'A');
    const rows = [{ ...graphics[0], name: 'A2' }, aGraphic({ name: 'B' })];
    const reply = await library()
      .upsert(rows, { onConflict: 'code', count: 'exact' })
      .select('name')
      .order('name');
    expectData(reply, [{ name: 'A2' }, { name: 'B' }], 201);
    expect(reply.count).toBe(2);
  });

  it('of existing rows only is a 200', async () => {
    const { graphics, codes } = await insertGraphics(staff, 'A');
    expectData(await library().upsert({ ...graphics[0], name: 'A2' }, { onConflict: 'code' }), null, 200);
    expect(await namesOf(staff, codes)).toEqual(['A2']);
  });

  it('merges by the primary key by default', async () => {
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

  it('ignores duplicates, and returns the new rows', async () => {
    const { graphics, codes } = await insertGraphics(staff, 'A');
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
    expect(await namesOf(staff, [...codes, fresh.code])).toEqual(['A', 'B']);
  });

  it('with defaultToNull: false gives new rows their defaults', async () => {
    const rows = [aGraphic({ sort_order: 3 }), aGraphic({ width: 1 })];
    const options = { onConflict: 'code', defaultToNull: false };
    const reply = await library().upsert(rows, options).select('sort_order').order('sort_order');
    expectData(reply, [{ sort_order: 0 }, { sort_order: 3 }], 201);
  });

  it('is an error when no unique constraint fits', async () => {
    const reply = await library().upsert(aGraphic(), { onConflict: 'name' });
    expectError(reply, 400, '42P10', /no unique or exclusion constraint/);
    expectError(await library().upsert(aGraphic(), { onConflict: 'colour' }), 400, '42703', /colour/);
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

  it('of the same row twice is refused', async () => {
    const graphic = aGraphic();
    const reply = await library().upsert([graphic, graphic], { onConflict: 'code' });
    expectError(reply, 400, '21000', /cannot affect row a second time/);
  });
});
