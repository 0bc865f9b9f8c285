/** The attacks of RFC 8725 and similar ones: forged tokens of staff, sent to a worker in workerd. Claims are in token.test.ts. */
import { generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answering, type KeyServer, startKeyServer } from '../../setup/key-server.ts';
import { aQuote } from '../../setup/rows.ts';
import { type Service, startService } from '../../setup/service.ts';
import { callerOf } from '../../setup/wire.ts';
import { base64url, constant, ecdsa, forge, hmac, type Part, rsa, type Signer } from './forge.ts';

const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const ec384 = generateKeyPairSync('ec', { namedCurve: 'P-384' });
const rs = generateKeyPairSync('rsa', { modulusLength: 2048 });
const weak = generateKeyPairSync('rsa', { modulusLength: 1024 });
const ed = generateKeyPairSync('ed25519');
const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 });

const jwk = (key: KeyObject, more: object = {}) => ({ ...key.export({ format: 'jwk' }), ...more });
const octet = 'a secret in a key set, of all places';
const keys = [
  jwk(ec.publicKey, { kid: 'ec', alg: 'ES256', use: 'sig' }),
  jwk(rs.publicKey, { kid: 'rs', use: 'sig' }),
  jwk(ed.publicKey, { kid: 'ed' }),
  jwk(ec384.publicKey, { kid: 'ec384' }),
  jwk(weak.publicKey, { kid: 'weak' }),
  jwk(rs.publicKey, { kid: 'for encryption', use: 'enc' }),
  jwk(rs.publicKey, { kid: 'to encrypt', key_ops: ['encrypt'] }),
  jwk(rs.publicKey, { kid: 'of another algorithm', alg: 'RS512' }),
  jwk(rs.privateKey, { kid: 'private' }),
  { kty: 'RSA', kid: 'broken', e: 'AQAB' },
  { kty: 'oct', kid: 'oct', k: base64url(octet) },
];

const account = randomUUID();
const issuer = 'https://login.example.com';
let service: Service;
let keyServer: KeyServer;
let trap: KeyServer;
beforeAll(async () => {
  [keyServer, trap] = await Promise.all([
    startKeyServer(answering({ keys })),
    startKeyServer(answering({ keys: [jwk(stranger.publicKey, { kid: 'rs' })] })),
  ]);
  const bindings = { JWKS_URL: keyServer.url, JWT_AUDIENCE: 'authenticated', JWT_ISSUER: issuer };
  service = await startService({ bindings });
  await callerOf(service, service.secretKey).send('POST', '/quotes', aQuote(account));
});
afterAll(() => Promise.all([service.stop(), keyServer.stop(), trap.stop()]));

const staff = (more: object = {}) => ({
  role: 'authenticated',
  sub: account,
  app_metadata: { role: 'admin' },
  aud: 'authenticated',
  iss: issuer,
  exp: Math.floor(Date.now() / 1000) + 600,
  jti: randomUUID(),
  ...more,
});
const secret: Signer = signed => hmac(service.jwtSecret)(signed);
const byRsa = rsa(rs.privateKey);
const byEc = ecdsa(ec.privateKey);
/** A token of staff with any algorithm and key id. */
const as = (alg: unknown, kid: unknown, signer: Signer) => forge({ alg, kid }, staff(), signer);
const hs256 = (payload: Part = staff(), header: object = {}) =>
  forge({ alg: 'HS256', ...header }, payload, secret);
const rs256 = (header: object = {}) => forge({ alg: 'RS256', kid: 'rs', ...header }, staff(), byRsa);
const pem = (key: KeyObject) => String(key.export({ format: 'pem', type: 'spki' }));
const der = (key: KeyObject) => key.export({ format: 'der', type: 'spki' });
const read = (token: string) => callerOf(service, service.publishableKey, token).get('/quotes?select=id');

it.each<[what: string, token: () => string]>([
  ['HS256', () => hs256()],
  ['RS256', () => rs256()],
  ['ES256', () => as('ES256', 'ec', byEc)],
  ['EdDSA', () => as('EdDSA', 'ed', signed => sign(null, Buffer.from(signed), ed.privateKey))],
  ['typ at+jwt', () => hs256(staff(), { typ: 'application/at+JWT' })],
])('a valid token gives access to what its holder may see: %s', async (_, token) => {
  expect(await read(token())).toMatchObject({ status: 200, body: [{ id: expect.any(String) }] });
});

/** Expects a refusal with a reason and WWW-Authenticate, which repeats nothing of the token. */
async function refused(token: string): Promise<void> {
  const { status, headers, body, text } = await read(token);
  expect(status, text).toBe(401);
  expect(body).toMatchObject({ code: 'PGRST301', message: expect.stringMatching(/\w{3}/) });
  const challenge = /^Bearer error="invalid_token", error_description="[^"]+"$/;
  expect(headers.get('www-authenticate')).toMatch(challenge);
  const parts = token.split('.').filter(part => part.length > 8);
  for (const part of [...parts, service.jwtSecret, keyServer.url]) {
    expect(text).not.toContain(part);
  }
}

