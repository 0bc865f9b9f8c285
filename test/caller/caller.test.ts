import fc from 'fast-check';
import { type JWTPayload, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { identifyCaller } from '../../functions/caller/caller.ts';
import { explainRefusal } from '../../functions/caller/unset-keys.ts';
import type { Env } from '../../functions/common/env.ts';
import type { Failure } from '../../functions/common/failure/failure.ts';
import { anyText } from '../setup/any-text.ts';
import { rounds } from '../setup/full-size.ts';

const publishable = 'sb_publishable_0123456789';
const secret = 'sb_secret_0123456789';
const env: Env = {
  PUBLISHABLE_KEY: publishable,
  SECRET_KEY: secret,
  JWT_SECRET: 'a secret of at least thirty-two bytes',
};
const sub = 'c0000000-0000-4000-8000-000000000001';
const team = 'c0000000-0000-4000-8000-00000000000a';

const sign = (claims: JWTPayload, key = env.JWT_SECRET) =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(key));
const user = (more: object = {}) => sign({ role: 'authenticated', sub, ...more });

const refused = (message: string) => ({ ok: false, failure: { is: 'credentials refused', message } });
const anon = { ok: true, value: { kind: 'anon', audience: 'anon' } };
const service = { ok: true, value: { kind: 'service', audience: 'staff' } };

describe('a caller', () => {
  it.each([
    ['in apikey alone', () => null],
    ['with an empty Authorization', () => ''],
    ['in both headers', (key: string) => `Bearer ${key}`],
  ])('is the holder of its key, %s', async (_, authorizationOf) => {
    const identify = (key: string) => identifyCaller(key, authorizationOf(key), env);
    expect(await identify(publishable)).toEqual(anon);
    expect(await identify(secret)).toEqual(service);
    expect(await identify(await sign({ role: 'anon' }))).toEqual(anon);
    expect(await identify(await sign({ role: 'service_role' }))).toEqual(service);
  });

  it('is the holder of any key that is valid while one replaces another', async () => {
    const [PUBLISHABLE_KEY, SECRET_KEY] = [`new_key,${publishable}`, `new_secret ${secret}`];
    const identify = (key: string) => identifyCaller(key, null, { ...env, PUBLISHABLE_KEY, SECRET_KEY });
    expect([await identify('new_key'), await identify(publishable)]).toEqual([anon, anon]);
    expect([await identify('new_secret'), await identify(secret)]).toEqual([service, service]);
    for (const key of ['', ',', PUBLISHABLE_KEY]) {
      expect(await identify(key)).toMatchObject({ ok: false });
    }
  });

  it.each([publishable, secret])('is the customer of its token, with the key %s', async key => {
    const token = await user({ app_metadata: { account_ids: [team] } });
    const claims = { role: 'authenticated', sub, app_metadata: { account_ids: [team] } };
    const value = { kind: 'customer', audience: 'customer', claims };
    expect(await identifyCaller(key, `Bearer ${token}`, env)).toEqual({ ok: true, value });
  });

  it.each([
    ['admin', 'staff'],
    ['sales', 'staff'],
    ['service_role', 'customer'],
  ])('whose app_metadata.role is %j is %s', async (role, kind) => {
    const bearer = `Bearer ${await user({ app_metadata: { role }, user_metadata: { role: 'admin' } })}`;
    expect(await identifyCaller(publishable, bearer, env)).toMatchObject({ value: { kind, audience: kind } });
  });

  it.each(['bearer', 'BEARER', 'Bearer  '])('may spell the scheme %j', async scheme => {
    expect(await identifyCaller(publishable, `${scheme} ${publishable} `, env)).toEqual(anon);
  });
});

