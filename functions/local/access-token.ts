/** Access tokens as the login service issues them, signed with this deployment's JWT_SECRET. */
import { SignJWT } from 'jose';

export interface TokenHolder {
  /** The user's id, which is the id of its personal account. */
  account: string;
  /** The team accounts that the user is a member of. */
  also?: string[];
  staff?: boolean;
  /** Further or different claims, for tests of the checks. */
  claims?: Record<string, unknown>;
}

/** Returns a token that is valid for 24 hours. */
export function createAccessToken(jwtSecret: string, holder: TokenHolder): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({
    sub: holder.account,
    role: 'authenticated',
    aud: 'authenticated',
    iat: now,
    exp: now + 24 * 60 * 60,
    app_metadata: { account_ids: holder.also ?? [], ...(holder.staff && { role: 'admin' }) },
    ...holder.claims,
  })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .sign(new TextEncoder().encode(jwtSecret));
}
