import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  exportJWK,
  exportSPKI,
  type GenerateKeyPairResult,
  generateKeyPair,
  type JWTPayload,
  SignJWT,
  UnsecuredJWT,
} from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Env } from '../functions/env.ts';
import { looksLikeToken, verifyToken } from '../functions/token.ts';

const secret = 'a secret of at least thirty-two bytes';
const env: Env = { JWT_SECRET: secret };
const bytes = (text: string) => new TextEncoder().encode(text);
const now = () => Math.floor(Date.now() / 1000);
const sub = 'c0000000-0000-4000-8000-000000000001';
const account = 'a0000000-0000-4000-8000-000000000001';
const user = { role: 'authenticated', sub };

let made = 0;
/** Claims that no other token has, so that none is known from another test. */
const fresh = (claims: JWTPayload): JWTPayload => ({ exp: now() + 60, jti: `${made++}`, ...claims });
const sign = (claims: JWTPayload, key: string = secret) =>
  new SignJWT(fresh(claims)).setProtectedHeader({ alg: 'HS256' }).sign(bytes(key));

const refused = (message: string) => ({ ok: false, failure: { is: 'credentials refused', message } });
const claimsRefused = (message: string) => ({ ok: false, failure: { is: 'claims refused', message } });
const undecodable = refused("JWT couldn't be decoded or its signature is wrong");

describe('a token signed with the secret', () => {
  it('is believed for the claims that decide anything', async () => {
    const app_metadata = { role: 'sales', account_ids: [account], plan: 'gold' };
    const token = await sign({ ...user, app_metadata, user_metadata: { role: 'admin' }, email: 'a@b.c' });
    expect(await verifyToken(token, env)).toEqual({
      ok: true,
      value: { role: 'authenticated', sub, app_metadata: { role: 'sales', account_ids: [account] } },
    });
  });

  it.each([{ role: 'anon' }, { role: 'service_role' }])('may be one of no user: $role', async claims => {
    expect(await verifyToken(await sign({ ...claims, sub: 'x' }), env)).toEqual({ ok: true, value: claims });
  });

  it('needs no expiry', async () => {
    const forever = new SignJWT(user).setProtectedHeader({ alg: 'HS256' });
    expect(await verifyToken(await forever.sign(bytes(secret)), env)).toMatchObject({ ok: true });
  });

  it('is refused when it is signed with another', async () => {
    expect(await verifyToken(await sign(user, `${secret}!`), env)).toEqual(undecodable);
  });

  it('is refused when its claims are not those that were signed', async () => {
    const [header, , signature] = (await sign(user)).split('.');
    const [, forged] = (await sign({ role: 'service_role' }, 'x'.repeat(32))).split('.');
    expect(await verifyToken(`${header}.${forged}.${signature}`, env)).toEqual(undecodable);
  });

  it.each([
    ['expired', { exp: -40 }, claimsRefused('JWT expired')],
    ['expired within the skew of 30 s', { exp: -20 }, { ok: true }],
    ['not yet valid', { nbf: 40 }, claimsRefused('JWT not yet valid')],
    ['not yet valid within the skew of 30 s', { nbf: 20 }, { ok: true }],
  ])('has its time: %s', async (_, times, expected) => {
    const claims = Object.entries(times).map(([name, seconds]) => [name, now() + seconds]);
    const token = await sign({ ...user, ...Object.fromEntries(claims) });
    expect(await verifyToken(token, env)).toMatchObject(expected);
  });

  it.each([
    ['JWT_AUDIENCE', { aud: 'authenticated' }, { ok: true }],
    ['JWT_AUDIENCE', { aud: ['x', 'authenticated'] }, { ok: true }],
    ['JWT_AUDIENCE', { aud: 'x' }, claimsRefused('JWT aud refused')],
    ['JWT_AUDIENCE', {}, claimsRefused('JWT aud refused')],
    ['JWT_ISSUER', { iss: 'authenticated' }, { ok: true }],
    ['JWT_ISSUER', { iss: 'x' }, claimsRefused('JWT iss refused')],
    ['JWT_ISSUER', {}, claimsRefused('JWT iss refused')],
  ])('answers to %s where it is set: %j', async (setting, claims, expected) => {
    const token = await sign({ ...user, ...claims });
    expect(await verifyToken(token, { ...env, [setting]: 'authenticated' })).toMatchObject(expected);
  });

  it.each<[string, JWTPayload]>([
    ['role', { role: 'postgres', sub }],
    ['role', { role: 'builder_staff', sub }],
    ['role', { role: ['authenticated'], sub }],
    ['role', { sub }],
    ['sub', { role: 'authenticated' }],
    ['sub', { role: 'authenticated', sub: 'me' }],
    ['sub', { role: 'authenticated', sub: `${sub}' or true --` }],
    ['app_metadata', { ...user, app_metadata: 'admin' }],
    ['app_metadata.role', { ...user, app_metadata: { role: ['admin'] } }],
    ['app_metadata.account_ids', { ...user, app_metadata: { account_ids: account } }],
    ['app_metadata.account_ids.1', { ...user, app_metadata: { account_ids: [account, 'all'] } }],
  ])('is refused for its %s: %j', async (claim, claims) => {
    expect(await verifyToken(await sign(claims), env)).toEqual(
      claimsRefused(`The token's ${claim} is not what this service accepts`),
    );
  });
});

