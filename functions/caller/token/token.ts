/** Access token → verified claims. What these permit is decided elsewhere. */
import type { Env } from '../../common/env.ts';
import { ok, type Result } from '../../common/failure/result.ts';
import { limits } from '../../common/limits.ts';
import { type Claims, readClaims } from './claims.ts';
import { describeFragment } from './fragment.ts';
import { refuseCredentials, trustedBy, verifySignature } from './signature.ts';

/** Seconds for which a verified token is not verified again; less when it expires earlier. */
const cachedSeconds = 300;

/** Cost of a cached token besides its characters. */
const cachedOverhead = 512;

/** Whether a text has three base64url parts with dots between them; `verifyToken` says whether they are a token. */
export const looksLikeToken = (text: string): boolean => /^[\w-]+\.[\w-]+\.[\w-]*$/.test(text);

/** Whether a part is base64url without spare bits, so that each token has a single spelling. */
const isCanonical = (part: string): boolean =>
  /^(?:[\w-]{4})*(?:[\w-][AQgw]|[\w-]{2}[AEIMQUYcgkosw048])?$/.test(part);

export async function verifyToken(token: string, env: Env): Promise<Result<Claims>> {
  if (token.length > limits.token.bytes) {
    return refuseCredentials(`The token is longer than ${limits.token.bytes} bytes`);
  }
  const trusted = trustedBy(env);
  const cached = trusted.verified.get(token);
  if (cached) {
    return ok(cached);
  }
  const fragment = describeFragment(token);
  if (fragment !== undefined) {
    return refuseCredentials(fragment);
  }
  if (!token.split('.').every(isCanonical)) {
    return refuseCredentials('The token is not valid base64url');
  }
  const payload = await verifySignature(token, trusted);
  if (!payload.ok) {
    return payload;
  }
  const claims = readClaims(payload.value);
  if (claims.ok) {
    const expiresIn = (payload.value.exp ?? Number.POSITIVE_INFINITY) * 1000 - Date.now();
    trusted.verified.set(
      token,
      claims.value,
      token.length + cachedOverhead,
      Math.min(expiresIn, cachedSeconds * 1000),
    );
  }
  return claims;
}
