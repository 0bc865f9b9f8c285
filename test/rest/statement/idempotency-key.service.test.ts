/**
 * Idempotency-Key: a repeated POST writes once and gets the first response. A key is valid for one caller, one request, one day.
 * The responses that are stored for keys are bounded.
 */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { untilBlocked } from '../../setup/locks.ts';
import { aGraphic, aQuote } from '../../setup/rows.ts';
import { useService } from '../../setup/service.ts';
import { type Reply, representation, signIn, useCallers } from '../../setup/wire.ts';

const account = randomUUID();
const service = useService();
const { staff, customer } = useCallers(service, account);

const withKey = (key: string, more: object = {}) => ({ 'idempotency-key': key, ...more });
const text = '"\\ \\u0000 ñ 🦤\n';
/** Returns a quote with a unique company. */
const newQuote = () => ({ ...aQuote(account, { customization: { text } }), company: randomUUID() });
const countOf = async ({ company }: { company: string }): Promise<number> =>
  (await staff.get(`/quotes?select=id&company=eq.${company}`)).body.length;

const perRequest = ['x-request-id', 'server-timing', 'date'];
/** The parts of a response that don't differ between retries. */
const responseOf = ({ status, headers, text }: Reply) => ({
  status,
  text,
  headers: [...headers].filter(([name]) => !perRequest.includes(name)),
});

describe('a POST that is repeated with its key', () => {
  it.each([
    'return=headers-only, count=exact',
    'return=representation, resolution=merge-duplicates, timezone=Asia/Tokyo',
  ])('gets the first response, and writes once: %s', async prefer => {
    const row = newQuote();
    const send = () =>
      customer.send('POST', '/quotes', row, withKey(`again ${prefer}`.replace(/ /g, '-'), { prefer }));
    const first = await send();
    expect(first.status).toBe(201);
    const again = [await send(), await send()];
    expect(first.headers.get('etag')).toMatch(/^"\d+-/);
    expect(again.map(responseOf)).toEqual([responseOf(first), responseOf(first)]);
    expect(await countOf(row)).toBe(1);
  });

  it('gets the first response even if the row has changed since, is deleted, or the token is new', async () => {
    const row = newQuote();
    const headers = withKey(randomUUID(), representation);
    const first = await customer.send('POST', '/quotes', row, headers);
    const path = `/quotes?id=eq.${first.body[0].id}`;
    await customer.send('PATCH', path, { sport: 'golf' });
    expect(responseOf(await customer.send('POST', '/quotes', row, headers))).toEqual(responseOf(first));
    await customer.send('DELETE', path);
    const later = await signIn(service, { account, claims: { email: 'later@club.test' } });
    const retry = { ...headers, 'x-retry-count': '2' };
    expect(responseOf(await later.send('POST', '/quotes', row, retry))).toEqual(responseOf(first));
    expect(await countOf(row)).toBe(0);
  });

  it('twenty times at once writes one row, and has one response', async () => {
    const row = newQuote();
    const headers = withKey(randomUUID(), representation);
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => customer.send('POST', '/quotes', row, headers)),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(201));
    expect(new Set(replies.map(reply => JSON.stringify(responseOf(reply)))).size).toBe(1);
    expect(await countOf(row)).toBe(1);
  });
});

it.each<[string, path: string, values: object, headers: object]>([
  ['body', '/quotes', { sport: 'golf' }, {}],
  ['query', '/quotes?select=id', {}, {}],
  ['Prefer', '/quotes', {}, representation],
  ['Accept', '/quotes', {}, { accept: 'text/csv' }],
  ['Content-Type', '/quotes', {}, { 'content-type': 'application/vnd.pgrst.array+json' }],
  ['Content-Profile', '/quotes', {}, { 'content-profile': 'public' }],
  ['collection', '/graphics', aGraphic(), {}],
])('a key that was used with another %s is refused, and nothing is written', async (what, path, values, headers) => {
  const row = newQuote();
  const key = randomUUID();
  expect((await staff.send('POST', '/quotes', row, withKey(key))).status).toBe(201);
  const body = what === 'collection' ? values : { ...row, ...values };
  const reply = await staff.send('POST', path, body, withKey(key, headers));
  expect([reply.status, reply.body.code]).toEqual([422, 'PT422']);
  expect(await countOf(row)).toBe(1);
});

