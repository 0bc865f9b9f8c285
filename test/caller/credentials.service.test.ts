/** API keys and access tokens, as a worker in workerd accepts them. What it refuses is in test/token and claims.service.test.ts. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { aQuote } from '../setup/rows.ts';
import { startService, useService } from '../setup/service.ts';
import { callerOf, useCallers } from '../setup/wire.ts';

const account = randomUUID();
const service = useService();
const { staff } = useCallers(service);
beforeAll(async () => {
  await staff.send('POST', '/quotes', aQuote(account));
});

const readQuotes = (token: string) =>
  callerOf(service, service.publishableKey, token).get('/quotes?select=account_id');
const keyOf = (role: string): Promise<string> => service.token({ account, claims: { role } });

describe('a token', () => {
  it('signed with the shared secret is accepted, the second time too', async () => {
    const token = await service.token({ account });
    for (let time = 0; time < 2; time++) {
      expect(await readQuotes(token)).toMatchObject({ status: 200, body: [{ account_id: account }] });
    }
  });

  it.each(['admin', 'sales'])('with app_metadata.role %s is staff', async role => {
    const token = await service.token({ account: randomUUID(), claims: { app_metadata: { role } } });
    expect(await readQuotes(token)).toMatchObject({ status: 200, body: [{ account_id: account }] });
  });
});

describe('a key in apikey alone', () => {
  const alone = (key: string) => callerOf(service, key, null);

  it('has the rights of its role: the publishable key', async () => {
    const { publishableKey } = service;
    expect((await alone(publishableKey).get('/graphics')).status).toBe(200);
    expect((await alone(publishableKey).get('/')).status).toBe(200);
    expect((await alone(publishableKey).get('/quotes')).body).toMatchObject({ code: '42501' });
    const numbered = await alone(publishableKey).send('POST', '/rpc/next_quote_number');
    expect([numbered.status, numbered.body.code]).toEqual([401, '42501']);
  });

  it('has the rights of its role: the secret key', async () => {
    const { get, send } = alone(service.secretKey);
    expect((await get('/quotes?select=account_id')).body).toContainEqual({ account_id: account });
    expect((await send('POST', '/rpc/next_quote_number')).status).toBe(200);
  });

  it('has the rights of its role: a token of role anon or service_role', async () => {
    const [anon, serviceRole] = [await keyOf('anon'), await keyOf('service_role')];
    expect((await alone(anon).get('/graphics')).status).toBe(200);
    expect((await alone(anon).get('/quotes')).status).toBe(401);
    expect((await alone(serviceRole).get('/quotes')).status).toBe(200);
  });

  it('counts where Authorization is empty, which workerd takes for none', async () => {
    const reply = await alone(service.publishableKey).get('/quotes', { authorization: '' });
    expect([reply.status, reply.body.code]).toEqual([401, '42501']);
  });

  it.each([
    'Bearer',
    'Bearer ',
    'Bearer undefined',
    'Bearer a.b.c',
    'Basic dXNlcjpwYXNz',
    'Bearer a b',
  ])('does not count when Authorization is there and is none: %j', async authorization => {
    for (const key of [service.publishableKey, service.secretKey]) {
      const { status, body, headers } = await alone(key).get('/graphics', { authorization });
      expect([status, body.code]).toEqual([401, 'PGRST301']);
      expect(headers.get('www-authenticate')).toMatch(/^Bearer error="invalid_token"/);
    }
  });
});

describe('a request', () => {
  it.each([
    {},
    { apikey: '' },
    { authorization: 'Bearer x' },
  ])('without an apikey is a 401 that says what is missing: %j', async headers => {
    const response = await service.fetch('/rest/v1/graphics', { headers: { ...headers } });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(await response.json()).toMatchObject({
      code: 'PGRST302',
      message: 'The request has no apikey header',
      hint: expect.stringContaining('apikey: <key>'),
    });
  });

  it('for /health needs neither key nor token', async () => {
    const response = await service.fetch('/health');
    expect([response.status, await response.json()]).toEqual([
      200,
      expect.objectContaining({ status: 'ok', live: 'idle', delivery: 'off' }),
    ]);
  });
});

describe('without its database', () => {
  it('every request is a 503 with Retry-After, /health too', async () => {
    const away = await startService({ databasePort: 1 });
    const { status, body, headers } = await callerOf(away, away.publishableKey).get('/graphics');
    expect(status).toBe(503);
    expect(body).toMatchObject({ code: 'PGRST001', message: 'The database cannot be reached at the moment' });
    expect(headers.get('retry-after')).toBe('1');
    expect((await away.fetch('/health')).status).toBe(503);
    await away.stop();
  });
});
