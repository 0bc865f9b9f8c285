/** The claims of a token that somebody we trust has signed: who its holder is. Not what that permits. */
import type { JWTPayload } from 'jose';
import * as v from 'valibot';
import { fail, ok, type Result } from '../common/result.ts';
import type { Failure } from '../failure/failure.ts';

/** The account that stands for everyone is nobody's, or its holder would own the system messages. */
const everyone = '00000000-0000-0000-0000-000000000000';
const uuid = v.pipe(v.string(), v.uuid(), v.toLowerCase(), v.notValue(everyone));

/** Other roles than those of staff are the login service's own business. */
const staffRole = v.pipe(
  v.string(),
  v.transform(role => (role === 'admin' || role === 'sales' ? role : undefined)),
);
const appMetadata = v.optional(
  v.object({ role: v.optional(staffRole), account_ids: v.optional(v.array(uuid)) }),
  {},
);
const claimsSchema = v.variant('role', [
  v.object({ role: v.picklist(['anon', 'service_role']) }),
  v.object({ role: v.literal('authenticated'), sub: uuid, app_metadata: appMetadata }),
]);

/** The claims that decide anything, and no others: this is what the database sees. */
export type Claims = v.InferOutput<typeof claimsSchema>;

/** A user's token ends; a key that is a token need not. */
export function readClaims(payload: JWTPayload): Result<Claims> {
  const claims = v.safeParse(claimsSchema, payload);
  if (!claims.success) {
    const at = v.getDotPath(claims.issues[0]) ?? 'claims';
    return refuse(`The token's ${at} is not what this service accepts`);
  }
  return claims.output.role === 'authenticated' && !Number.isFinite(payload.exp)
    ? refuse('JWT without exp: the token of a user must expire')
    : ok(claims.output);
}

const refuse = (message: string) => fail<Failure>({ is: 'claims refused', message });
