/** The responses stored for Idempotency-Keys: their size, their number, and who may get them. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { aQuote } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { representation, signIn } from '../setup/wire.ts';

const service = useService();

const withKey = (key: string) => ({ 'idempotency-key': key, ...representation });
async function storedFor(key: string) {
  const [stored] = await service.sql`
    select has_body, octet_length(answer::text) as bytes from builder.idempotency_keys where key = ${key}`;
  return stored;
}

it('a response that is too large to store is sent in full the first time, and then as its status and the key of the written row', async () => {
  const account = randomUUID();
  const caller = await signIn(service, { account });
  const key = randomUUID();
  const row = aQuote(account, { customization: { text: 'x'.repeat(100_000) } });
  const first = await caller.send('POST', '/quotes', row, withKey(key));
  expect([first.status, first.body[0].customization]).toEqual([201, row.customization]);
  const again = await caller.send('POST', '/quotes', row, withKey(key));
  expect([again.status, again.text]).toEqual([201, '']);
  expect(again.headers.get('location')).toBe(`/quotes?id=eq.${first.body[0].id}`);
  expect(again.headers.get('preference-applied')).toBe('return=headers-only');
  expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
  expect((await storedFor(key))?.['bytes']).toBeLessThan(1000);
  expect((await caller.get('/quotes?select=id')).body).toHaveLength(1);
});

describe('the stored responses of one caller', () => {
  it('have bodies for the newest 64 keys only', async () => {
    const account = randomUUID();
    const caller = await signIn(service, { account });
    const row = aQuote(account);
    const old = randomUUID();
    const first = await caller.send('POST', '/quotes', row, withKey(old));
    await service.sql`
      insert into builder.idempotency_keys (caller, key, fingerprint, answer, has_body, created_at)
      select caller, 'later ' || n, 'f', answer, true, now() + n * interval '1 ms'
      from builder.idempotency_keys, generate_series(1, 63) n where key = ${old}`;
    expect((await storedFor(old))?.['has_body']).toBe(true);
    await caller.send('POST', '/quotes', row, withKey(randomUUID()));
    expect((await storedFor(old))?.['has_body']).toBe(false);
    const again = await caller.send('POST', '/quotes', row, withKey(old));
    expect([again.status, again.text]).toEqual([201, '']);
    expect(again.headers.get('location')).toBe(`/quotes?id=eq.${first.body[0].id}`);
  });

  it('are at most 10,000 a day', async () => {
    const account = randomUUID();
    const caller = await signIn(service, { account });
    const row = aQuote(account);
    const key = randomUUID();
    await caller.send('POST', '/quotes', row, withKey(key));
    await service.sql`
      insert into builder.idempotency_keys (caller, key, fingerprint)
      select caller, 'used ' || n, 'f' from builder.idempotency_keys, generate_series(1, 9999) n where key = ${key}`;
    const refused = await caller.send('POST', '/quotes', row, withKey(randomUUID()));
    expect([refused.status, refused.body.code]).toEqual([429, 'PT429']);
    expect(refused.body.message).toContain('10000 Idempotency-Keys');
    expect((await caller.send('POST', '/quotes', row, withKey(key))).status).toBe(201);
    expect((await caller.send('POST', '/quotes', row)).status).toBe(201);
    expect((await caller.get('/quotes?select=id')).body).toHaveLength(2);
  });
});

it('a caller that has left an account gets no rows of it by repeating an old request', async () => {
  const [sub, team] = [randomUUID(), randomUUID()];
  const row = aQuote(team, { company: 'Lions' });
  const key = randomUUID();
  const member = await signIn(service, { account: sub, also: [team] });
  expect((await member.send('POST', '/quotes', row, withKey(key))).status).toBe(201);
  const former = await signIn(service, { account: sub });
  const refused = await former.send('POST', '/quotes', row, withKey(key));
  expect([refused.status, refused.body.code]).toEqual([403, '42501']);
  expect(refused.text).not.toContain('Lions');
  expect((await member.send('POST', '/quotes', row, withKey(key))).body).toMatchObject([
    { company: 'Lions' },
  ]);
});
