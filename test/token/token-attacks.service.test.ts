/** The attacks of RFC 8725 and similar ones: forged tokens of staff, sent to a worker in workerd. */
import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answering, type KeyServer, startKeyServer } from '../setup/key-server.ts';
import { aQuote } from '../setup/rows.ts';
import { type Service, startService } from '../setup/service.ts';
import { callerOf } from '../setup/wire.ts';
import {
  base64url,
  constant,
  ecdsa,
  ed25519,
  forge,
  hmac,
  type Part,
  rsa,
  rsaPss,
  type Signer,
  unsigned,
} from './forge.ts';

const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const ec384 = generateKeyPairSync('ec', { namedCurve: 'P-384' });
const rs = generateKeyPairSync('rsa', { modulusLength: 2048 });
const weak = generateKeyPairSync('rsa', { modulusLength: 1024 });
const ed = generateKeyPairSync('ed25519');
const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 });
const strangerEc = generateKeyPairSync('ec', { namedCurve: 'P-256' });

const jwk = (key: KeyObject, more: object) => ({ ...key.export({ format: 'jwk' }), ...more });
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
  { kty: 'oct', kid: 'oct', k: Buffer.from('a secret in a key set, of all places').toString('base64url') },
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
  service = await startService({
    bindings: { JWKS_URL: keyServer.url, JWT_AUDIENCE: 'authenticated', JWT_ISSUER: issuer },
  });
  await callerOf(service, service.secretKey).send('POST', '/quotes', aQuote(account));
});
afterAll(() => Promise.all([service.stop(), keyServer.stop(), trap.stop()]));

const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;
const staff = (more: object = {}) => ({
  role: 'authenticated',
  sub: account,
  app_metadata: { role: 'admin' },
  aud: 'authenticated',
  iss: issuer,
  exp: inSeconds(600),
  jti: randomUUID(),
  ...more,
});
const secret = (): Signer => hmac(service.jwtSecret);
const hs256 = (payload: Part = staff(), header: object = {}) =>
  forge({ alg: 'HS256', ...header }, payload, secret());
const rs256 = (header: object = {}, payload: Part = staff()) =>
  forge({ alg: 'RS256', kid: 'rs', ...header }, payload, rsa(rs.privateKey));
const pem = (key: KeyObject, type: 'spki' | 'pkcs1' = 'spki') =>
  String(key.export({ format: 'pem', type: type as 'spki' }));
const der = (key: KeyObject) => key.export({ format: 'der', type: 'spki' });

const read = (token: string) => callerOf(service, service.publishableKey, token).get('/quotes?select=id');

describe('a valid token', () => {
  const good: [what: string, token: () => string][] = [
    ['HS256', () => hs256()],
    ['RS256', () => rs256()],
    ['ES256', () => forge({ alg: 'ES256', kid: 'ec' }, staff(), ecdsa(ec.privateKey))],
    ['EdDSA', () => forge({ alg: 'EdDSA', kid: 'ed' }, staff(), ed25519(ed.privateKey))],
    ['typ JWT', () => hs256(staff(), { typ: 'JWT' })],
    ['typ at+jwt', () => hs256(staff(), { typ: 'application/at+JWT' })],
    ['several audiences', () => hs256(staff({ aud: ['x', 'authenticated'] }))],
    ['a payload with a byte order mark', () => hs256(`\ufeff${JSON.stringify(staff())}`)],
    [
      'a name said twice, of which the last counts',
      () => hs256(`{"exp":1,${JSON.stringify(staff()).slice(1)}`),
    ],
  ];
  it.each(good)('gives access to what its holder may see: %s', async (_, token) => {
    expect(await read(token())).toMatchObject({ status: 200, body: [{ id: expect.any(String) }] });
  });
});

type Attack = [what: string, token: () => string, code?: string];

/** Expects a refusal with a reason and WWW-Authenticate, which repeats nothing of the token. */
async function refused(token: string, code = 'PGRST301'): Promise<void> {
  const { status, headers, body, text } = await read(token);
  expect(status, text).toBe(401);
  expect(body).toMatchObject({ code, message: expect.stringMatching(/\w{3}/) });
  expect(headers.get('www-authenticate')).toMatch(
    /^Bearer error="invalid_token", error_description="[^"]+"$/,
  );
  for (const part of [
    ...token.split('.').filter(part => part.length > 8),
    service.jwtSecret,
    keyServer.url,
  ]) {
    expect(text).not.toContain(part);
  }
}

