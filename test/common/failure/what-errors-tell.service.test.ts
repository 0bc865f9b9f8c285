/** Errors reveal nothing of rows that the caller can't read; the log reveals nothing of any row. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { aGraphic, aQuote } from '../../setup/rows.ts';
import { startService, useService } from '../../setup/service.ts';
import { type Caller, callerOf, useCallers } from '../../setup/wire.ts';

const account = randomUUID();
const stranger = randomUUID();
const secret = 'planted-7c1d';

const service = useService();
/** The customer's own quote, and a stranger's quote and deleted quote. */
const [own, other, foreign, deleted] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
const { staff, customer } = useCallers(service, account);
beforeAll(async () => {
  const hidden = { sport: secret, internal_notes: secret };
  for (const quote of [
    aQuote(account, { id: own, internal_notes: secret }),
    aQuote(account, { id: other, internal_notes: secret, status: 'submitted' }),
    aQuote(stranger, { id: foreign, ...hidden }),
    aQuote(stranger, { id: deleted, ...hidden }),
  ]) {
    expect((await staff.send('POST', '/quotes', quote)).status).toBe(201);
  }
  await staff.send('DELETE', `/quotes?id=eq.${deleted}`);
  await staff.send('POST', '/graphics', aGraphic({ code: 'TAKEN', name: secret, is_active: false }));
});

/** jsonb writes out all digits of a number that is short in the request. */
const tooLong = { customization: { sizes: Array(11_000).fill(1e99) } };

const patch = (body: unknown) => () => customer.send('PATCH', `/quotes?id=eq.${own}`, body);
it.each<[what: string, code: string, send: () => ReturnType<Caller['send']>]>([
  ['a check, of a change of an own quote', '23514', patch(tooLong)],
  ['a key of an own row', '23505', () => customer.send('POST', '/quotes', aQuote(account, { id: other }))],
  ['a key of a stranger', '23505', () => customer.send('POST', '/quotes', aQuote(account, { id: foreign }))],
  ['a key, for staff', '23505', () => staff.send('POST', '/quotes', aQuote(account, { id: foreign }))],
  ['a code', '23505', () => staff.send('POST', '/graphics', aGraphic({ code: 'TAKEN' }))],
  ['row level security', '42501', patch({ account_id: stranger })],
  ['a null', '23502', patch({ sport: null })],
])('the error of a constraint contains no row: %s', async (_, code, send) => {
  const reply = await send();
  expect(reply.body).toMatchObject({ code });
  expect(reply.body.details ?? '').not.toMatch(/Failing row|already exists|\(/);
  expect(reply.text).not.toContain(secret);
  expect(reply.text).not.toContain(stranger);
});

it.each([
  ['a new row', '', 'POST', ''],
  ['an upsert', 'resolution=merge-duplicates', 'POST', ''],
  ['an upsert that ignores', 'resolution=ignore-duplicates, return=representation', 'POST', ''],
  ['a PUT', '', 'PUT', '?id=eq.'],
])('%s with the key of a stranger’s row gets the same error whether that row is deleted or not', async (_, prefer, method, filter) => {
  const send = (id: string) =>
    customer.send(method, `/quotes${filter && filter + id}`, aQuote(account, { id }), { prefer });
  const [live, gone] = await Promise.all([send(foreign), send(deleted)]);
  expect(live.text).not.toContain(secret);
  expect([gone.status, gone.text]).toEqual([live.status, live.text]);
});

describe('a value that cannot be cast is shown in the error', () => {
  it('to its owner', async () => {
    const { body } = await customer.get('/quotes?select=sport::int');
    expect(body).toMatchObject({ code: '22P02', message: expect.stringContaining('"baseball"') });
  });

  it.each([
    `/quotes?select=sport::int&id=eq.${foreign}`,
    `/quotes?select=sport::int&deleted_at=not.is.null`,
    '/graphics?select=name::int&code=eq.TAKEN',
  ])('to no other caller: %s', async path => {
    expect((await customer.get(path)).body).toEqual([]);
  });
});

const password = 'planted-password';
it.each([
  ['a wrong scheme', `http//x:${password}@127.0.0.1/x`],
  ['a wrong password', undefined],
])('the log and the response do not contain the address of the database: %s', async (_, address) => {
  const broken = Object.assign(new URL(service.database.apiUrl), { password });
  const alone = await startService({ worker: 'all', bindings: { DATABASE_URL: address ?? broken.href } });
  const stranger = callerOf(alone, alone.publishableKey);
  const reply = await stranger.get('/graphics');
  expect(reply.status).toBe(503);
  await expect.poll(() => alone.logs.join()).toContain('PGRST001');
  expect(reply.text + alone.logs.join()).not.toContain(password);
  await alone.stop();
});
