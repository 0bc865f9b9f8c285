/** Tokens signed with a key of a key set whose server responds, changes and fails. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { verifyToken } from '../../../functions/caller/token/token.ts';
import type { Env } from '../../../functions/common/env.ts';
import { answering, type KeyServer, startKeyServer } from '../../setup/key-server.ts';
import { ecdsa, forge } from './forge.ts';

const start = 1_800_000_000;
const sub = 'c0000000-0000-4000-8000-000000000001';

type Pair = { jwk: JWK; privateKey: CryptoKey };
const pairs = new Map<string, Pair>();
const pairOf = (alg: string): Pair => pairs.get(alg) as Pair;

let server: KeyServer;
let env: Env;
let served = 0;
beforeAll(async () => {
  for (const alg of ['ES256', 'RS256', 'EdDSA', 'ES384']) {
    const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
    pairs.set(alg, { privateKey, jwk: { ...(await exportJWK(publicKey)), kid: alg, use: 'sig' } });
  }
  server = await startKeyServer(answering(''));
  // With it jose behaves as on Workers.
  vi.stubGlobal('WebSocketPair', class {});
});
afterAll(() => {
  vi.unstubAllGlobals();
  return server.stop();
});

/** Each test has its own key set and controls the clock. */
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: start * 1000 });
  env = { JWKS_URL: `${server.url}?${served++}` };
  server.asked = 0;
  serve(...[...pairs.values()].map(({ jwk }) => jwk));
});
afterEach(() => void vi.useRealTimers());

function serve(...keys: unknown[]): void {
  server.answer = answering({ keys });
}
/** Has the server answer with a key set only when the function that is returned is called. */
function holdAnswer(): () => void {
  let answerLate = () => {};
  server.answer = (...request) => {
    answerLate = () => answering({ keys: [pairOf('ES256').jwk] })(...request);
  };
  return () => answerLate();
}
const clockAt = (seconds: number) => vi.setSystemTime((start + seconds) * 1000);

let made = 0;
const claims = (): JWTPayload => ({ role: 'authenticated', sub, exp: start + 86_400, jti: `${made++}` });
const sign = (alg: string, kid: string | undefined = alg) =>
  new SignJWT(claims()).setProtectedHeader({ alg, ...(kid !== '' && { kid }) }).sign(pairOf(alg).privateKey);

const believed = { ok: true, value: { sub } };
const refused = (message: string) => ({ ok: false, failure: { is: 'credentials refused', message } });
const noKey = refused('No suitable key or wrong key type');
const wrongSignature = refused("JWT couldn't be decoded or its signature is wrong");
const unavailable = (reason: string) => ({ ok: false, failure: { is: 'keys unavailable', reason } });

describe('a token', () => {
  it('is answered with a reason when JWKS_URL is no URL', async () => {
    const token = await sign('ES256');
    expect(await verifyToken(token, { JWKS_URL: 'login.example' })).toEqual(unavailable('JWKS_URL_INVALID'));
  });
});

describe('a token without a kid', () => {
  const another = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwkOf = (key: KeyObject) => ({ ...key.export({ format: 'jwk' }) });

  it('is accepted when it is signed with one of several keys, with or without a kid', async () => {
    const [first, second] = [another(), another()];
    const broken = { kty: 'EC', crv: 'P-256', x: '?' };
    serve(jwkOf(first.publicKey), { ...jwkOf(second.publicKey), kid: 'x' }, broken);
    for (const { privateKey } of [first, second]) {
      const token = forge({ alg: 'ES256' }, claims(), ecdsa(privateKey));
      expect(await verifyToken(token, env)).toMatchObject(believed);
    }
    expect(await verifyToken(await sign('ES256', ''), env)).toEqual(wrongSignature);
  });

  it('is tried with at most eight keys', async () => {
    const several = Array.from({ length: 9 }, another);
    serve(...several.map(({ publicKey }) => jwkOf(publicKey)));
    const outcomes = several.map(async ({ privateKey }) => {
      const token = forge({ alg: 'ES256' }, claims(), ecdsa(privateKey));
      return (await verifyToken(token, env)).ok;
    });
    expect(await Promise.all(outcomes)).toEqual([...Array(8).fill(true), false]);
  });
});