describe('a token without a signature is refused', () => {
  const none: unknown[] = [
    'none',
    'None',
    'NONE',
    'nOnE',
    ' none',
    'none\0',
    '',
    null,
    0,
    undefined,
    ['none'],
  ];
  it.each(none)('alg %j', async alg => {
    await refused(forge({ alg }, staff(), unsigned));
    await refused(forge({ alg }, staff(), secret()));
    await refused(forge({ alg }, staff(), constant(Buffer.from('none'))));
  });

  it.each(['HS256', 'RS256', 'ES256', 'EdDSA'])('alg %s', async alg => {
    const kid = { RS256: 'rs', ES256: 'ec', EdDSA: 'ed' }[alg];
    for (const length of [0, 1, 32, 64, 256]) {
      await refused(forge({ alg, kid }, staff(), constant(new Uint8Array(length))));
    }
  });
});

const publicForms: [form: string, key: () => string | Uint8Array][] = [rs.publicKey, ec.publicKey].flatMap(
  (key): [string, () => string | Uint8Array][] => [
    ['PEM', () => pem(key)],
    ['PEM without its last line break', () => pem(key).trim()],
    ['DER', () => der(key)],
    ['DER in base64', () => der(key).toString('base64')],
    ['JWK', () => JSON.stringify(key.export({ format: 'jwk' }))],
    ['JWK as it is published', () => JSON.stringify(keys[key === rs.publicKey ? 1 : 0])],
    ['its first member', () => String(key.export({ format: 'jwk' }).n ?? key.export({ format: 'jwk' }).x)],
  ],
);

describe('a token whose algorithm is not that of the key is refused', () => {
  it.each(publicForms)('HS256 with a public key as its secret: %s', async (_, key) => {
    for (const kid of [undefined, 'rs', 'ec']) {
      await refused(forge({ alg: 'HS256', kid }, staff(), hmac(key())));
    }
  });

  const confused: Attack[] = [
    [
      'HS256 with a public key in PKCS1',
      () => forge({ alg: 'HS256' }, staff(), hmac(pem(rs.publicKey, 'pkcs1'))),
    ],
    ['HS256 with no secret', () => forge({ alg: 'HS256' }, staff(), hmac(''))],
    [
      'HS256 with a secret of the key set',
      () => forge({ alg: 'HS256', kid: 'oct' }, staff(), hmac('a secret in a key set, of all places')),
    ],
    ['HS384 with the secret', () => forge({ alg: 'HS384' }, staff(), hmac(service.jwtSecret, 384))],
    ['HS512 with the secret', () => forge({ alg: 'HS512' }, staff(), hmac(service.jwtSecret, 512))],
    ['hs256', () => forge({ alg: 'hs256' }, staff(), secret())],
    ['[HS256]', () => forge({ alg: ['HS256'] }, staff(), secret())],
    ['RS256, and the secret has signed it', () => forge({ alg: 'RS256', kid: 'rs' }, staff(), secret())],
    [
      'RS256 with the key of a curve',
      () => forge({ alg: 'RS256', kid: 'ec' }, staff(), ecdsa(ec.privateKey)),
    ],
    ['ES256 with an RSA key', () => forge({ alg: 'ES256', kid: 'rs' }, staff(), rsa(rs.privateKey))],
    [
      'ES256 with a key of P-384',
      () => forge({ alg: 'ES256', kid: 'ec384' }, staff(), ecdsa(ec384.privateKey)),
    ],
    [
      'ES384',
      () => forge({ alg: 'ES384', kid: 'ec384' }, staff(), ecdsa(ec384.privateKey, 'ieee-p1363', 384)),
    ],
    ['PS256', () => forge({ alg: 'PS256', kid: 'rs' }, staff(), rsaPss(rs.privateKey))],
    ['RS384', () => forge({ alg: 'RS384', kid: 'rs' }, staff(), rsa(rs.privateKey, 384))],
    ['RS1', () => forge({ alg: 'RS1', kid: 'rs' }, staff(), rsa(rs.privateKey))],
    ['__proto__', () => forge('{"alg":"__proto__"}', staff(), secret())],
    ['constructor', () => forge({ alg: 'constructor' }, staff(), secret())],
    ['A256GCMKW', () => forge({ alg: 'A256GCMKW', enc: 'A256GCM' }, staff(), secret())],
  ];
  it.each(confused)('%s', (_, token) => refused(token()));
});

