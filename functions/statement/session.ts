/** The first statement of every message: whose rights, whose claims, how long, in which time zone. */
import type { Audience } from '../../schema/collection.ts';
import type { Caller } from '../caller.ts';
import { type Sql, sql } from './sql.ts';

const roles: Record<Audience, string> = {
  anon: 'builder_anon',
  customer: 'builder_customer',
  staff: 'builder_staff',
};

/** Milliseconds a statement may run. */
const statementTimeout = 5000;

/** Holds for the message it begins and no longer, since the message is one transaction. */
export function sessionStatement(caller: Caller, timeZone = 'UTC'): Sql {
  return sql`select set_config('role', ${roles[caller.audience]}, true),
  set_config('request.jwt.claims', ${JSON.stringify(caller.claims ?? {})}, true),
  set_config('statement_timeout', ${String(statementTimeout)}, true),
  set_config('timezone', ${timeZone}, true)`;
}