describe('a key set', () => {
  it('is fetched again when the clock is set back by an hour: for a new key, and without a withdrawn one', async () => {
    serve(pairOf('ES256').jwk);
    expect(await verifyToken(await sign('ES256'), env)).toMatchObject(believed);
    serve(pairOf('RS256').jwk);
    clockAt(-3600);
    expect(await verifyToken(await sign('RS256'), env)).toMatchObject(believed);
    expect(await verifyToken(await sign('ES256'), env)).toEqual(noKey);
  });

  it('is fetched again for a key that was added, and for unknown keys at most twice a minute', async () => {
    serve(pairOf('RS256').jwk);
    expect(await verifyToken(await sign('RS256'), env)).toMatchObject(believed);
    serve(pairOf('RS256').jwk, pairOf('ES256').jwk);
    clockAt(29);
    expect(await verifyToken(await sign('ES256'), env)).toEqual(noKey);
    expect(server.asked).toBe(1);
    clockAt(30);
    expect(await verifyToken(await sign('ES256'), env)).toMatchObject(believed);
    expect(server.asked).toBe(2);
    for (let second = 31; second <= 150; second++) {
      clockAt(second);
      const tokens = await Promise.all([sign('ES256', `${second}`), sign('EdDSA'), sign('RS256')]);
      const [unknown, missing, known] = await Promise.all(tokens.map(token => verifyToken(token, env)));
      expect([unknown, missing]).toEqual([noKey, noKey]);
      expect(known).toMatchObject(believed);
    }
    expect(server.asked).toBe(2 + 4);
  });

  it('has a removed key accepted for ten minutes, and its verified tokens for five more', async () => {
    await verifyToken(await sign('RS256'), env);
    serve(pairOf('RS256').jwk);
    clockAt(599);
    const token = await sign('ES256');
    expect(await verifyToken(token, env)).toMatchObject(believed);
    clockAt(600);
    expect(await verifyToken(await sign('ES256'), env)).toEqual(noKey);
    expect(await verifyToken(token, env)).toMatchObject(believed);
    clockAt(898);
    expect(await verifyToken(token, env)).toMatchObject(believed);
    clockAt(899);
    expect(await verifyToken(token, env)).toEqual(noKey);
  });

  it('is not fetched by requests whose three seconds have passed while they waited for it', async () => {
    const answerLate = holdAnswer();
    const tokens = await Promise.all(Array.from({ length: 3 }, () => sign('ES256')));
    const [first, ...waiting] = tokens.map(token => verifyToken(token, env));
    await expect.poll(() => server.asked).toBe(1);
    clockAt(3);
    const timedOut = unavailable('JWKS_TIMEOUT');
    expect(await Promise.all(waiting)).toEqual([timedOut, timedOut]);
    expect(server.asked).toBe(1);
    answerLate();
    expect(await first).toMatchObject(believed);
  });

  it('whose server fails is used for its ten minutes', async () => {
    await verifyToken(await sign('ES256'), env);
    server.answer = answering('sorry', 500);
    clockAt(599);
    expect(await verifyToken(await sign('ES256'), env)).toMatchObject(believed);
    clockAt(600);
    expect(await verifyToken(await sign('ES256'), env)).toEqual(unavailable('JWKS_STATUS_500'));
  });

  it('still serves its known keys when a fetch for an unknown key fails', async () => {
    await verifyToken(await sign('ES256'), env);
    server.answer = answering('sorry', 500);
    clockAt(60);
    for (const kid of ['new', 'newer']) {
      expect(await verifyToken(await sign('ES256', kid), env)).toEqual(unavailable('JWKS_STATUS_500'));
      expect(await verifyToken(await sign('ES256'), env)).toMatchObject(believed);
    }
    expect(server.asked).toBe(2);
  });
});