describe('an Idempotency-Key', () => {
  it('belongs to its caller: other callers may use the same key and get nothing of the first response', async () => {
    const key = randomUUID();
    const row = newQuote();
    const other = await signIn(service, { account: randomUUID(), also: [account] });
    const asStaff = await signIn(service, { account, staff: true });
    const callers = [customer, other, asStaff, staff];
    const replies: Reply[] = [];
    for (const caller of callers) {
      replies.push(await caller.send('POST', '/quotes?select=id', row, withKey(key, representation)));
    }
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(new Set(replies.map(({ text }) => text)).size).toBe(4);
    expect(await countOf(row)).toBe(4);
  });

  it('can be used again after a failure', async () => {
    const key = randomUUID();
    const row = newQuote();
    const foreign = { ...row, account_id: randomUUID() };
    expect((await customer.send('POST', '/quotes', foreign, withKey(key))).status).toBe(403);
    expect((await customer.send('POST', '/quotes', { ...row, sport: null }, withKey(key))).status).toBe(400);
    expect((await customer.send('POST', '/quotes', row, withKey(key))).status).toBe(201);
    expect(await countOf(row)).toBe(1);
  });

  it('can be used by a waiting request when the first one fails', async () => {
    const key = randomUUID();
    const graphic = aGraphic();
    let waiting: Promise<Reply>[] = [];
    const undone = service.sql.begin(async first => {
      await first`insert into builder.graphics ${first({ ...graphic })}`;
      waiting = [1, 2].map(() => staff.send('POST', '/graphics', graphic, withKey(key)));
      await untilBlocked(service, 2);
      throw new Error('given up');
    });
    await expect(undone).rejects.toThrow('given up');
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([201, 201]);
    const found = await staff.get(`/graphics?select=id&code=eq.${graphic.code}`);
    expect(found.body).toHaveLength(1);
  });

  it.each([
    '',
    'with space',
    'x'.repeat(256),
    'ñ',
    '{{$guid}}',
  ])('is refused when it is invalid, or a variable that is not filled in: %s', async key => {
    const { status, body } = await customer.send('POST', '/quotes', newQuote(), withKey(key));
    expect([status, body.code]).toEqual([400, 'PT400']);
  });

  it('is ignored on other methods, and by the plan of a POST', async () => {
    const headers = withKey('~'.repeat(255), representation);
    const made = await customer.send('POST', '/quotes', newQuote(), headers);
    const path = `/quotes?id=eq.${made.body[0].id}`;
    expect((await customer.send('PATCH', path, { sport: 'golf' }, headers)).status).toBe(200);
    const explained = withKey(randomUUID(), { accept: 'application/vnd.pgrst.plan+json' });
    expect((await staff.send('POST', '/quotes', newQuote(), explained)).text).toContain('ModifyTable');
  });
});

async function storedFor(key: string) {
  const [stored] = await service.sql`
    select has_body, octet_length(response::text) as bytes from builder.idempotency_keys where key = ${key}`;
  return stored;
}

it('a response that is too large to store is sent in full the first time, and then as its status and the key of the written row', async () => {
  const account = randomUUID();
  const caller = await signIn(service, { account });
  const key = randomUUID();
  const row = aQuote(account, { customization: { text: 'x'.repeat(100_000) } });
  const first = await caller.send('POST', '/quotes', row, withKey(key, representation));
  expect([first.status, first.body[0].customization]).toEqual([201, row.customization]);
  const again = await caller.send('POST', '/quotes', row, withKey(key, representation));
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
    const first = await caller.send('POST', '/quotes', row, withKey(old, representation));
    await service.sql`
      insert into builder.idempotency_keys (caller, key, fingerprint, response, has_body, created_at)
      select caller, 'later ' || n, 'f', response, true, now() + n * interval '1 ms'
      from builder.idempotency_keys, generate_series(1, 63) n where key = ${old}`;
    expect((await storedFor(old))?.['has_body']).toBe(true);
    await caller.send('POST', '/quotes', row, withKey(randomUUID(), representation));
    expect((await storedFor(old))?.['has_body']).toBe(false);
    const again = await caller.send('POST', '/quotes', row, withKey(old, representation));
    expect([again.status, again.text]).toEqual([201, '']);
    expect(again.headers.get('location')).toBe(`/quotes?id=eq.${first.body[0].id}`);
  });

  it('are at most 10,000 a day', async () => {
    const account = randomUUID();
    const caller = await signIn(service, { account });
    const row = aQuote(account);
    const key = randomUUID();
    await caller.send('POST', '/quotes', row, withKey(key, representation));
    await service.sql`
      insert into builder.idempotency_keys (caller, key, fingerprint)
      select caller, 'used ' || n, 'f' from builder.idempotency_keys, generate_series(1, 9999) n where key = ${key}`;
    const refused = await caller.send('POST', '/quotes', row, withKey(randomUUID(), representation));
    expect([refused.status, refused.body.code]).toEqual([429, 'PT429']);
    expect(refused.body.message).toContain('10000 Idempotency-Keys');
    expect((await caller.send('POST', '/quotes', row, withKey(key, representation))).status).toBe(201);
    expect((await caller.send('POST', '/quotes', row)).status).toBe(201);
    expect((await caller.get('/quotes?select=id')).body).toHaveLength(2);
  });
});