describe('what is no token of ours', () => {
  it.each([
    'abc.def.ghi',
    'e30.e30.',
    '..',
    'eyJhbGciOiJIUzI1NiJ9.x.y',
    'x',
  ])('is refused: %s', async token => {
    const expected = { failure: { is: 'credentials refused' } };
    expect(await verifyToken(token, env)).toMatchObject(expected);
    expect(await verifyToken(token, { JWKS_URL: 'http://127.0.0.1:9/keys' })).toMatchObject(expected);
  });

  it('is refused unread when it is longer than 8 KB', async () => {
    const token = await sign({ ...user, padding: 'x'.repeat(8192) });
    expect(await verifyToken(token, env)).toEqual(refused('The token is too long'));
  });

  it('is refused without a signature', async () => {
    const token = new UnsecuredJWT(fresh(user)).encode();
    expect(await verifyToken(token, env)).toEqual(refused('Wrong or unsupported encoding algorithm'));
  });

  it.each([
    ['a.b.c', true],
    ['a.b.', true],
    ['a_-.b.c', true],
    ['sb_publishable_x', false],
    ['a.b', false],
    ['a.b.c.d', false],
    ['a b.c.d', false],
  ])('is told by its looks: %s', (text, looks) => {
    expect(looksLikeToken(text)).toBe(looks);
  });
});

async function listening(listener: RequestListener): Promise<Server> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** A port on which nobody listens any more. */
async function closedPort(): Promise<number> {
  const server = await listening(() => {});
  const port = portOf(server);
  await once(server.close(), 'close');
  return port;
}

describe('a token signed with a key of the key set', () => {
  const algorithms = ['ES256', 'RS256', 'EdDSA'] as const;
  const pairs = new Map<string, GenerateKeyPairResult>();
  let server: Server;
  let origin = '';
  const keys: object[] = [];
  const jwks = (path = '/keys'): Env => ({ JWKS_URL: origin + path });

  beforeAll(async () => {
    for (const alg of [...algorithms, 'ES384']) {
      const pair = await generateKeyPair(alg, { extractable: true });
      pairs.set(alg, pair);
      keys.push({ ...(await exportJWK(pair.publicKey)), kid: alg, use: 'sig' });
    }
    const answers: Record<string, [status: number, body: string]> = {
      '/keys': [200, JSON.stringify({ keys })],
      '/html': [200, '<html>'],
      '/json': [200, '{"a":1}'],
      '/broken': [500, 'sorry'],
    };
    server = await listening(({ url = '' }, response) => {
      const [status, body] = answers[url] ?? [404, ''];
      response.writeHead(status).end(body);
    });
    origin = `http://127.0.0.1:${portOf(server)}`;
  });
  afterAll(() => new Promise(resolve => server.close(resolve)));

  async function signWith(alg: string, kid = alg): Promise<string> {
    const key = pairs.get(alg)?.privateKey;
    if (key === undefined) throw new TypeError(alg);
    return new SignJWT(fresh(user)).setProtectedHeader({ alg, kid }).sign(key);
  }

  it.each(algorithms)('is believed: %s', async alg => {
    expect(await verifyToken(await signWith(alg), jwks())).toMatchObject({ ok: true, value: { sub } });
  });

  it('is refused when its algorithm is none of them', async () => {
    expect(await verifyToken(await signWith('ES384'), jwks())).toMatchObject({
      failure: { is: 'credentials refused' },
    });
  });

  it('is refused when the key set has no such key', async () => {
    expect(await verifyToken(await signWith('ES256', 'other'), jwks())).toEqual(
      refused('No suitable key or wrong key type'),
    );
  });

  it('is refused when another key has signed it', async () => {
    const { privateKey } = await generateKeyPair('ES256');
    const header = { alg: 'ES256', kid: 'ES256' };
    const token = await new SignJWT(fresh(user)).setProtectedHeader(header).sign(privateKey);
    expect(await verifyToken(token, jwks())).toEqual(undecodable);
  });

  it('is refused without a key set, whatever the secret is', async () => {
    expect(await verifyToken(await signWith('ES256'), env)).toEqual(
      refused('Wrong or unsupported encoding algorithm'),
    );
  });

  it('is refused when a public key was taken for the secret of HS256', async () => {
    const { publicKey } = pairs.get('RS256') as GenerateKeyPairResult;
    const known = [
      await exportSPKI(publicKey),
      JSON.stringify(keys[1]),
      JSON.stringify(await exportJWK(publicKey)),
    ];
    for (const key of known) {
      const header = { alg: 'HS256', kid: 'RS256' };
      const token = await new SignJWT(fresh(user)).setProtectedHeader(header).sign(bytes(key));
      expect(await verifyToken(token, jwks())).toMatchObject({ failure: { is: 'credentials refused' } });
      expect(await verifyToken(token, { ...jwks(), ...env })).toEqual(undecodable);
    }
  });

  it('is refused without a signature', async () => {
    const token = new UnsecuredJWT(fresh(user)).encode();
    expect(await verifyToken(token, jwks())).toMatchObject({ failure: { is: 'credentials refused' } });
  });

  it.each([
    '/html',
    '/json',
    '/broken',
    '/missing',
  ])('waits for better times: the key set is %s', async path => {
    expect(await verifyToken(await signWith('ES256'), jwks(path))).toEqual({
      ok: false,
      failure: { is: 'keys unavailable' },
    });
  });

  it('waits for better times: nobody answers', async () => {
    const closed: Env = { JWKS_URL: `http://127.0.0.1:${await closedPort()}/keys` };
    expect(await verifyToken(await signWith('ES256'), closed)).toEqual({
      ok: false,
      failure: { is: 'keys unavailable' },
    });
  });

  it('is remembered once it was believed', async () => {
    const token = await signWith('ES256');
    expect(await verifyToken(token, jwks())).toMatchObject({ ok: true });
    expect(await verifyToken(token, jwks('/broken'))).toMatchObject({ ok: true });
  });
});
