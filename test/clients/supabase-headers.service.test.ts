/** The headers that make writes safe, as supabase-js sends them: If-Match and Idempotency-Key. */
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

describe('setHeader', () => {
  it('If-Match: an update of a row that changed since is an error, and writes nothing', async () => {
    const { codes } = await insertGraphics(staff, 'A');
    const { data } = await library().select('id').eq('code', codes[0]).single();
    const rename = (name: string, etag: string) =>
      library().update({ name }).eq('id', data?.id).setHeader('If-Match', etag);
    expectData(await rename('B', '*'), null, 204);
    expectError(await rename('C', '"1-stale"'), 412, 'PT412', /changed since it was read/);
    expect(await namesOf(staff, codes)).toEqual(['B']);
  });

  it('Idempotency-Key: a repeated insert gets the first response', async () => {
    const key = randomUUID();
    const graphic = aGraphic();
    const insert = (row: object) => library().insert(row).setHeader('Idempotency-Key', key).select().single();
    const first = await insert(graphic);
    expect(first.error).toBeNull();
    expectData(await insert(graphic), first.data, 201);
    expectError(await insert({ ...graphic, name: 'Other' }), 422, 'PT422', /used for another request/);
    expect(await namesOf(staff, [graphic.code])).toEqual([graphic.name]);
  });
});
