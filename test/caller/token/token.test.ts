import fc from 'fast-check';
import { type JWTPayload, SignJWT } from 'jose';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { verifyToken } from '../../../functions/caller/token/token.ts';
import type { Env } from '../../../functions/common/env.ts';
import { everyone } from '../../../schema/everyone.ts';
import { rounds } from '../../setup/full-size.ts';

const secret = 'a secret of at least thirty-two bytes';
const env: Env = { JWT_SECRET: secret };
const bytes = (text: string) => new TextEncoder().encode(text);
const now = () => Math.floor(Date.now() / 1000);
const sub = 'c0000000-0000-4000-8000-000000000001';
const account = 'a0000000-0000-4000-8000-000000000001';
const user = { role: 'authenticated', sub };

const uuidTexts = ['', `${account} `, `{${account}}`, account.replaceAll('-', ''), `${account}\n`, everyone];

let made = 0;
/** Claims that no other token has, so that none is cached from another test. */
const fresh = (claims: object): JWTPayload => ({ exp: now() + 60, jti: `${made++}`, ...claims });
const sign = (claims: object, key: string = secret) =>
  new SignJWT(fresh(claims)).setProtectedHeader({ alg: 'HS256' }).sign(bytes(key));

const claimsRefused = (message: string) => ({ ok: false, failure: { is: 'claims refused', message } });
const isClaim = { ok: false, failure: { is: 'claims refused' } };

afterEach(() => void vi.useRealTimers());

describe('a token signed with the secret', () => {
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
    for (const value of ['9999999999', null]) {
      expect(await verifyToken(await sign({ ...user, [name]: value }), env)).toMatchObject(isClaim);
    }
  });

  it.each(['aud', 'iss'])('is refused when its %s is not exactly the one that is set', async name => {
    const settings = { ...env, [name === 'aud' ? 'JWT_AUDIENCE' : 'JWT_ISSUER']: 'authenticated' };
    for (const value of ['Authenticated', '', null, ['x'], [['authenticated']]]) {
      expect(await verifyToken(await sign({ ...user, [name]: value }), settings)).toMatchObject(isClaim);
    }
  });
});

const withSecondAccount = (id: unknown) => ({ app_metadata: { account_ids: [account, id] } });

it.each<[claim: string, values: unknown[], claimsOf: (value: unknown) => object]>([
  ['role', ['builder_staff', ['service_role'], null, undefined, '__proto__'], role => ({ role })],
  ['sub', [...uuidTexts, undefined, null, [account]], sub => ({ sub })],
  ['app_metadata', [null, 'admin'], app_metadata => ({ app_metadata })],
  ['app_metadata.role', [null, ['admin']], role => ({ app_metadata: { role } })],
  ['app_metadata.account_ids', [account, {}], account_ids => ({ app_metadata: { account_ids } })],
  ['app_metadata.account_ids.1', [...uuidTexts, null, [account]], withSecondAccount],
])('a token is refused for an invalid %s, which its failure names', async (claim, values, claimsOf) => {
  for (const value of values) {
    expect(await verifyToken(await sign({ ...user, ...claimsOf(value) }), env), String(value)).toEqual(
      claimsRefused(`The token's ${claim} is missing or invalid`),
    );
  }
});

describe('a token that was accepted', () => {
  it('is not accepted by a worker with another secret, audience or issuer', async () => {
    const token = await sign(user);
    expect(await verifyToken(token, env)).toMatchObject({ ok: true });
    const otherKeys = [{ JWT_SECRET: `${secret}!` }, {}];
    for (const other of [...otherKeys, { ...env, JWT_AUDIENCE: 'x' }, { ...env, JWT_ISSUER: 'x' }]) {
      expect(await verifyToken(token, other)).toMatchObject({ ok: false });
    }
  });

  it('is refused at most 30 s after it has expired', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_000_000 });
    const token = await sign({ ...user, exp: now() + 10 });
    for (const [seconds, expected] of [
      [39, { ok: true }],
      [40, claimsRefused('JWT expired')],
    ] as const) {
      vi.setSystemTime(1_800_000_000_000 + seconds * 1000);
      expect(await verifyToken(token, env), `after ${seconds} s`).toMatchObject(expected);
    }
  });
});

it.each([
  ['JWT_SECRET has fewer than 32 bytes', 'x'.repeat(31)],
  ['JWT_SECRET is a public or private key, not a shared secret', `-----BEGIN PUBLIC KEY-----\nMFkw${sub}`],
])('a secret that anyone could know verifies nothing, and the log gives the reason: %s', async (reason, JWT_SECRET) => {
  expect(await verifyToken(await sign(user, JWT_SECRET), { JWT_SECRET })).toEqual({
    ok: false,
    failure: { is: 'misconfigured', reason },
  });
});

it('a token with any character changed, left out or added is refused', async () => {
  const token = await sign(user);
  expect(await verifyToken(token, env)).toMatchObject({ ok: true });
  const characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ \t\0é';
  await fc.assert(
    fc.asyncProperty(
      fc.nat(token.length - 1),
      fc.constantFrom('', ...characters),
      fc.boolean(),
      async (at, character, isAdded) => {
        const changed = token.slice(0, at) + character + token.slice(isAdded ? at : at + 1);
        expect([changed, (await verifyToken(changed, env)).ok]).toEqual([changed, changed === token]);
      },
    ),
    { numRuns: rounds(150, 400) },
  );
});
