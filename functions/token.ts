/** Access tokens: signature, times, audience, issuer and the claims this service reads. Not what they permit. */
import {
  createRemoteJWKSet,
  decodeProtectedHeader,
  errors,
  type JWTPayload,
  type JWTVerifyOptions,
  jwtVerify,
} from 'jose';
import * as v from 'valibot';
import type { Env } from './env.ts';
import type { Failure } from './failure.ts';
import { fail, ok, type Result } from './result.ts';

const appMetadata = v.optional(
  v.object({
    role: v.optional(v.string()),
    account_ids: v.optional(v.array(v.pipe(v.string(), v.uuid()))),
  }),
  {},
);
const claimsSchema = v.variant('role', [
  v.object({ role: v.picklist(['anon', 'service_role']) }),
  v.object({
    role: v.literal('authenticated'),
    sub: v.pipe(v.string(), v.uuid()),
    app_metadata: appMetadata,
  }),
]);

/** The claims that decide anything, and no others: this is what the database sees. */
export type Claims = v.InferOutput<typeof claimsSchema>;

const clockTolerance = 30;
/** A verified token is believed for so many seconds without looking at its signature again. */
const rememberedFor = 300;
const rememberedAtMost = 1000;
/** Bytes; longer ones are refused unread. */
const tokenLimit = 8192;

const remembered = new Map<string, { claims: Claims; until: number }>();
const keySets = new Map<string, ReturnType<typeof createRemoteJWKSet>>();

/** Three parts with dots between them; whether they are a token, `verifyToken` says. */
export const looksLikeToken = (text: string): boolean => /^[\w-]+\.[\w-]+\.[\w-]*$/.test(text);

export async function verifyToken(token: string, env: Env): Promise<Result<Claims>> {
  const now = Date.now() / 1000;
  const known = remembered.get(token);
  if (known && known.until > now) {
    return ok(known.claims);
  }
  if (token.length > tokenLimit) {
    return fail<Failure>({ is: 'credentials refused', message: 'The token is too long' });
  }
  const payload = await verifySignature(token, env);
  if (!payload.ok) {
    return payload;
  }
  const claims = v.safeParse(claimsSchema, payload.value);
  if (!claims.success) {
    const at = v.getDotPath(claims.issues[0]) ?? 'claims';
    return fail<Failure>({
      is: 'claims refused',
      message: `The token's ${at} is not what this service accepts`,
    });
  }
  const expires = payload.value.exp ?? Number.POSITIVE_INFINITY;
  remember(token, claims.output, Math.min(expires, now + rememberedFor));
  return ok(claims.output);
}

function remember(token: string, claims: Claims, until: number): void {
  if (remembered.size >= rememberedAtMost) {
    for (const oldest of remembered.keys()) {
      remembered.delete(oldest);
      break;
    }
  }
  remembered.set(token, { claims, until });
}

/** The key decides the algorithm, never the token: the secret verifies HS256, the key set asymmetric ones. */
async function verifySignature(token: string, env: Env): Promise<Result<JWTPayload>> {
  const options: JWTVerifyOptions = {
    clockTolerance,
    ...(env.JWT_AUDIENCE && { audience: env.JWT_AUDIENCE }),
    ...(env.JWT_ISSUER && { issuer: env.JWT_ISSUER }),
  };
  const alg = readAlgorithm(token);
  try {
    if (alg === 'HS256' && env.JWT_SECRET) {
      const secret = new TextEncoder().encode(env.JWT_SECRET);
      return ok((await jwtVerify(token, secret, { ...options, algorithms: ['HS256'] })).payload);
    }
    if (env.JWKS_URL && alg !== undefined && alg !== 'HS256') {
      const algorithms = ['ES256', 'RS256', 'EdDSA'];
      return ok((await jwtVerify(token, keySet(env.JWKS_URL), { ...options, algorithms })).payload);
    }
    return fail<Failure>({ is: 'credentials refused', message: 'Wrong or unsupported encoding algorithm' });
  } catch (error) {
    return fail(describe(error));
  }
}

/** Of a header that is none, nothing. */
function readAlgorithm(token: string): string | undefined {
  try {
    return decodeProtectedHeader(token).alg;
  } catch {
    return undefined;
  }
}

function keySet(url: string): ReturnType<typeof createRemoteJWKSet> {
  const known = keySets.get(url);
  if (known) {
    return known;
  }
  const created = createRemoteJWKSet(new URL(url), { timeoutDuration: 3000 });
  keySets.set(url, created);
  return created;
}

/** The key set timed out, was not JSON, or its server did not answer 200. */
const unreachable = new Set(['ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID', 'ERR_JOSE_GENERIC']);

function describe(error: unknown): Failure {
  if (error instanceof errors.JWTExpired) {
    return { is: 'claims refused', message: 'JWT expired' };
  }
  if (error instanceof errors.JWTClaimValidationFailed) {
    return {
      is: 'claims refused',
      message: error.claim === 'nbf' ? 'JWT not yet valid' : `JWT ${error.claim} refused`,
    };
  }
  if (!(error instanceof errors.JOSEError) || unreachable.has(error.code)) {
    return { is: 'keys unavailable' };
  }
  if (error instanceof errors.JWKSNoMatchingKey) {
    return { is: 'credentials refused', message: 'No suitable key or wrong key type' };
  }
  return { is: 'credentials refused', message: "JWT couldn't be decoded or its signature is wrong" };
}
