/** The keys and claims that a worker's settings trust. */
import type { Env } from '../common/env.ts';
import { limits } from '../common/limits.ts';
import { LruCache } from '../common/lru-cache.ts';
import type { Claims } from './claims.ts';
import { KeySet } from './key-set.ts';

export interface Trusted {
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

/** Bytes: at least the size of the HS256 output (RFC 7518, section 3.2). */
const secretMinimum = 32;

type Settings = Pick<Env, 'JWT_SECRET' | 'JWKS_URL' | 'JWT_AUDIENCE' | 'JWT_ISSUER'>;
let latest: { settings: Settings; trusted: Trusted } | undefined;

/** Returns the same object while the settings are the same, which is as long as a worker runs. */
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
    verified: new LruCache(limits.token.cached),
  };
  latest = { settings: { JWT_SECRET, JWKS_URL, JWT_AUDIENCE, JWT_ISSUER } as Settings, trusted };
  return trusted;
}

/** Refuses a secret that is easy to guess, or that is a public key: anyone could sign tokens with it. */
function readSecret(text: string): Pick<Trusted, 'secret' | 'problem'> {
  const secret = new TextEncoder().encode(text);
  if (secret.length < secretMinimum) {
    return { problem: `JWT_SECRET has fewer than ${secretMinimum} bytes` };
  }
  return /-----BEGIN|"kty"/.test(text) ? { problem: 'JWT_SECRET is a key of another kind' } : { secret };
}
