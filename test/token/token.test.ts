import { type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Env } from '../../functions/common/env.ts';
import { looksLikeToken, verifyToken } from '../../functions/token/token.ts';

const secret = 'a secret of at least thirty-two bytes';
const env: Env = { JWT_SECRET: secret };
const bytes = (text: string) => new TextEncoder().encode(text);
const now = () => Math.floor(Date.now() / 1000);
const sub = 'c0000000-0000-4000-8000-000000000001';
const account = 'a0000000-0000-4000-8000-000000000001';
/** The nil uuid, which addresses everyone. */
const nobody = '00000000-0000-0000-0000-000000000000';
const user = { role: 'authenticated', sub };

let made = 0;
/** Claims that no other token has, so that none is cached from another test. */
const fresh = (claims: object): JWTPayload => ({ exp: now() + 60, jti: `${made++}`, ...claims });
const sign = (claims: object, key: string = secret) =>
  new SignJWT(fresh(claims)).setProtectedHeader({ alg: 'HS256' }).sign(bytes(key));

const refused = (message: string) => ({ ok: false, failure: { is: 'credentials refused', message } });
const claimsRefused = (message: string) => ({ ok: false, failure: { is: 'claims refused', message } });
const undecodable = refused("JWT couldn't be decoded or its signature is wrong");

afterEach(() => void vi.useRealTimers());

describe('a token signed with the secret', () => {
  it('is accepted, with the claims that affect a decision', async () => {
    const app_metadata = { role: 'sales', account_ids: [account], plan: 'gold' };
    const token = await sign({ ...user, app_metadata, user_metadata: { role: 'admin' }, email: 'a@b.c' });
    expect(await verifyToken(token, env)).toEqual({
      ok: true,
      value: { role: 'authenticated', sub, app_metadata: { role: 'sales', account_ids: [account] } },
    });
  });

  it.each([
    '',
    'ADMIN',
    'admin ',
    'service_role',
    '__proto__',
    '\0',
    '\ud800',
  ])('does not make its holder staff with app_metadata.role %j, which the database does not see', async role => {
    const claims = await verifyToken(await sign({ ...user, app_metadata: { role } }), env);
    expect(JSON.stringify(claims.ok && claims.value)).toBe(JSON.stringify({ ...user, app_metadata: {} }));
  });

  it('is for the same user when its sub is in capitals', async () => {
    const app_metadata = { account_ids: [account.toUpperCase()] };
    const token = await sign({ ...user, sub: sub.toUpperCase(), app_metadata });
    expect(await verifyToken(token, env)).toMatchObject({
      value: { sub, app_metadata: { account_ids: [account] } },
    });
  });

  it.each([{ role: 'anon' }, { role: 'service_role' }])('may have no user: $role', async claims => {
    expect(await verifyToken(await sign({ ...claims, sub: 'x' }), env)).toEqual({ ok: true, value: claims });
  });

  it.each(['anon', 'service_role'])('needs no exp when it is a key: %s', async role => {
    expect(await verifyToken(await sign({ role, exp: undefined }), env)).toMatchObject({ ok: true });
  });

  it('must have an exp when it has a user', async () => {
    expect(await verifyToken(await sign({ ...user, exp: undefined }), env)).toEqual(
      claimsRefused('JWT has no exp: the token of a user must expire'),
    );
  });

  it('is refused when it is signed with another secret', async () => {
    expect(await verifyToken(await sign(user, `${secret}!`), env)).toEqual(undecodable);
  });

  it('is refused when its claims were changed after signing', async () => {
    const [header, , signature] = (await sign(user)).split('.');
    const [, forged] = (await sign({ role: 'service_role' }, 'x'.repeat(32))).split('.');
    expect(await verifyToken(`${header}.${forged}.${signature}`, env)).toEqual(undecodable);
  });

  it.each([
    [{ exp: -29 }, { ok: true }],
    [{ exp: -30 }, claimsRefused('JWT expired')],
    [{ exp: -1e300 }, claimsRefused('JWT expired')],
    [{ exp: 1e300 }, { ok: true }],
    [{ exp: 0.5 }, { ok: true }],
    [{ nbf: 30 }, { ok: true }],
    [{ nbf: 31 }, claimsRefused('JWT not yet valid')],
    [{ nbf: -1e300 }, { ok: true }],
    [{ iat: 30 }, { ok: true }],
    [{ iat: 31 }, claimsRefused('JWT issued at future')],
    [{ iat: -1e300 }, { ok: true }],
  ])('is valid within its times, with a tolerance of 30 s: %j from now', async (times, expected) => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_000_000 });
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
  ])('must match %s where it is set: %j', async (setting, claims, expected) => {
    const token = await sign({ ...user, ...claims });
    expect(await verifyToken(token, { ...env, [setting]: 'authenticated' })).toMatchObject(expected);
  });

  it.each<[string, object]>([
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
    ['sub', { ...user, sub: nobody }],
    ['app_metadata.account_ids.1', { ...user, app_metadata: { account_ids: [account, nobody] } }],
  ])('is refused for its %s: %j', async (claim, claims) => {
    expect(await verifyToken(await sign(claims), env)).toEqual(
      claimsRefused(`The token's ${claim} is missing or invalid`),
    );
  });
});

describe('a text that is no token of ours', () => {
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

  it('is refused before it is decoded when it is longer than 8 KB', async () => {
    const token = await sign({ ...user, padding: 'x'.repeat(8192) });
    expect(await verifyToken(token, env)).toEqual(refused('The token is longer than 8192 bytes'));
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
  ])('is recognised by its form: %s', (text, looks) => {
    expect(looksLikeToken(text)).toBe(looks);
  });
});

describe('a token that was accepted', () => {
  it('is not accepted by a worker with another secret, audience or issuer', async () => {
    const token = await sign(user);
    expect(await verifyToken(token, env)).toMatchObject({ ok: true });
    for (const other of [
      { JWT_SECRET: `${secret}!` },
      { ...env, JWT_AUDIENCE: 'others' },
      { ...env, JWT_ISSUER: 'others' },
      {},
    ]) {
      expect(await verifyToken(token, other)).toMatchObject({ ok: false });
    }
  });

  it('is refused at most 30 s after it has expired', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_000_000 });
    const token = await sign({ ...user, exp: now() + 10 });
    for (const [seconds, expected] of [
      [0, { ok: true }],
      [9, { ok: true }],
      [39, { ok: true }],
      [40, claimsRefused('JWT expired')],
      [400, claimsRefused('JWT expired')],
    ] as const) {
      vi.setSystemTime(1_800_000_000_000 + seconds * 1000);
      expect(await verifyToken(token, env), `after ${seconds} s`).toMatchObject(expected);
    }
  });
});

describe('a secret that anyone could know', () => {
  it.each([
    ['JWT_SECRET has fewer than 32 bytes', 'x'.repeat(31)],
    [
      'JWT_SECRET is a public or private key, not a shared secret',
      '-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcD',
    ],
    [
      'JWT_SECRET is a public or private key, not a shared secret',
      '{"crv":"P-256","kty":"EC","x":"MKBCTNIcKUSDii11ySs3526iDZ8A"}',
    ],
  ])('verifies nothing, and the log gives the reason: %s', async (reason, JWT_SECRET) => {
    expect(await verifyToken(await sign(user, JWT_SECRET), { JWT_SECRET })).toEqual({
      ok: false,
      failure: { is: 'misconfigured', reason },
    });
  });
});
