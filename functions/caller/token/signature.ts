/**
 * Verifies a token's signature, its times, its audience and its issuer (RFC 7515, 7519 and 8725). The key decides the
 * algorithm, never the token. Of the header's claims about keys, only `kid` is used. The keys and
 * the cache of verified claims belong to the worker's settings.
 */
import { decodeProtectedHeader, errors, type JWTPayload, type JWTVerifyOptions, jwtVerify } from 'jose';
import type { Env } from '../../common/env.ts';
import type { Failure } from '../../common/failure/failure.ts';
import { fail, ok, type Result } from '../../common/failure/result.ts';
import { kib, limits } from '../../common/limits.ts';
import { LruCache } from '../../common/lru-cache.ts';
import type { Claims } from './claims.ts';
import { KeySet } from './key-set.ts';

interface Trusted {
  /** Verifies HS256. */
  secret?: Uint8Array;
  /** Why JWT_SECRET is set but unusable. */
  problem?: string;
  /** Verifies ES256, RS256 and EdDSA. */
  keySet?: KeySet;
  audience?: string;
  issuer?: string;
  /** The claims of tokens that were verified under these settings. */
  verified: LruCache<Claims>;
}

/** Characters of the verified tokens that an isolate keeps: some thousand of the usual ones. Claims take about as many. */
const cachedCharacters = 1024 * kib;

/** Bytes: at least the size of the HS256 output (RFC 7518, section 3.2). */
const secretMinimum = 32;

type TokenSettings = Pick<Env, 'JWT_SECRET' | 'JWKS_URL' | 'JWT_AUDIENCE' | 'JWT_ISSUER'>;
let latest: { settings: TokenSettings; trusted: Trusted } | undefined;

/** Returns the same object for the same settings, which do not change while a worker runs. */
export function trustedBy({ JWT_SECRET, JWKS_URL, JWT_AUDIENCE, JWT_ISSUER }: Env): Trusted {
  const known = latest?.settings;
  if (
    latest &&
    known?.JWT_SECRET === JWT_SECRET &&
    known?.JWKS_URL === JWKS_URL &&
    known?.JWT_AUDIENCE === JWT_AUDIENCE &&
    known?.JWT_ISSUER === JWT_ISSUER
  ) {
    return latest.trusted;
  }
  const trusted: Trusted = {
    ...(JWT_SECRET && readSecret(JWT_SECRET)),
    ...(JWKS_URL && { keySet: new KeySet(JWKS_URL) }),
    ...(JWT_AUDIENCE && { audience: JWT_AUDIENCE }),
    ...(JWT_ISSUER && { issuer: JWT_ISSUER }),
    verified: new LruCache(cachedCharacters),
  };
  latest = { settings: { JWT_SECRET, JWKS_URL, JWT_AUDIENCE, JWT_ISSUER } as TokenSettings, trusted };
  return trusted;
}

/** Refuses a secret that is easy to guess, or that is a public key: anyone could sign tokens with it. */
function readSecret(text: string): Pick<Trusted, 'secret' | 'problem'> {
  const secret = new TextEncoder().encode(text);
  if (secret.length < secretMinimum) {
    return { problem: `JWT_SECRET has fewer than ${secretMinimum} bytes` };
  }
  return /-----BEGIN|"kty"/.test(text)
    ? { problem: 'JWT_SECRET is a public or private key, not a shared secret' }
    : { secret };
}

const { clockTolerance } = limits.token;
const secretAlgorithms = ['HS256'];
const keySetAlgorithms = ['ES256', 'RS256', 'EdDSA'];

const undecodable = "JWT couldn't be decoded or its signature is wrong";
const noKey = 'No suitable key or wrong key type';

/** Returns the failure of a key or a token of another service. */
export const refuseCredentials = (message: string) => fail<Failure>({ is: 'credentials refused', message });

export async function verifySignature(token: string, trusted: Trusted): Promise<Result<JWTPayload>> {
  const header = readHeader(token);
  if (!header.ok) {
    return header;
  }
  const { alg = '' } = header.value;
  if (trusted.problem !== undefined && secretAlgorithms.includes(alg)) {
    return fail({ is: 'misconfigured', reason: trusted.problem });
  }
  if (trusted.secret && secretAlgorithms.includes(alg)) {
    return verify(token, trusted.secret, secretAlgorithms, trusted);
  }
  if (!trusted.keySet || !keySetAlgorithms.includes(alg)) {
    return refuseCredentials('Wrong or unsupported encoding algorithm');
  }
  const keys = await trusted.keySet.keysFor(header.value);
  if (!keys.ok) {
    return keys;
  }
  let verified: Result<JWTPayload> = refuseCredentials(noKey);
  for (const key of keys.value) {
    verified = await verify(token, key, keySetAlgorithms, trusted);
    if (verified.ok || verified.failure.is === 'claims refused') {
      break;
    }
  }
  return verified;
}

type Header = ReturnType<typeof decodeProtectedHeader>;

function readHeader(token: string): Result<Header> {
  try {
    const header = decodeProtectedHeader(token);
    return isAccessToken(header.typ)
      ? ok(header)
      : refuseCredentials('The token is not an access token: it has another typ');
  } catch {
    return refuseCredentials(undecodable);
  }
}

/** Whether `typ` is an access token's: tokens for other purposes have another one (RFC 8725, section 3.11). */
const isAccessToken = (typ: unknown): boolean =>
  typ === undefined || (typeof typ === 'string' && /^(?:application\/)?(?:at\+)?jwt$/i.test(typ));

async function verify(
  token: string,
  key: CryptoKey | Uint8Array,
  algorithms: string[],
  { audience, issuer }: Trusted,
): Promise<Result<JWTPayload>> {
  const options: JWTVerifyOptions = {
    algorithms,
    clockTolerance,
    ...(audience && { audience }),
    ...(issuer && { issuer }),
  };
  try {
    const { payload } = await jwtVerify(token, key, options);
    const isFromFuture = payload.iat !== undefined && payload.iat > Date.now() / 1000 + clockTolerance;
    return isFromFuture ? fail({ is: 'claims refused', message: 'JWT issued at future' }) : ok(payload);
  } catch (error) {
    return fail(describe(error));
  }
}

function describe(error: unknown): Failure {
  if (error instanceof errors.JWTExpired) {
    return { is: 'claims refused', message: 'JWT expired' };
  }
  if (error instanceof errors.JWTClaimValidationFailed) {
    const isEarly = error.claim === 'nbf' && error.reason === 'check_failed';
    return { is: 'claims refused', message: isEarly ? 'JWT not yet valid' : `JWT ${error.claim} refused` };
  }
  // Another error means that the key itself is unusable, for example RSA with fewer than 2048 bits.
  return { is: 'credentials refused', message: error instanceof errors.JOSEError ? undecodable : noKey };
}
