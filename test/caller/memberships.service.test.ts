/** Memberships in a table, by the function of sql/README.md as it is printed. */
import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useLive } from '../live/wire.ts';
import { blocksOf } from '../setup/readmes.ts';
import { aNotification, aQuote } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { type Caller, callerOf, representation } from '../setup/wire.ts';

// Its function is replaced, so no other file may have it.
const service = useService({ bindings: { MAX_ROWS: '100' } });
const live = useLive(service);

beforeAll(async () => {
  await service.sql`create table public.memberships (user_id uuid not null, account_id uuid not null)`;
  const printed = blocksOf('sql', 'sql/README.md').filter(({ text }) => text.includes('account_ids()'));
  expect(printed).toHaveLength(1);
  await service.sql.unsafe(printed[0]?.text ?? '');
});

let user: string;
let team: string;
let caller: Caller;
beforeEach(() => {
  user = live.account;
  team = randomUUID();
  caller = callerOf(service, service.publishableKey, live.token);
});
const join = () => service.sql`insert into public.memberships values (${user}, ${team})`;
const leave = () => service.sql`delete from public.memberships where user_id = ${user}`;

describe('a user who is a member of no account', () => {
  it('uses the quotes of its own account', async () => {
    const made = await caller.send('POST', '/quotes', aQuote(user), representation);
    expect(made).toMatchObject({ status: 201, body: [{ account_id: user }] });
    const path = `/quotes?id=eq.${made.body[0].id}`;
    expect(await caller.send('PATCH', path, { sport: 'golf' }, representation)).toMatchObject({
      status: 200,
    });
    const [read, listed] = [await caller.get(path), await caller.get('/quotes?order=created_at.desc')];
    expect([read.body.length, listed.body.length]).toEqual([1, 1]);
    const copied = await caller.send('POST', '/rpc/duplicate_quote', { id: made.body[0].id });
    expect(copied).toMatchObject({ status: 200, body: { account_id: user } });
    expect(await caller.send('DELETE', path)).toMatchObject({ status: 204 });
    const foreign = await caller.send('POST', '/quotes', aQuote(randomUUID()));
    expect(foreign).toMatchObject({ status: 403 });
  });
});

it('a user who is removed from all accounts gets nothing of them, by an old Idempotency-Key neither', async () => {
  await join();
  const headers = { 'idempotency-key': randomUUID(), ...representation };
  const row = aQuote(team, { company: 'Secret Lions' });
  const first = await caller.send('POST', '/quotes', row, headers);
  expect(first).toMatchObject({ status: 201 });
  const { body, headers: sent } = await caller.get(`/quotes?account_id=eq.${team}`);
  const etag = sent.get('etag') ?? '"none"';
  const [{ id }] = body;
  await service.sql`update builder.quotes set status = 'submitted' where id = ${id}`;
  await leave();
  const again = await caller.send('POST', '/quotes', row, headers);
  expect(again).toMatchObject({ status: 403, body: { message: expect.stringContaining('no longer in') } });
  const replies = [
    again,
    await caller.get(`/quotes?id=eq.${id}`, { 'if-none-match': etag }),
    await caller.get('/quotes?order=created_at'),
    await caller.get('/quote_events'),
    await caller.send('PATCH', `/quotes?id=eq.${id}`, { sport: 'golf' }, representation),
    await caller.send('DELETE', `/quotes?id=eq.${id}`, undefined, representation),
    await caller.send(
      'POST',
      '/quotes?on_conflict=id',
      { ...row, id },
      { prefer: 'resolution=merge-duplicates' },
    ),
    await caller.send('POST', '/rpc/duplicate_quote', { id }),
  ];
  expect(replies.map(({ status }) => status)).toEqual([403, 200, 200, 200, 200, 200, 403, 404]);
  expect(replies.map(({ text }) => text).join()).not.toMatch(/Secret Lions/);
  expect(again.headers.get('location')).toBeNull();
});

describe('a page of a user', () => {
  it('is sent changes of an account while its user is a member, and none afterwards', async () => {
    await join();
    const page = await live.listen();
    await live.insert({ body: 'of the team' }, team);
    await page.received(1);
    await leave();
    await live.insert({ body: 'of the team' }, team);
    await live.insert({ body: 'own' });
    await page.received(2);
    expect(page.bodies).toEqual(['of the team', 'own']);
  });
});

it('a token whose account_ids are null is of a user without teams, in requests and live updates', async () => {
  const token = await service.token({ account: user, claims: { app_metadata: { account_ids: null } } });
  const page = await live.listen({}, token);
  const { send } = callerOf(service, service.publishableKey, token);
  expect(await send('POST', '/quotes', aQuote(user))).toMatchObject({ status: 201 });
  await live.insert(aNotification(user, { body: 'own' }));
  await page.received(1);
  expect(page.bodies).toEqual(['own']);
});
