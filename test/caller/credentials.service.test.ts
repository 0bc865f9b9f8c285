/** API keys and access tokens, as a worker in workerd accepts them. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aQuote } from '../setup/rows.ts';
import { type Service, startService } from '../setup/service.ts';
import { callerOf } from '../setup/wire.ts';

const account = randomUUID();
const customerClaims = { role: 'authenticated', sub: account };
type Algorithm = 'ES256' | 'RS256' | 'EdDSA';
const algorithms: Algorithm[] = ['ES256', 'RS256', 'EdDSA'];

let service: Service;
let keyServer: Server;
const privateKeys = new Map<Algorithm, CryptoKey>();
beforeAll(async () => {
  const keys = await Promise.all(
    algorithms.map(async alg => {
      const { publicKey, privateKey } = await generateKeyPair(alg);
      privateKeys.set(alg, privateKey);
      return { ...(await exportJWK(publicKey)), alg, kid: alg };
    }),
  );
  keyServer = createServer((_, response) => response.end(JSON.stringify({ keys }))).listen(0, '127.0.0.1');
  await once(keyServer, 'listening');
  const { port } = keyServer.address() as AddressInfo;
  service = await startService({
    bindings: { JWKS_URL: `http://127.0.0.1:${port}/jwks.json`, JWT_AUDIENCE: 'authenticated' },
  });
  await callerOf(service, service.secretKey).send('POST', '/quotes', aQuote(account));
});
afterAll(async () => {
  await service.stop();
  keyServer.close();
});

const expiry = () => Math.floor(Date.now() / 1000) + 600;
const claims = (more: JWTPayload = {}): JWTPayload => ({
  ...customerClaims,
  aud: 'authenticated',
  exp: expiry(),
  ...more,
});
const signSymmetric = (payload: JWTPayload, secret = service.jwtSecret): Promise<string> =>
  new SignJWT(payload).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(secret));
const sign = (alg: Algorithm, payload: JWTPayload, kid: string = alg): Promise<string> =>
  new SignJWT(payload).setProtectedHeader({ alg, kid }).sign(privateKeys.get(alg) as CryptoKey);

const readQuotes = (token: string) =>
  callerOf(service, service.publishableKey, token).get('/quotes?select=account_id');

describe('a token', () => {
  it.each(algorithms)('signed with %s by a key of the key set is accepted', async alg => {
    const { status, body } = await readQuotes(await sign(alg, claims()));
    expect(status).toBe(200);
    expect(body).toEqual([{ account_id: account }]);
  });

  it('signed with the shared secret is accepted, the second time too', async () => {
    const token = await signSymmetric(claims());
    for (let time = 0; time < 2; time++) {
      expect(await readQuotes(token)).toMatchObject({ status: 200, body: [{ account_id: account }] });
    }
  });

  const refused: [what: string, token: () => Promise<string>, code: string][] = [
    ['signed with another secret', () => signSymmetric(claims(), 'x'.repeat(40)), 'PGRST301'],
    ['that has expired', () => signSymmetric(claims({ exp: expiry() - 700 })), 'PGRST303'],
    ['that is not valid yet', () => signSymmetric(claims({ nbf: expiry() })), 'PGRST303'],
    ['for another audience', () => signSymmetric(claims({ aud: 'others' })), 'PGRST303'],
    ['of role postgres', () => signSymmetric(claims({ role: 'postgres' })), 'PGRST303'],
    ['of role builder_staff', () => signSymmetric(claims({ role: 'builder_staff' })), 'PGRST303'],
    ['whose sub is no uuid', () => signSymmetric(claims({ sub: "' or true --" })), 'PGRST303'],
    [
      'with account ids that are none',
      () => signSymmetric(claims({ app_metadata: { account_ids: ['*'] } })),
      'PGRST303',
    ],
    ['of an unknown key', () => sign('ES256', claims(), 'nobody'), 'PGRST301'],
    [
      'without a signature',
      async () => `${(await signSymmetric(claims())).replace(/[^.]+$/, '')}`,
      'PGRST301',
    ],
    ['that is none', async () => 'not-a-token', 'PGRST301'],
    ['longer than a token is', () => signSymmetric(claims({ padding: 'x'.repeat(9000) })), 'PGRST301'],
  ];
  it.each(refused)('%s is refused', async (_, token, code) => {
    const { status, body, headers } = await readQuotes(await token());
    expect(status).toBe(401);
    expect(body).toMatchObject({ code, message: expect.any(String) });
    expect(headers.get('www-authenticate')).toMatch(/^Bearer/);
  });

  it('with a staff role in user_metadata makes a customer', async () => {
    const token = await signSymmetric(
      claims({ sub: randomUUID(), user_metadata: { role: 'admin', account_ids: [account] } }),
    );
    expect(await readQuotes(token)).toMatchObject({ status: 200, body: [] });
  });

  it.each(['admin', 'sales'])('with app_metadata.role %s is staff', async role => {
    const token = await signSymmetric(claims({ sub: randomUUID(), app_metadata: { role } }));
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
    const anon = await signSymmetric({ role: 'anon', aud: 'authenticated' });
    const serviceRole = await signSymmetric({ role: 'service_role', aud: 'authenticated' });
    expect((await alone(anon).get('/graphics')).status).toBe(200);
    expect((await alone(anon).get('/quotes')).status).toBe(401);
    expect((await alone(serviceRole).get('/quotes')).status).toBe(200);
  });

  it.each([
    ['a key of no one', async () => 'sb_publishable_wrong', /not a key of this service/],
    ['the token of a user', async () => signSymmetric(claims()), /not a key of this service/],
    ['a key that is cut short', async () => (await signSymmetric(claims())).slice(0, 40), /cut short/],
  ])('is refused when it is %s', async (_, key, message) => {
    const { status, body } = await alone(await key()).get('/graphics');
    expect([status, body.code, body.message]).toEqual([401, 'PGRST301', expect.stringMatching(message)]);
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

  it('with a wrong key is refused, even with a valid token', async () => {
    const { status, body } = await callerOf(
      service,
      'sb_publishable_wrong',
      await signSymmetric(claims()),
    ).get('/graphics');
    expect(status).toBe(401);
    expect(body.code).toBe('PGRST301');
  });

  it('may have a key that is a token of role anon or service_role', async () => {
    const anon = await signSymmetric({ role: 'anon', aud: 'authenticated' });
    const serviceRole = await signSymmetric({ role: 'service_role', aud: 'authenticated' });
    expect((await callerOf(service, anon).get('/graphics')).status).toBe(200);
    expect((await callerOf(service, anon).get('/quotes')).status).toBe(401);
    expect((await callerOf(service, serviceRole).get('/quotes')).body).toEqual([
      expect.objectContaining({ account_id: account }),
    ]);
  });

  it("with the secret key and a customer's token has the customer's rights", async () => {
    const token = await signSymmetric(claims({ sub: randomUUID() }));
    expect(await callerOf(service, service.secretKey, token).get('/quotes')).toMatchObject({
      status: 200,
      body: [],
    });
  });

  it('for /health needs neither key nor token', async () => {
    const response = await service.fetch('/health');
    expect([response.status, await response.json()]).toEqual([200, { status: 'ok', live: 'idle' }]);
  });

  it('leaves no key, token or value in the log', async () => {
    const token = await signSymmetric(claims());
    await callerOf(service, service.publishableKey, token).get('/quotes?sport=eq.planted-value');
    const log = service.logs.join('\n');
    expect(log).toContain('"event":"request"');
    for (const secret of [
      token,
      service.publishableKey,
      service.secretKey,
      service.jwtSecret,
      'planted-value',
    ]) {
      expect(log).not.toContain(secret);
    }
  });
});

describe('without its database', () => {
  it('every request is a 503 with Retry-After, /health too', async () => {
    const alone = await startService({ databasePort: 1 });
    const { status, body, headers } = await callerOf(alone, alone.publishableKey).get('/graphics');
    expect(status).toBe(503);
    expect(body).toMatchObject({ code: 'PGRST001', message: 'The database cannot be reached at the moment' });
    expect(headers.get('retry-after')).toBe('1');
    expect((await alone.fetch('/health')).status).toBe(503);
    await alone.stop();
  });
});
