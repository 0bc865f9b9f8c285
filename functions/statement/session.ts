/** The first statement of every message: sets the role, the claims, the statement timeout and the time zone. */
import type { Audience } from '../../schema/collection.ts';
import type { Caller } from '../caller/caller.ts';
import { limits } from '../common/limits.ts';
import { memoizeBy } from '../common/memoize.ts';
import { empty, keyword, type Sql, sql } from './sql.ts';

/** Not values, so that statements are prepared for each role by itself. */
const roles: Record<Audience, Sql> = {
  anon: keyword("'builder_anon'"),
  customer: keyword("'builder_customer'"),
  staff: keyword("'builder_staff'"),
};

/**
 * The settings last until the end of the message, which is one transaction. They are conditions, all of them true, so that
 * Postgres returns a row without columns: to write and read a column for each would take time.
 */
export function sessionStatement(caller: Caller, timeZone = 'UTC', comparesVersion = false): Sql {
  const settings = callerSettings(caller.claims ?? noClaims, caller.audience);
  return sql`select where ${settings}
  and set_config('timezone', ${timeZone}, true) is not null${comparesVersion ? versionIsCompared : empty}`;
}

/** For builder.check_priced_version, which lets staff set a price only on the version they have read. */
const versionIsCompared = sql`
  and set_config('request.version', 'compared', true) is not null`;

const noClaims = {};

/** While a verified token is cached, its claims are one object, by which the settings are memoized. */
const callerSettings = memoizeBy(
  (claims: object, audience: Audience) => sql`set_config('role', ${roles[audience]}, true) is not null
  and set_config('request.jwt.claims', ${JSON.stringify(claims)}, true) is not null
  and set_config('statement_timeout', ${keyword(`'${limits.database.statementTimeout}'`)}, true) is not null`,
  audience => audience,
);
