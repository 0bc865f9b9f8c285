/** Whose signatures count, by a worker's settings. */
import type { Env } from '../common/env.ts';
import { KeySet } from './key-set.ts';
import { VerifiedTokens } from './verified-tokens.ts';

export interface Trusted {
  /** Verifies HS256. */
  secret?: Uint8Array;
  /** Why there is no secret, though one was set. */
  problem?: string;
  /** Verifies ES256, RS256 and EdDSA. */
  keySet?: KeySet;
  audience?: string;
  issuer?: string;
  /** What was verified by all that. */
  verified: VerifiedTokens;
}

/** Bytes: as many as HS256 makes (RFC 7518, section 3.2). */
const secretMinimum = 32;

type Settings = Pick<Env, 'JWT_SECRET' | 'JWKS_URL' | 'JWT_AUDIENCE' | 'JWT_ISSUER'>;
let latest: { settings: Settings; trusted: Trusted } | undefined;

/** One object for as long as the settings are the same, which a worker's are for as long as it runs. */
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
    verified: new VerifiedTokens(),
  };
  latest = { settings: { JWT_SECRET, JWKS_URL, JWT_AUDIENCE, JWT_ISSUER } as Settings, trusted };
  return trusted;
}

/** A secret that can be guessed, or that is a public key, would let anyone sign. */
function readSecret(text: string): Pick<Trusted, 'secret' | 'problem'> {
  const secret = new TextEncoder().encode(text);
  if (secret.length < secretMinimum) {
    return { problem: `JWT_SECRET has fewer than ${secretMinimum} bytes` };
  }
  return /-----BEGIN|"kty"/.test(text) ? { problem: 'JWT_SECRET is a key of another kind' } : { secret };
}