describe('a request is refused', () => {
  it('with a token or a key that is cut short', async () => {
    const fragment = (await user()).split('.').slice(0, 2).join('.');
    const cutShort = refused('The token is truncated: it has 2 of its 3 parts');
    expect(await identifyCaller(publishable, `Bearer ${fragment}`, env)).toEqual(cutShort);
    expect(await identifyCaller(fragment, null, env)).toEqual(cutShort);
  });

  it('with a variable that Postman, Bruno or a client generated from our documents sends unfilled, which it names', async () => {
    const unfilled = (variable: string) => refused(`The variable ${variable} is not filled in`);
    expect(await identifyCaller('{{apiKey}}', null, env)).toEqual(unfilled('apiKey'));
    expect(await identifyCaller('{{apiKey}}', `Bearer ${await user()}`, env)).toEqual(unfilled('apiKey'));
    const bearer = 'Bearer {{bearerToken}}';
    expect(await identifyCaller(publishable, bearer, env)).toEqual(unfilled('bearerToken'));
  });

  it.each([
    ...[`${publishable}x`, publishable.toUpperCase(), `${publishable.slice(0, -1)}\u0139`],
  ])('with the key %s', async key => {
    const message = 'The apikey is not a key of this service';
    expect(await identifyCaller(key, null, env)).toEqual(refused(message));
    expect(await identifyCaller(key, `Bearer ${key}`, env)).toEqual(refused(message));
    expect(await identifyCaller(key, `Bearer ${await user()}`, env)).toEqual(refused(message));
  });

  it('with any key but the publishable and the secret one', async () => {
    const texts = fc.oneof(fc.string({ minLength: 1 }), anyText({ minLength: 1 }));
    const cut = fc.nat(publishable.length);
    await fc.assert(
      fc.asyncProperty(texts, cut, async (text, at) => {
        for (const key of [text, publishable.slice(0, at) + text, text + secret.slice(at)]) {
          const isKey = key === publishable || key === secret;
          expect((await identifyCaller(key, 'Bearer x', env)).ok).toBe(false);
          expect((await identifyCaller(key, `Bearer ${/\s/.test(key) ? 'x' : key}`, env)).ok).toBe(isKey);
          expect((await identifyCaller(key, null, env)).ok).toBe(isKey);
        }
      }),
      { numRuns: rounds(30, 200) },
    );
  });

  it('with a token that is forged, or a user’s in place of a key', async () => {
    const is = 'credentials refused';
    const token = await user();
    expect(await identifyCaller(token, null, env)).toMatchObject({ failure: { is } });
    for (const role of ['authenticated', 'service_role']) {
      const forged = await sign({ role, sub }, 'x'.repeat(32));
      for (const [key, bearer] of [
        [secret, forged],
        [forged, forged],
        [token, token],
        ['wrong', await sign({ role: 'service_role' })],
      ] as const) {
        expect(await identifyCaller(key, `Bearer ${bearer}`, env)).toMatchObject({ failure: { is } });
      }
    }
  });

  it('by a service without keys', async () => {
    for (const key of ['', 'undefined', publishable]) {
      expect(await identifyCaller(key, `Bearer ${key}`, {})).toMatchObject({ ok: false });
      expect(await identifyCaller(key, null, {})).toMatchObject({ ok: false });
    }
  });
});

const unknown: Failure = { is: 'credentials refused', message: 'The apikey is not a key of this service' };
const missing: Failure = { is: 'credentials missing', what: 'apikey header' };
const everyKey = { PUBLISHABLE_KEY: 'a', SECRET_KEY: 'b', JWT_SECRET: 'c' };
const all = ['PUBLISHABLE_KEY', 'SECRET_KEY', 'JWT_SECRET or JWKS_URL'];

describe('a refused key or token where keys are not set', () => {
  it.each([unknown, missing])('is the service’s fault when it has no key at all: $is', failure => {
    const failed: Failure = { is: 'not set', unset: { variables: all, local: false } };
    expect(explainRefusal(failure, { PUBLISHABLE_KEY: '', JWT_SECRET: '' })).toEqual(failed);
  });

  it('names the variables that are not set', () => {
    const { SECRET_KEY: _, ...env } = everyKey;
    const unset = { variables: ['SECRET_KEY'], local: false };
    expect(explainRefusal(unknown, env)).toEqual({ ...unknown, unset });
    const local = { ...unknown, unset: { ...unset, local: true } };
    expect(explainRefusal(unknown, { ...env, LOCAL: '1' })).toEqual(local);
  });

  it('is refused as ever when no key is missing, or a missing one is not the cause', () => {
    const expired: Failure = { is: 'claims refused', message: 'JWT expired' };
    expect(explainRefusal(unknown, { ...everyKey, JWT_SECRET: '', JWKS_URL: 'https://x' })).toBe(unknown);
    expect(explainRefusal(missing, { SECRET_KEY: 'b' })).toBe(missing);
    expect(explainRefusal(expired, { SECRET_KEY: 'b' })).toBe(expired);
  });
});
