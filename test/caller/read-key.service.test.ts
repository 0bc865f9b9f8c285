/** A key for reading (READ_KEY): it reads what staff read, writes nothing whatever comes with it, and is for servers. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { all, useLive } from '../live/wire.ts';
import { aGraphic, aNotification, aQuote } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { type Caller, callerOf, representation, useCallers } from '../setup/wire.ts';

/** Any text may be a key: supabase-js warns about the form of the old one. */
const keys = { old: `sb_read_${randomUUID()}`, new: `sb_secret_read_${randomUUID()}` };
const service = useService({ bindings: { READ_KEY: `${keys.new}, ${keys.old}` } });
const account = randomUUID();
const { staff } = useCallers(service, account);
const reader = () => callerOf(service, keys.new);
beforeAll(async () => {
  const notes = { internal_notes: 'margin 30%', status: 'submitted', customer_notes: 'the lions' };
  const rows = [aQuote(account, notes), aQuote(randomUUID(), notes)];
  const made = await staff.send('POST', '/quotes?select=id', rows, representation);
  await staff.send('DELETE', `/quotes?id=eq.${made.body[1].id}`);
  await staff.send('POST', '/graphics', aGraphic({ is_active: false }));
  await staff.send('POST', '/notifications', aNotification(account, { channel: 'email' }));
});

const reads = [
  '/graphics?order=id',
  '/notifications?order=id',
  '/quotes?internal_notes=like.margin*&select=id,internal_notes',
  '/quotes?deleted_at=not.is.null&select=id,deleted_at',
  '/openapi.json',
];

const writes: [method: string, path: string][] = [
  ['POST', '/graphics'],
  ['PATCH', '/notifications?id=eq.1'],
  ['PUT', '/quotes?id=eq.1'],
  ['DELETE', '/quotes?id=eq.1'],
  ['POST', '/rpc/next_quote_number'],
  ['POST', '/rpc/redeliver'],
];

describe('a read key', () => {
  it.each(reads)('gets the response that the secret key gets: %s', async path => {
    const seen = async (caller: Caller) => {
      const { status, headers, body, text } = await caller.get(path, { prefer: 'count=exact' });
      return [status, headers.get('content-range'), path.startsWith('/quotes') ? body : text === '[]'];
    };
    expect(await seen(reader())).toEqual(await seen(staff));
  });

  it.each(writes)('writes nothing, with the token of a user neither: %s %s', async (method, path) => {
    const tokens = [null, await service.token({ account }), await service.token({ account, staff: true })];
    for (const token of tokens) {
      const reply = await callerOf(service, keys.new, token).send(method, path, { dismissed: true });
      const hint = expect.stringContaining('secret key');
      expect(reply).toMatchObject({ status: 403, body: { code: '42501', hint } });
    }
  });

  it('reads as the user whose token comes with it', async () => {
    const customer = callerOf(service, keys.new, await service.token({ account: randomUUID() }));
    expect((await customer.get('/quotes')).body).toEqual([]);
    expect((await customer.get('/quotes?select=internal_notes')).status).toBe(403);
  });

  it('is accepted in an earlier form too', async () => {
    const { status, body } = await callerOf(service, keys.old).get('/quotes?select=internal_notes');
    expect([status, body]).toEqual([200, [{ internal_notes: 'margin 30%' }]]);
  });

  it('is refused in browsers', async () => {
    for (const method of ['GET', 'POST']) {
      const reply = await reader().send(method, '/graphics', undefined, { 'sec-fetch-site': 'cross-site' });
      expect(reply).toMatchObject({ status: 401, body: { code: 'PT401' } });
    }
  });

  it('is named in the log as the caller, and its value is not there', async () => {
    await reader().get('/quotes', { 'x-request-id': 'read-key' });
    const line = () => service.logs.find(line => line.includes('read-key'));
    await expect.poll(line).toContain('"caller":"reader"');
    expect(service.logs.join()).not.toContain(keys.new);
  });
});

const { open } = useLive(service);

it('live updates are refused to a read key, in a sentence', async () => {
  const response = await service.fetch(`/realtime/v1/websocket?apikey=${keys.new}`);
  const refusal = { code: '42501', message: 'A read key cannot receive live updates' };
  expect([response.status, await response.json()]).toMatchObject([403, refusal]);
  const wire = await open();
  const { response: refused } = await wire.join('x', [all], keys.new);
  expect(refused.reason).toMatch(/^42501: A read key cannot receive live updates/);
});

it('the role builder_reader calls no function that writes, and takes no number of a sequence', async () => {
  const { sql } = service;
  const writable = await sql`
    select seqrelid::regclass::text as name from pg_sequence join pg_class on oid = seqrelid
    where relnamespace = 'builder'::regnamespace
      and has_sequence_privilege('builder_reader', seqrelid, 'usage, update')
    union all
    select oid::regprocedure::text from pg_proc
    where pronamespace = 'builder'::regnamespace and provolatile = 'v'
      and has_function_privilege('builder_reader', oid, 'execute')
      and proname not in ('expect_number', 'refuse_response', 'planned_rows', 'mark_cut')`;
  expect(writable.map(({ name }) => name)).toEqual([]);
});