describe('a token without a signature is refused', () => {
  it.each(['none', 'nOnE', '', null, undefined, ['none']])('alg %j', async alg => {
    for (const signer of [constant(new Uint8Array()), secret, constant(Buffer.from('none'))]) {
      await refused(as(alg, undefined, signer));
    }
  });

  it.each([
    ['HS256', undefined],
    ['RS256', 'rs'],
    ['ES256', 'ec'],
    ['EdDSA', 'ed'],
  ])('alg %s', async (alg, kid) => {
    for (const length of [0, 64]) {
      await refused(as(alg, kid, constant(new Uint8Array(length))));
    }
  });
});

type Attack = [what: string, token: () => string];

describe('a token whose algorithm is not that of the key is refused', () => {
  it.each([
    ['RSA', rs.publicKey, 'rs'],
    ['EC', ec.publicKey, 'ec'],
  ] as const)('HS256 with a public key as its secret, in any form: %s', async (_, key, kid) => {
    const published = keys.find(each => each['kid'] === kid);
    const forms = [pem(key), pem(key).trim(), der(key), der(key).toString('base64')];
    for (const form of [...forms, JSON.stringify(jwk(key)), JSON.stringify(published)]) {
      await refused(as('HS256', undefined, hmac(form)));
      await refused(as('HS256', kid, hmac(form)));
    }
  });

  it.each<Attack>([
    ['HS256 with a secret of the key set', () => as('HS256', 'oct', hmac(octet))],
    ['RS256, and the secret has signed it', () => as('RS256', 'rs', secret)],
    ['ES256 with a key of P-384', () => as('ES256', 'ec384', ecdsa(ec384.privateKey))],
  ])('%s', (_, token) => refused(token()));
});

describe('a token with an unsuitable key is refused', () => {
  it.each<Attack>([
    ['another secret', () => as('HS256', undefined, hmac('x'.repeat(64)))],
    ['another RSA key', () => as('RS256', 'rs', rsa(stranger.privateKey))],
    ['an RSA key of 1024 bits', () => as('RS256', 'weak', rsa(weak.privateKey))],
  ])('%s', (_, token) => refused(token()));

  const unusable = ['for encryption', 'to encrypt', 'of another algorithm', 'private', 'broken'];
  const unknown = ['nobody', 1, ['rs'], '__proto__'];
  it.each([...unusable, ...unknown])('the key %j', kid => refused(rs256({ kid })));

  it('a key that it carries, or a URL of one', async () => {
    const itsKey = jwk(stranger.publicKey, { kid: 'rs' });
    for (const header of [
      { jwk: itsKey },
      { jku: trap.url },
      { x5u: trap.url },
      { x5c: [der(stranger.publicKey).toString('base64')] },
    ]) {
      await refused(forge({ alg: 'RS256', kid: 'its own', ...header }, staff(), rsa(stranger.privateKey)));
    }
    expect(trap.asked).toBe(0);
  });
});

const order = Buffer.from('ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551', 'hex');
it.each<Attack>([
  ['ES256 of the order of the curve', () => as('ES256', 'ec', constant(Buffer.concat([order, order])))],
  ['of a token with other claims', () => hs256().replace(/\.[^.]+/, `.${base64url(staff())}`)],
  ['with spare bits set', () => hs256().replace(/.$/, last => String.fromCharCode(last.charCodeAt(0) + 1))],
])('a token is refused whose signature has another encoding, or is another token’s: %s', (_, token) =>
  refused(token()));

describe('a token in another format is refused', () => {
  const invalidUtf8 = () => Buffer.from(`{"x":"\xff",${JSON.stringify(staff()).slice(1)}`, 'latin1');
  it.each<Attack>([
    ['kid said twice, last another', () => forge('{"alg":"RS256","kid":"rs","kid":"ec"}', staff(), byRsa)],
    ['a payload that is not UTF-8', () => hs256(invalidUtf8())],
    ['longer than 8192 bytes', () => hs256(staff({ x: 'x'.repeat(6000) }))],
  ])('%s', (_, token) => refused(token()));

  it.each(['', '{}x'])('a payload of %j', text => refused(hs256(text)));

  it.each([[['exp']], [[]]])('crit %j', crit => refused(hs256(staff(), { crit, exp: 1 })));

  it.each(['logout+jwt', 'ID', 1])('typ %j', typ => refused(hs256(staff(), { typ })));
});

it('all of these tokens together cause a few fetches of the key set at most', () => {
  expect(keyServer.asked).toBeGreaterThan(0);
  expect(keyServer.asked).toBeLessThan(10);
});
