/** Headers of supabase-js: those that make writes safe, If-Match and Idempotency-Key, and its credentials. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aGraphic, aQuote } from '../setup/rows.ts';
import { type Service, startService } from '../setup/service.ts';
import {
  type Client,
  clientOf,
  clientOfKeyAlone,
  expectData,
  expectError,
  insertGraphics,
  namesOf,
} from './supabase.ts';

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

describe('a client that sends its key in apikey alone', () => {
  it('reads with the publishable key what everyone may', async () => {
    const anonymous = clientOfKeyAlone(service, service.publishableKey);
    const { codes } = await insertGraphics(staff, 'A', 'B');
    expect(await namesOf(anonymous, codes)).toEqual(['A', 'B']);
    const counted = await anonymous.from('graphics').select('*', { count: 'exact', head: true });
    expect(counted).toMatchObject({ error: null, status: 200, count: expect.any(Number) });
    expectError(await anonymous.from('quotes').select(), 401, '42501', /permission denied for table quotes/);
    expectError(await anonymous.rpc('next_quote_number'), 401, '42501', /permission denied for function/);
  });

  it('does everything with the secret key', async () => {
    const secret = clientOfKeyAlone(service, service.secretKey);
    const row = aQuote(randomUUID(), { internal_notes: 'margin' });
    expectData(
      await secret.from('quotes').insert(row).select('internal_notes').single(),
      {
        internal_notes: 'margin',
      },
      201,
    );
    expectData(await secret.rpc('next_quote_number'), expect.stringMatching(/^QT-/));
  });

  it('is refused with a key of no one', async () => {
    const nobody = clientOfKeyAlone(service, 'sb_publishable_wrong');
    expectError(await nobody.from('graphics').select(), 401, 'PGRST301', /not a key of this service/);
  });
});
