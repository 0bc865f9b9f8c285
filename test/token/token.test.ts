import { type JWTPayload, SignJWT } from 'jose';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Env } from '../../functions/common/env.ts';
import { verifyToken } from '../../functions/token/token.ts';
import { everyone } from '../../schema/everyone.ts';
import { forge, hmac } from './forge.ts';

const secret = 'a secret of at least thirty-two bytes';
const env: Env = { JWT_SECRET: secret };
const bytes = (text: string) => new TextEncoder().encode(text);
const now = () => Math.floor(Date.now() / 1000);
const sub = 'c0000000-0000-4000-8000-000000000001';
const account = 'a0000000-0000-4000-8000-000000000001';
const user = { role: 'authenticated', sub };

let made = 0;
/** Claims that no other token has, so that none is cached from another test. */
const fresh = (claims: object): JWTPayload => ({ exp: now() + 60, jti: `${made++}`, ...claims });
const sign = (claims: object, key: string = secret) =>
  new SignJWT(fresh(claims)).setProtectedHeader({ alg: 'HS256' }).sign(bytes(key));

const refused = (message: string) => ({ ok: false, failure: { is: 'credentials refused', message } });
const claimsRefused = (message: string) => ({ ok: false, failure: { is: 'claims refused', message } });
const isClaim = { ok: false, failure: { is: 'claims refused' } };

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

  it('is for the same user when its sub is in capitals', async () => {
    const app_metadata = { account_ids: [account.toUpperCase()] };
    const token = await sign({ ...user, sub: sub.toUpperCase(), app_metadata });
    expect(await verifyToken(token, env)).toMatchObject({
      value: { sub, app_metadata: { account_ids: [account] } },
    });
  });

  it.each(['anon', 'service_role'])('needs no user and no exp when it is a key: %s', async role => {
    const token = await sign({ role, sub: 'x', app_metadata: { role: 'admin' }, exp: undefined });
    expect(await verifyToken(token, env)).toEqual({ ok: true, value: { role } });
  });

  it('must have an exp when it has a user', async () => {
    expect(await verifyToken(await sign({ ...user, exp: undefined }), env)).toEqual(
      claimsRefused('JWT has no exp: the token of a user must expire'),
    );
  });

  it.each([
    [{ exp: -29 }, { ok: true }],
    [{ exp: -30 }, claimsRefused('JWT expired')],
    [{ nbf: 30 }, { ok: true }],
    [{ nbf: 31 }, claimsRefused('JWT not yet valid')],
    [{ iat: 30 }, { ok: true }],
    [{ iat: 31 }, claimsRefused('JWT issued at future')],
  ])('is valid within its times, with a tolerance of 30 s: %j from now', async (times, expected) => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_000_000 });
    const claims = Object.entries(times).map(([name, seconds]) => [name, now() + seconds]);
    const token = await sign({ ...user, ...Object.fromEntries(claims) });
    expect(await verifyToken(token, env)).toMatchObject(expected);
  });

  it.each([
    ['JWT_AUDIENCE', { aud: 'authenticated' }, { ok: true }],
    ['JWT_AUDIENCE', { aud: ['x', 'authenticated'] }, { ok: true }],
    ['JWT_AUDIENCE', {}, claimsRefused('JWT aud refused')],
    ['JWT_ISSUER', { iss: 'authenticated' }, { ok: true }],
    ['JWT_ISSUER', {}, claimsRefused('JWT iss refused')],
  ])('must match %s where it is set: %j', async (setting, claims, expected) => {
    const token = await sign({ ...user, ...claims });
    expect(await verifyToken(token, { ...env, [setting]: 'authenticated' })).toMatchObject(expected);
  });

  it.each(['exp', 'nbf', 'iat'])('is refused when its %s is no number', async name => {
    for (const value of ['9999999999', null, [9999999999], {}, true]) {
      expect(await verifyToken(await sign({ ...user, [name]: value }), env)).toMatchObject(isClaim);
    }
  });

  it.each(['aud', 'iss'])('is refused when its %s is not exactly the one that is set', async name => {
    const settings = { ...env, [name === 'aud' ? 'JWT_AUDIENCE' : 'JWT_ISSUER']: 'authenticated' };
    for (const value of [
      'Authenticated',
      'authenticated ',
      '',
      null,
      [],
      ['x'],
      {},
      [['authenticated']],
      1,
    ]) {
      expect(await verifyToken(await sign({ ...user, [name]: value }), settings)).toMatchObject(isClaim);
    }
  });
});

