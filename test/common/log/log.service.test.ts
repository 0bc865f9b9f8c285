/** A request can be followed from its headers to the log and into the database. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { aGraphic, aQuote } from '../../setup/rows.ts';
import { startService, useService } from '../../setup/service.ts';
import { signIn, useCallers } from '../../setup/wire.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;

const service = useService();
const { anon, staff } = useCallers(service);
beforeAll(async () => {
  await staff.send('POST', '/graphics', aGraphic());
});

/** The message of a request that is executing: it waits for a lock, which the test holds. */
async function messageOf(send: () => Promise<{ status: number }>): Promise<string> {
  let found = '';
  let running: Promise<{ status: number }> | undefined;
  await service.sql.begin(async transaction => {
    await transaction`lock table builder.graphics in access exclusive mode`;
    running = send();
    const look = async () => {
      const [row] = await service.sql<{ query: string }[]>`
        select query from pg_stat_activity
        where datname = current_database() and usename = 'builder_api' and wait_event_type = 'Lock'`;
      found = row?.query ?? '';
      return found;
    };
    await expect.poll(look).not.toBe('');
  });
  expect((await running)?.status).toBe(200);
  return found;
}

const headed = (headers: Record<string, string>) =>
  messageOf(() => staff.get('/graphics?select=code', headers));
const firstLine = (message: string): string => message.split('\n')[0] ?? '';

describe('a message in pg_stat_activity', () => {
  it('names its request id and its trace', async () => {
    const id = `page.${randomUUID()}`;
    expect(firstLine(await headed({ 'x-request-id': id, traceparent }))).toBe(
      `/* request_id=${id} traceparent=${traceparent} */`,
    );
  });

  it.each(["*/ drop'; --", 'x'.repeat(129)])('has a generated id in place of %s', async id => {
    const message = await headed({ 'x-request-id': id, traceparent: id });
    expect(firstLine(message)).toMatch(/^\/\* request_id=[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12} \*\/$/);
    expect(message).not.toContain(id);
  });
});

const lastSweep = () => service.logs.filter(line => line.includes('"event":"sweep"')).at(-1);

it('the log line of a sweep gives the reason of a failure, for example when a function was revoked to pause it', async () => {
  await service.sql`revoke execute on function builder.expire_quotes(integer, uuid[]) from builder_sweeper`;
  await service.sweep();
  await expect.poll(lastSweep).toMatch(/"expired":0,.*"code":"42501"/);
  await service.sql`grant execute on function builder.expire_quotes(integer, uuid[]) to builder_sweeper`;
  await service.sweep();
  await expect.poll(lastSweep).not.toContain('code');
});

const lineOf = async (id: string): Promise<string> => {
  const find = () => service.logs.find(line => line.includes(id));
  await expect.poll(find).toBeDefined();
  return find() ?? '';
};

describe('the log line', () => {
  it("has the trace and the caller's span", async () => {
    const id = randomUUID();
    await staff.get('/graphics', { 'x-request-id': id, traceparent });
    const line = await lineOf(id);
    expect(line).toContain(`"trace_id":"${traceId}"`);
    expect(line).toContain('"parent_id":"00f067aa0ba902b7"');
  });

  it.each(['', '1'])('is a line of JSON where LOCAL is "%s", also of concurrent requests', async LOCAL => {
    const worker = await startService({ bindings: { LOCAL } });
    const ids = Array.from({ length: 20 }, () => randomUUID());
    await Promise.all(ids.map(id => worker.fetch('/rest/v1/none', { headers: { 'x-request-id': id } })));
    const logged = () =>
      worker.logs.filter(line => line.includes('"event":"request"')).map(line => JSON.parse(line));
    const loggedIds = () =>
      logged()
        .map(({ request_id }) => request_id)
        .toSorted();
    await expect.poll(loggedIds).toEqual(ids.toSorted());
    expect(logged()[0]).toMatchObject({ method: 'GET', path: '/rest/v1/none', status: 404 });
    await worker.stop();
  });

  it('of a failure names the account of the caller who is signed in, and no other line does', async () => {
    const account = randomUUID();
    const customer = await signIn(service, { account });
    const ids = { refused: randomUUID(), done: randomUUID(), anonymous: randomUUID() };
    await customer.send('POST', '/graphics', aGraphic(), { 'x-request-id': ids.refused });
    await customer.get('/graphics', { 'x-request-id': ids.done });
    await anon.get('/quotes', { 'x-request-id': ids.anonymous });
    expect(JSON.parse(await lineOf(ids.refused))).toMatchObject({ status: 403, caller: 'customer', account });
    for (const id of [ids.done, ids.anonymous]) {
      expect(JSON.parse(await lineOf(id))).not.toHaveProperty('account');
    }
  });
});

/** The log line of a GET. */
async function lineOfGet(path: string, headers: Record<string, string> = {}): Promise<string> {
  const id = randomUUID();
  await (await service.fetch(path, { headers: { 'x-request-id': id, ...headers } })).text();
  return lineOf(id);
}

it('logs an unknown path without its query, and only the beginning of a long one', async () => {
  const line = await lineOfGet('/rest/v1/orders?name=eq.Planted%20Value');
  expect(line).toMatch(/"path":"\/rest\/v1\/orders".*"status":404/);
  expect(await lineOfGet('/rest/v1/ana@lions.test')).toMatch(/"path":"\/rest\/v1\/…"/);
  expect(await lineOfGet(`/wp-admin/${'x'.repeat(5000)}`)).toMatch(/"path":"\/wp-admin\/x{90}"/);
});