describe('a token with an unsuitable key is refused', () => {
  const wrong: Attack[] = [
    ['another secret', () => forge({ alg: 'HS256' }, staff(), hmac('x'.repeat(64)))],
    ['another RSA key', () => forge({ alg: 'RS256', kid: 'rs' }, staff(), rsa(stranger.privateKey))],
    [
      'another key of the curve',
      () => forge({ alg: 'ES256', kid: 'ec' }, staff(), ecdsa(strangerEc.privateKey)),
    ],
    ['an RSA key of 1024 bits', () => forge({ alg: 'RS256', kid: 'weak' }, staff(), rsa(weak.privateKey))],
    ['a key for encryption', () => rs256({ kid: 'for encryption' })],
    ['a key that may only encrypt', () => rs256({ kid: 'to encrypt' })],
    ['a key of another algorithm', () => rs256({ kid: 'of another algorithm' })],
    ['a private key in the set', () => rs256({ kid: 'private' })],
    ['a broken key', () => rs256({ kid: 'broken' })],
    ['an unknown kid', () => rs256({ kid: 'nobody' })],
    ['a kid in capitals', () => rs256({ kid: 'RS' })],
    ['a kid that is a number', () => rs256({ kid: 1 })],
    ['a kid that is an object', () => rs256({ kid: { kid: 'rs' } })],
    ['a kid that is a list', () => rs256({ kid: ['rs'] })],
    ['a kid that is null', () => rs256({ kid: null })],
    ['a kid that is empty', () => rs256({ kid: '' })],
    ['a kid that is a path', () => forge({ alg: 'HS256', kid: '../../dev/null' }, staff(), hmac(''))],
    ['a kid that is SQL', () => rs256({ kid: "x' union select 'rs" })],
    ['a kid of the prototype', () => rs256({ kid: '__proto__' })],
    ['no kid, and another key', () => forge({ alg: 'ES256' }, staff(), ecdsa(strangerEc.privateKey))],
  ];
  it.each(wrong)('%s', (_, token) => refused(token()));

  const embedded = (): [string, object][] => {
    const itsKey = jwk(stranger.publicKey, { kid: 'rs' });
    return [
      ['jwk', { jwk: itsKey }],
      ['jku', { jku: trap.url }],
      ['x5u', { x5u: trap.url }],
      ['x5c', { x5c: [der(stranger.publicKey).toString('base64')] }],
      ['all of them', { jwk: itsKey, jku: trap.url, x5u: trap.url, x5c: [], x5t: 'x' }],
    ];
  };
  it('a key that it carries, or a URL of one', async () => {
    for (const [, header] of embedded()) {
      for (const kid of ['rs', 'its own', undefined]) {
        await refused(forge({ alg: 'RS256', kid, ...header }, staff(), rsa(stranger.privateKey)));
      }
    }
    expect(trap.asked).toBe(0);
  });
});

describe('a signature in another encoding is refused', () => {
  const zeros = new Uint8Array(64);
  const order = Buffer.from(
    'ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551'.repeat(2),
    'hex',
  );
  const es256 = (signer: Signer) => forge({ alg: 'ES256', kid: 'ec' }, staff(), signer);
  const forms: Attack[] = [
    ['ES256 of zeros', () => es256(constant(zeros))],
    ['ES256 of the order of the curve', () => es256(constant(order))],
    ['ES256 in DER', () => es256(ecdsa(ec.privateKey, 'der'))],
    [
      'ES256 and a byte',
      () => es256(signed => Buffer.concat([ecdsa(ec.privateKey)(signed), zeros.subarray(0, 1)])),
    ],
    [
      'HS256 and a byte',
      () =>
        forge({ alg: 'HS256' }, staff(), signed => Buffer.concat([secret()(signed), zeros.subarray(0, 1)])),
    ],
    ['half of HS256', () => forge({ alg: 'HS256' }, staff(), signed => secret()(signed).subarray(0, 16))],
    [
      'RS256 of one',
      () =>
        forge(
          { alg: 'RS256', kid: 'rs' },
          staff(),
          constant(Buffer.concat([Buffer.alloc(255), Buffer.of(1)])),
        ),
    ],
    [
      'with other claims',
      () => {
        const [header, , signature] = hs256(staff({ app_metadata: {} })).split('.');
        return `${header}.${base64url(staff())}.${signature}`;
      },
    ],
    [
      'with another header',
      () => {
        const [, payload, signature] = rs256().split('.');
        return `${base64url({ alg: 'RS256', kid: 'rs', typ: 'JWT' })}.${payload}.${signature}`;
      },
    ],
    ['padded', () => `${hs256()}=`],
    ['padded in the middle', () => hs256().replace('.', '=.')],
    ['with spare bits set', () => hs256().replace(/.$/, last => String.fromCharCode(last.charCodeAt(0) + 1))],
    ['in the other base64', () => `${hs256().slice(0, -2)}+/`],
  ];
  it.each(forms)('%s', (_, token) => refused(token()));
});