/** Signs claims, or a text after the valid ones, in which a name may occur again. */
const bearing = (claims: object | string): string => {
  const valid = JSON.stringify(fresh(user));
  const payload =
    typeof claims === 'string' ? `${valid.slice(0, -1)},${claims}}` : fresh({ ...user, ...claims });
  return forge({ alg: 'HS256' }, payload, hmac(secret));
};
const uuidTexts = [
  ...['', 'me', '*', 'null', '__proto__', `${account} `, `{${account}}`, account.replaceAll('-', '')],
  ...[`urn:uuid:${account}`, `${account}\n`, `${account}\0`, `${account}' or true --`, everyone],
];
const roles = [
  ...[
    'postgres',
    'builder_staff',
    'builder_api',
    'supabase_admin',
    'Authenticated',
    'authenticated ',
    'admin',
  ],
  ...[
    '',
    null,
    0,
    true,
    ['service_role'],
    { role: 'service_role' },
    undefined,
    '__proto__',
    'authenticated\0',
  ],
];

describe('a token with a valid signature', () => {
  it.each<[claim: string, values: unknown[], claimsOf: (value: unknown) => object]>([
    ['role', roles, role => ({ role })],
    ['sub', [...uuidTexts, undefined, null, 1, [account], { sub }], sub => ({ sub })],
    ['app_metadata', [null, 'admin', 1, true], app_metadata => ({ app_metadata })],
    ['app_metadata.role', [null, 1, true, ['admin'], {}], role => ({ app_metadata: { role } })],
    ['app_metadata.account_ids', [null, account, 1, {}], account_ids => ({ app_metadata: { account_ids } })],
    [
      'app_metadata.account_ids.1',
      [...uuidTexts, null, 1, [account], { id: account }],
      id => ({ app_metadata: { account_ids: [account, id] } }),
    ],
  ])('is refused for an invalid %s, which its failure names', async (claim, values, claimsOf) => {
    for (const value of values) {
      expect(await verifyToken(bearing(claimsOf(value)), env), String(value)).toEqual(
        claimsRefused(`The token's ${claim} is missing or invalid`),
      );
    }
  });

  it.each<object | string>([
    ...['ADMIN', 'admin ', 'admin\0', '\ud800', 'service_role', 'admin,sales', '', '__proto__'].map(role => ({
      app_metadata: { role },
    })),
    { app_metadata: ['admin', { role: 'admin' }] },
    { app_metadata: { roles: ['admin'], is_admin: true, Role: 'admin' } },
    { user_metadata: { role: 'admin', account_ids: [account], sub: account } },
    { account_ids: [account], account_id: account, user_role: 'admin', is_anonymous: true },
    { APP_METADATA: { role: 'admin' }, 'app_metadata.role': 'admin', 'app_metadata\0': 1 },
    '"__proto__":{"role":"service_role","app_metadata":{"role":"admin"}}',
    `"app_metadata":{"__proto__":{"role":"admin","account_ids":["${account}"]}}`,
    '"app_metadata":{"constructor":{"prototype":{"role":"admin"}}}',
    '"app_metadata":{"role":"admin"},"app_metadata":{}',
    `"sub":"${account}","sub":"${sub}"`,
  ])('makes its holder a plain customer, whatever else it claims: %j', async claims => {
    const verified = await verifyToken(bearing(claims), env);
    expect(verified).toMatchObject({ ok: true });
    expect(JSON.stringify(verified.ok && verified.value)).toBe(JSON.stringify({ ...user, app_metadata: {} }));
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

it.each([
  ['JWT_SECRET has fewer than 32 bytes', 'x'.repeat(31)],
  ['JWT_SECRET is a public or private key, not a shared secret', `-----BEGIN PUBLIC KEY-----\nMFkw${sub}`],
  ['JWT_SECRET is a public or private key, not a shared secret', `{"crv":"P-256","kty":"EC","x":"${sub}"}`],
])('a secret that anyone could know verifies nothing, and the log gives the reason: %s', async (reason, JWT_SECRET) => {
  expect(await verifyToken(await sign(user, JWT_SECRET), { JWT_SECRET })).toEqual({
    ok: false,
    failure: { is: 'misconfigured', reason },
  });
});
