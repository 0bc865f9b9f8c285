/** The first statement of every message: whose rights, whose claims, how long, in which time zone. */
import type { Audience } from '../../schema/collection.ts';
import type { Caller } from '../caller/caller.ts';
import { memoizeBy } from '../common/memoize.ts';
import { empty, keyword, type Sql, sql } from './sql.ts';

/** Not values, so that statements are prepared for each role by itself. */
const roles: Record<Audience, Sql> = {
  anon: keyword("'builder_anon'"),
  customer: keyword("'builder_customer'"),
  staff: keyword("'builder_staff'"),
};

/** Milliseconds a statement may run. */
const statementTimeout = keyword("'5000'");

/** Holds for the message it begins and no longer, since the message is one transaction. */
export function sessionStatement(caller: Caller, timeZone = 'UTC', comparesVersion = false): Sql {
  const settings = callerSettings(caller.claims ?? noClaims, caller.audience);
  return sql`select ${settings},
  set_config('timezone', ${timeZone}, true)${comparesVersion ? versionIsCompared : empty}`;
}

/** For the rule that a price is one of the version that was read (builder.check_priced_version). */
const versionIsCompared = sql`,
  set_config('request.version', 'compared', true)`;

const noClaims = {};

/** The claims of a token are one object for as long as the token is remembered. */
const callerSettings = memoizeBy(
  (claims: object, audience: Audience) => sql`set_config('role', ${roles[audience]}, true),
  set_config('request.jwt.claims', ${JSON.stringify(claims)}, true),
  set_config('statement_timeout', ${statementTimeout}, true)`,
  audience => audience,
);