it('logs no token of a link that stops e-mail, however it is written', async () => {
  const token = `${randomUUID()}.${'A'.repeat(43)}`;
  const links = [`/unsubscribe/${token}/`, `/unsubscribe/${token}/more`, `//unsubscribe/${token}`];
  for (const path of [...links, `/rest/v1/${token.replace('.', '%2E')}`]) {
    const line = await lineOfGet(path);
    expect(line).toContain('"status":404');
    expect(line).not.toContain('A'.repeat(43));
  }
});

it('logs a health check that fails, with its reason, and no other', async () => {
  const { fetch, logs, stop } = await startService({ databasePort: 1 });
  expect((await fetch('/health')).status).toBe(503);
  await expect.poll(() => logs.join()).toMatch(/"path":"\/health","status":503,.*"reason":"[^"]+"/);
  await stop();
  await service.fetch('/health');
  await lineOfGet('/rest/v1/orders');
  expect(service.logs.join()).not.toContain('"/health"');
});

describe('the log line of a refused request', () => {
  const id = 'c0000000-0000-4000-8000-00000000000a';
  const planted = 'Planted';

  it.each<[method: string, path: string, body: object | undefined, logged: object]>([
    ['GET', `/quotes?created_at=eq.${planted}`, undefined, { reason: 'invalid value: created_at' }],
    ['GET', `/quotes?unit_price=eq.${planted}`, undefined, { reason: 'invalid value: unit_price' }],
    [
      'GET',
      `/quotes?contact_email=eqq.${planted}`,
      undefined,
      { reason: expect.stringMatching(/^unparsable filter at character \d+ of contact_email$/) },
    ],
    [
      'GET',
      `/quotes?select=id,${planted}!()`,
      undefined,
      { reason: expect.stringMatching(/^unparsable select at character \d+ of select$/) },
    ],
    [
      'GET',
      `/quotes?total_prize=eq.1`,
      undefined,
      { reason: 'unknown column of quotes, perhaps total_price' },
    ],
    [
      'GET',
      `/quotes?${planted}@lions.example=eq.1`,
      undefined,
      { reason: expect.stringMatching(/^unknown column of quotes$|^unparsable name at /) },
    ],
    [
      'GET',
      '/quotes?select=id,orders(id)',
      undefined,
      { reason: expect.stringMatching(/^unknown relation of quotes/) },
    ],
    ['PATCH', `/quotes?id=eq.${id}`, { status: planted }, { reason: 'invalid fields: status', row_id: id }],
    [
      'PATCH',
      `/quotes?id=eq.${id}`,
      { size_breakdown: { [planted]: planted } },
      { reason: 'invalid fields: size_breakdown.…', row_id: id },
    ],
    ['POST', '/quotes', { ...aQuote(id), total_price: planted }, { reason: 'invalid fields: total_price' }],
    [
      'PATCH',
      `/quotes?id=in.(${id})`,
      { nothing: planted },
      { reason: 'unknown column of quotes in the body' },
    ],
    ['POST', '/quotes?columns=id', undefined, { reason: 'invalid body' }],
  ])('of %s %s says what was wrong, and no value', async (method, path, body, logged) => {
    const requestId = randomUUID();
    const headers = { 'x-request-id': requestId, accept: 'application/vnd.pgrst.object+json' };
    const { status } = await (method === 'GET'
      ? staff.get(path, headers)
      : staff.send(method, path, body, headers));
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    const line = await lineOf(requestId);
    expect(JSON.parse(line)).toMatchObject({ reason: expect.any(String), ...logged });
    expect(line).not.toContain(planted);
  });

  it('names the rule of a quote’s life, the kind of key that is taken, and the row', async () => {
    const account = randomUUID();
    const customer = await signIn(service, { account });
    const { body: created } = await customer.send(
      'POST',
      '/quotes',
      aQuote(account, { status: 'submitted' }),
      {
        prefer: 'return=representation',
      },
    );
    const [quote] = created as unknown as { id: string; quote_number: string }[];
    const refusedBy = async (send: (headers: Record<string, string>) => Promise<unknown>) => {
      const requestId = randomUUID();
      await send({ 'x-request-id': requestId });
      const { code, reason, row_id } = JSON.parse(await lineOf(requestId));
      return [code, reason, row_id];
    };
    expect(
      await refusedBy(headers =>
        customer.send('PATCH', `/quotes?id=eq.${quote?.id}`, { status: 'approved' }, headers),
      ),
    ).toEqual(['PT409', 'rule 1, moves', quote?.id]);
    expect(
      await refusedBy(headers =>
        customer.send('PATCH', `/quotes?id=eq.${quote?.id}`, { sport: 'golf' }, headers),
      ),
    ).toEqual(['42501', 'cannot change: sport', quote?.id]);
    expect(
      await refusedBy(headers =>
        staff.send('POST', '/quotes', { ...aQuote(account), id: quote?.id }, headers),
      ),
    ).toEqual(['23505', 'taken key: quotes_pkey', undefined]);
  });
});

it('logs why credentials are refused, without them', async () => {
  const expired = await service.token({ account: randomUUID(), claims: { exp: 1 } });
  const { publishableKey } = service;
  for (const [apikey, token, logged] of [
    [publishableKey, expired, '"code":"PGRST303","reason":"JWT expired"'],
    ['sb_secret_unknown', undefined, '"reason":"The apikey is not a key of this service"'],
    [publishableKey, 'eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl', 'signature has 12 of 43 characters"'],
  ] as const) {
    const authorization = token && { authorization: `Bearer ${token}` };
    const line = await lineOfGet('/rest/v1/quotes', { apikey, ...authorization });
    expect(line).toContain(logged);
    expect(line).not.toContain(token ?? apikey);
  }
});
