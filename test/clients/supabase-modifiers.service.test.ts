/** supabase-js's modifiers of results and requests (https://supabase.com/docs/reference/javascript/using-modifiers). */
import { randomUUID } from 'node:crypto';
import { PostgrestError } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest';
import { aGraphic } from '../setup/rows.ts';
import { type Service, startService } from '../setup/service.ts';
import { type Client, clientOf, clientsOf, expectData, expectError, expectErrorFields } from './supabase.ts';

const graphics = [
  { code: 'BEAR', name: 'Bear, "black"', tags: ['animal', 'a, b'], width: 64 },
  { code: 'LION', name: 'Lion', tags: ['animal'], width: 128 },
  { code: 'STAR', name: 'Star' },
].map(aGraphic);
const account = randomUUID();
let service: Service;
let staff: Client;
let customer: Client;
beforeAll(async () => {
  service = await startService();
  ({ staff, customer } = await clientsOf(service, account));
  expectData(await staff.from('graphics').insert(graphics, { defaultToNull: false }), null, 201);
});
afterAll(() => service.stop());

const library = (columns = 'code') => staff.from('graphics').select(columns);
const codes = (...names: string[]) => names.map(code => ({ code }));

describe('the shape of the result', () => {
  it('single', async () => {
    expectData(await library().eq('code', 'LION').single(), { code: 'LION' });
  });

  it.each([
    ['no row', 'NONE', 0],
    ['several rows', 'BEAR,LION', 2],
  ])('single, of %s', async (_, names, rows) => {
    const reply = await library().in('code', names.split(',')).single();
    expectError(reply, 406, 'PGRST116', 'Cannot coerce the result to a single JSON object');
    expect(reply.error?.details).toBe(`The result contains ${rows} rows`);
  });

  it('maybeSingle', async () => {
    expectData(await library().eq('code', 'LION').maybeSingle(), { code: 'LION' });
    expectData(await library().eq('code', 'NONE').maybeSingle(), null);
    expectError(await library().maybeSingle(), 406, 'PGRST116', /multiple/);
  });

  it('csv', async () => {
    const lines = [
      'code,name,tags,width',
      'BEAR,"Bear, ""black""","{animal,""a, b""}",64',
      'LION,Lion,{animal},128',
      'STAR,Star,,',
    ];
    expectData(await library('code, name, tags, width').order('code').csv(), lines.join('\n'));
  });

  it('stripNulls', async () => {
    const query = () => library('code, width').gte('code', 'LION').order('code');
    expectData(await query().stripNulls(), [{ code: 'LION', width: 128 }, { code: 'STAR' }]);
    expectData(await query().limit(1).single().stripNulls(), { code: 'LION', width: 128 });
    expectData(await library('code, width').eq('code', 'STAR').single().stripNulls(), { code: 'STAR' });
  });

  it('geojson is refused', async () => {
    expectError(await library().geojson(), 406, 'PGRST107', /application\/geo\+json/);
  });

  it('overrideTypes and returns change types alone', async () => {
    const overridden = await library()
      .eq('code', 'LION')
      .overrideTypes<{ code: 'LION' }[], { merge: false }>();
    expectTypeOf(overridden.data).toEqualTypeOf<{ code: 'LION' }[] | null>();
    expectData(overridden, codes('LION'));
    const returned = await library().eq('code', 'LION').returns<{ code: string }[]>();
    expectTypeOf(returned.data).toEqualTypeOf<{ code: string }[] | null>();
    expectData(returned, codes('LION'));
  });
});

describe('explain', () => {
  it('returns the execution plan to staff, as text or as JSON', async () => {
    const text = await library().eq('code', 'LION').explain();
    expectData(text, expect.stringMatching(/Scan.*graphics/));
    const json = await library().limit(1).explain({ format: 'json' });
    expectData(json, [{ Plan: expect.objectContaining({ 'Node Type': expect.any(String) }) }]);
    const all = await library().explain({
      analyze: true,
      verbose: true,
      settings: true,
      buffers: true,
      wal: true,
    });
    expectData(all, expect.stringMatching(/actual time=.*Output:/s));
  });

  it('of a write executes nothing', async () => {
    expectData(
      await staff
        .from('graphics')
        .insert(aGraphic({ code: 'PLAN' }))
        .explain(),
      expect.stringContaining('Insert'),
    );
    expectData(await library().eq('code', 'PLAN'), []);
  });

  it('is refused to a customer', async () => {
    const reply = await customer.from('graphics').select().explain();
    expectError(reply, 406, 'PGRST107', /application\/vnd.pgrst.plan\+text/);
  });
});

describe('a request', () => {
  it('can be aborted', async () => {
    const gone = new AbortController();
    const reply = library().abortSignal(gone.signal);
    gone.abort();
    expect(await reply).toMatchObject({
      data: null,
      status: 0,
      error: { message: expect.stringContaining('AbortError') },
    });
    expectData(await library().eq('code', 'LION').abortSignal(AbortSignal.timeout(10_000)), codes('LION'));
  });

  it('may have another header', async () => {
    const reply = await library('created_at')
      .eq('code', 'LION')
      .setHeader('prefer', 'timezone=Asia/Tokyo')
      .single();
    expectData(reply, { created_at: expect.stringMatching(/\+09:00$/) });
  });

  it('throws with throwOnError', async () => {
    const error = await library('colour')
      .throwOnError()
      .then(undefined, (reason: unknown) => reason);
    expect(error).toBeInstanceOf(PostgrestError);
    const { code, message, details, hint } = error as PostgrestError;
    expectErrorFields({ code, message, details, hint }, 'column graphics.colour does not exist');
    expectData(await library().eq('code', 'LION').throwOnError(), codes('LION'));
  });

  it('may name the schema', async () => {
    for (const schema of ['public', 'builder']) {
      const reply = await staff.schema(schema).from('graphics').select('code').eq('code', 'LION').single();
      expectData(reply, { code: 'LION' });
    }
    const reply = await staff.schema('other').from('graphics').select();
    expectError(reply, 406, 'PGRST106', 'Invalid schema: other');
    expect(reply.error?.hint).toBe('Only the following schemas are exposed: public, builder');
    expectError(await staff.schema('other').from('graphics').insert(aGraphic()), 406, 'PGRST106', /other/);
  });

  it('without a key of this service is refused', async () => {
    expectError(
      await clientOf(service, 'sb_publishable_no').from('graphics').select(),
      401,
      'PGRST301',
      /apikey/,
    );
    const late = await service.token({ account, claims: { exp: 1 } });
    expectError(
      await clientOf(service, service.publishableKey, late).from('quotes').select(),
      401,
      'PGRST303',
      /expired/,
    );
  });
});
