/** The attacks of RFC 8725 and similar ones: forged tokens of staff, sent to a worker in workerd. Claims are in token.test.ts. */
import { generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
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
const strangerEc = generateKeyPairSync('ec', { namedCurve: 'P-256' });

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
  ['typ JWT', () => hs256(staff(), { typ: 'JWT' })],
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
  it.each(['none', 'nOnE', ' none', 'none\0', '', null, 0, undefined, ['none']])('alg %j', async alg => {
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
    for (const length of [0, 1, 32, 64, 256]) {
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
    ['HS256 with no secret', () => as('HS256', undefined, hmac(''))],
    ['HS256 with a secret of the key set', () => as('HS256', 'oct', hmac(octet))],
    ['HS384 with the secret', () => as('HS384', undefined, hmac(service.jwtSecret, 384))],
    ['a list of HS256', () => as(['HS256'], undefined, secret)],
    ['RS256, and the secret has signed it', () => as('RS256', 'rs', secret)],
    ['RS256 with the key of a curve', () => as('RS256', 'ec', byEc)],
    ['ES256 with a key of P-384', () => as('ES256', 'ec384', ecdsa(ec384.privateKey))],
    ['__proto__', () => forge('{"alg":"__proto__"}', staff(), secret)],
  ])('%s', (_, token) => refused(token()));
});

describe('a token with an unsuitable key is refused', () => {
  it.each<Attack>([
    ['another secret', () => as('HS256', undefined, hmac('x'.repeat(64)))],
    ['another RSA key', () => as('RS256', 'rs', rsa(stranger.privateKey))],
    ['another key of the curve, without a kid', () => as('ES256', undefined, ecdsa(strangerEc.privateKey))],
    ['an RSA key of 1024 bits', () => as('RS256', 'weak', rsa(weak.privateKey))],
    ['a kid that is a path', () => as('HS256', '../../dev/null', hmac(''))],
  ])('%s', (_, token) => refused(token()));

  const unusable = ['for encryption', 'to encrypt', 'of another algorithm', 'private', 'broken'];
  const unknown = ['nobody', 'RS', 1, { kid: 'rs' }, ['rs'], null, '', "x' union select 'rs", '__proto__'];
  it.each([...unusable, ...unknown])('the key %j', kid => refused(rs256({ kid })));

  it('a key that it carries, or a URL of one', async () => {
    const itsKey = jwk(stranger.publicKey, { kid: 'rs' });
    for (const header of [
      { jwk: itsKey },
      { jku: trap.url },
      { x5u: trap.url },
      { x5c: [der(stranger.publicKey).toString('base64')] },
      { jwk: itsKey, jku: trap.url, x5u: trap.url, x5c: [], x5t: 'x' },
    ]) {
      for (const kid of ['rs', 'its own', undefined]) {
        await refused(forge({ alg: 'RS256', kid, ...header }, staff(), rsa(stranger.privateKey)));
      }
    }
    expect(trap.asked).toBe(0);
  });
});

const order = Buffer.from('ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551', 'hex');
it.each<Attack>([
  ['ES256 of zeros', () => as('ES256', 'ec', constant(new Uint8Array(64)))],
  ['ES256 of the order of the curve', () => as('ES256', 'ec', constant(Buffer.concat([order, order])))],
  ['ES256 in DER', () => as('ES256', 'ec', ecdsa(ec.privateKey, 'der'))],
  ['ES256 and a byte', () => as('ES256', 'ec', signed => Buffer.concat([byEc(signed), Buffer.of(0)]))],
  ['RS256 of one', () => as('RS256', 'rs', constant(Buffer.concat([Buffer.alloc(255), Buffer.of(1)])))],
  ['of a token with other claims', () => hs256().replace(/\.[^.]+/, `.${base64url(staff())}`)],
  ['padded', () => `${hs256()}=`],
  ['with spare bits set', () => hs256().replace(/.$/, last => String.fromCharCode(last.charCodeAt(0) + 1))],
  ['in the other base64', () => `${hs256().slice(0, -2)}+/`],
])('a token is refused whose signature has another encoding, or is another token’s: %s', (_, token) =>
  refused(token()));

describe('a token in another format is refused', () => {
  const invalidUtf8 = () => Buffer.from(`{"x":"\xff",${JSON.stringify(staff()).slice(1)}`, 'latin1');
  const unencoded = () => {
    const signed = `${base64url({ alg: 'HS256', b64: false, crit: ['b64'] })}.${base64url(staff())}`;
    return `${signed}.${base64url(secret(signed))}`;
  };

  it.each<Attack>([
    ['nested', () => hs256(hs256(), { cty: 'JWT' })],
    ['compressed', () => hs256(deflateRawSync(JSON.stringify(staff())), { zip: 'DEF' })],
    ['a payload that is not encoded', unencoded],
    ['alg said twice, last none', () => forge('{"alg":"HS256","alg":"none"}', staff(), secret)],
    ['kid said twice, last another', () => forge('{"alg":"RS256","kid":"rs","kid":"ec"}', staff(), byRsa)],
    ['a header that is a list', () => forge('[{"alg":"HS256"}]', staff(), secret)],
    ['no header', () => forge('', staff(), secret)],
    ['a payload that is not UTF-8', () => hs256(invalidUtf8())],
    ['longer than 8192 bytes', () => hs256(staff({ x: 'x'.repeat(6000) }))],
    ['five parts', () => `${hs256()}.e30.e30`],
  ])('%s', (_, token) => refused(token()));

  it.each(['', 'null', '"admin"', '{}x'])('a payload of %j', text => refused(hs256(text)));

  it.each([['exp'], [], 'exp', ['b64'], ['constructor']])('crit %j', crit =>
    refused(hs256(staff(), { crit, exp: 1 })));

  it.each(['logout+jwt', 'dpop+jwt', 'ID', 'Refresh', 'JWE', '', 1, null])('typ %j', typ =>
    refused(hs256(staff(), { typ })));
});

it('all of these tokens together cause a few fetches of the key set at most', () => {
  expect(keyServer.asked).toBeGreaterThan(0);
  expect(keyServer.asked).toBeLessThan(10);
});
