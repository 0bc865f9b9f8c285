/** The claims of a token whose signature is verified: they identify its holder, not what the holder may do. */
import type { JWTPayload } from 'jose';
import * as v from 'valibot';
import { everyone } from '../../../schema/everyone.ts';
import type { Failure } from '../../common/failure/failure.ts';
import { fail, ok, type Result } from '../../common/failure/result.ts';

/** Refused as an account: a user with the account of everyone would own the system messages. */
const uuid = v.pipe(v.string(), v.uuid(), v.toLowerCase(), v.notValue(everyone));

/** The login service may have other roles, which are ignored. */
const staffRole = v.pipe(
  v.string(),
  v.transform(role => (role === 'admin' || role === 'sales' ? role : undefined)),
);
/** Null is no teams, as `array_agg` makes of none. */
const teams = v.pipe(
  v.nullish(v.array(uuid)),
  v.transform(ids => ids ?? undefined),
);
const appMetadata = v.optional(v.object({ role: v.optional(staffRole), account_ids: teams }), {});
/** An anonymous user is a customer, whatever role the login service has for it. Quote numbers count all of them together. */
const user = v.pipe(
  v.object({
    role: v.literal('authenticated'),
    sub: uuid,
    app_metadata: appMetadata,
    is_anonymous: v.nullish(v.unknown(), false),
  }),
  v.transform(({ is_anonymous, app_metadata, ...claims }) =>
    is_anonymous === false
      ? { ...claims, app_metadata }
      : { ...claims, app_metadata: { ...app_metadata, role: undefined }, is_anonymous: true },
  ),
);
const claimsSchema = v.variant('role', [v.object({ role: v.picklist(['anon', 'service_role']) }), user]);

/** Only the claims that affect a decision. The database sees these and no others. */
export type Claims = v.InferOutput<typeof claimsSchema>;

/** Reads the claims of a token. A user's token must expire; an API key that is a token need not. */
export function readClaims(payload: JWTPayload): Result<Claims> {
  const claims = v.safeParse(claimsSchema, payload);
  if (!claims.success) {
    const at = v.getDotPath(claims.issues[0]) ?? 'claims';
    return refuseClaims(`The token's ${at} is missing or invalid`);
  }
  return claims.output.role === 'authenticated' && !Number.isFinite(payload.exp)
    ? refuseClaims('JWT has no exp: the token of a user must expire')
    : ok(claims.output);
}

const refuseClaims = (message: string) => fail<Failure>({ is: 'claims refused', message });

/** Returns when a verified token expires, in seconds since 1970; undefined for a key that does not expire. */
export function expiryOf(token: string): number | undefined {
  const [, payload = ''] = token.split('.');
  try {
    return JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))).exp;
  } catch {
    return undefined;
  }
}