describe('a token in another format is refused', () => {
  const invalidUtf8 = () =>
    Buffer.concat([
      Buffer.from('{"x":"'),
      Buffer.of(0xff, 0xfe),
      Buffer.from(`",${JSON.stringify(staff()).slice(1)}`),
    ]);
  const shapes: Attack[] = [
    ['nested', () => hs256(hs256(), { cty: 'JWT' })],
    ['nested twice', () => hs256(hs256(hs256(), { cty: 'JWT' }), { cty: 'JWT' })],
    ['compressed', () => hs256(deflateRawSync(JSON.stringify(staff())), { zip: 'DEF' })],
    [
      'encrypted and compressed',
      () => ['{"alg":"dir","enc":"A256GCM","zip":"DEF"}', '', 'iv', 'text', 'tag'].map(base64url).join('.'),
    ],
    ['crit with a name we do not know', () => hs256(staff(), { crit: ['exp'], exp: 1 })],
    ['crit of nothing', () => hs256(staff(), { crit: [] })],
    ['crit that is no list', () => hs256(staff(), { crit: 'exp' })],
    ['crit without its member', () => hs256(staff(), { crit: ['b64'] })],
    ['crit of the prototype', () => hs256(staff(), { crit: ['constructor'] })],
    [
      'a payload that is not encoded',
      () => {
        const header = base64url({ alg: 'HS256', b64: false, crit: ['b64'] });
        const signed = `${header}.${base64url(staff())}`;
        return `${signed}.${base64url(secret()(signed))}`;
      },
    ],
    [
      'a header said twice, the last of which is none',
      () => forge('{"alg":"HS256","alg":"none"}', staff(), secret()),
    ],
    [
      'a header said twice, the last of which has no such key',
      () => forge('{"alg":"RS256","kid":"rs","kid":"ec"}', staff(), rsa(rs.privateKey)),
    ],
    ['a header that is a list', () => forge('[{"alg":"HS256"}]', staff(), secret())],
    ['a header that is no JSON', () => forge("{alg:'HS256'}", staff(), secret())],
    ['no header', () => forge('', staff(), secret())],
    ['a payload that is not UTF-8', () => hs256(invalidUtf8())],
    ...['', 'null', '[]', '"admin"', '1', '{', '{}x'].map(
      (text): Attack => [`a payload of ${text || 'nothing'}`, () => hs256(text)],
    ),
    ['nested deeply', () => hs256(`${'['.repeat(3000)}${']'.repeat(3000)}`)],
    ['longer than 8192 bytes', () => hs256(staff({ x: 'x'.repeat(6000) }))],
    ['much longer', () => hs256(staff({ x: 'x'.repeat(24_000) }))],
    ['five parts', () => `${hs256()}.e30.e30`],
    ['two parts', () => hs256().replace(/\.[^.]+$/, '')],
    ['dots', () => '...'],
  ];
  it.each(shapes)('%s', (_, token) => refused(token()));

  it.each(['logout+jwt', 'dpop+jwt', 'secevent+jwt', 'ID', 'Refresh', 'JWE', '', 1, null])('typ %j', typ =>
    refused(hs256(staff(), { typ })));
});

describe('a token for another time, audience or issuer is refused', () => {
  const claims: [what: string, claims: () => object][] = [
    ['expired', () => ({ exp: inSeconds(-40) })],
    ['not yet valid', () => ({ nbf: inSeconds(60) })],
    ['issued in the future', () => ({ iat: inSeconds(60) })],
    ['without exp', () => ({ exp: undefined })],
    ...['exp', 'nbf', 'iat'].flatMap(name =>
      ['9999999999', null, [9999999999], {}, true].map((value): [string, () => object] => [
        `${name} ${JSON.stringify(value)}`,
        () => ({ [name]: value }),
      ]),
    ),
    ['exp before 1970', () => ({ exp: -1 })],
    ...['Authenticated', 'authenticated ', '', null, [], ['x'], {}, [['authenticated']], 1, undefined].map(
      (aud): [string, () => object] => [`aud ${JSON.stringify(aud)}`, () => ({ aud })],
    ),
    ...['https://login.example.com/', 'HTTPS://login.example.com', '', null, [issuer], {}, undefined].map(
      (iss): [string, () => object] => [`iss ${JSON.stringify(iss)}`, () => ({ iss })],
    ),
  ];
  it.each(claims)('%s', (_, claims) => refused(hs256(staff(claims())), 'PGRST303'));

  it('with an infinite exp', () =>
    refused(hs256(JSON.stringify(staff({ exp: 0 })).replace('"exp":0', '"exp":1e999')), 'PGRST303'));

  it('with two exp claims, the last of which has passed', () =>
    refused(hs256(`${JSON.stringify(staff()).slice(0, -1)},"exp":1}`), 'PGRST303'));
});

it('all of these tokens together cause a few fetches of the key set at most', () => {
  expect(keyServer.asked).toBeGreaterThan(0);
  expect(keyServer.asked).toBeLessThan(10);
});
