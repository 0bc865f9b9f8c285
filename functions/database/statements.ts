/**
 * The statements at the beginning of every message: a label with its request, and the settings of the role, the claims, the
 * timeout, and how values are written.
 */
import type { Audience } from '../../schema/collection.ts';
import type { Caller } from '../caller/caller.ts';
import { limits, second } from '../common/limits.ts';
import { comment, empty, keyword, Message, message, type Sql, sql } from './sql.ts';

/** The database's roles. They are text and not values, so that each role has prepared statements of its own. */
export const roles: Record<Audience, Sql> = {
  anon: keyword("'builder_anon'"),
  customer: keyword("'builder_customer'"),
  staff: keyword("'builder_staff'"),
  reader: keyword("'builder_reader'"),
};

/**
 * Returns the statement that makes the session of a caller. Its settings last until the end of the message, which is one
 * transaction. They are conditions that are all true, so that Postgres returns one row without columns, which saves
 * the time for a column each. `also` are further conditions.
 */
export function sessionStatement(caller: Caller, timeZone = 'UTC', also: Sql = empty): Sql {
  return sql`select where ${callerSettings(caller)}
  and set_config('timezone', ${timeZone}, true) is not null${also}`;
}

/** The setting that has the caller's claims. */
export const claimsSetting = 'request.jwt.claims';

const callerSettings = ({ claims, audience }: Caller): Sql =>
  sql`set_config('role', ${roles[audience]}, true) is not null
  and set_config(${keyword(`'${claimsSetting}'`)}, ${JSON.stringify(claims ?? {})}, true) is not null
  and ${timeoutSetting(limits.database.statementTimeout)}
  and ${textSettings}`;

/** Milliseconds between two checks of Postgres that a message's connection is still open. */
const checkInterval = second;

/**
 * Sets the timeout of each statement of a message, as a condition that is true. While it runs, Postgres checks each second
 * that its connection is open, so a message that was abandoned here ends there too.
 */
export const timeoutSetting = (milliseconds: number): Sql =>
  sql`set_config('statement_timeout', ${keyword(`'${milliseconds}'`)}, true) is not null
  and set_config('client_connection_check_interval', ${keyword(`'${checkInterval}'`)}, true) is not null`;

/** Makes a message of the sweep or of deliveries, which runs as its login. */
export const jobMessage = (statement: Sql, timeout: number = limits.database.statementTimeout): Message =>
  message(sql`select where ${timeoutSetting(timeout)}`, statement);

/**
 * Sets how Postgres writes and reads times, real numbers, and null in an array. The defaults may differ by database or role.
 */
const textSettings = sql`set_config('datestyle', 'ISO, MDY', true) is not null
  and set_config('extra_float_digits', '1', true) is not null
  and set_config('array_nulls', 'on', true) is not null`;

/** The request that a message belongs to. */
interface Origin {
  requestId: string;
  /** Its `traceparent` header, if valid. */
  traceParent: { text: string } | undefined;
}

/**
 * Labels a message with its request, for the operator who reads pg_stat_activity and the server's log. A comment precedes
 * the message, since pg_stat_activity shows the first 1,024 bytes. Measured, the comment costs Postgres 1 µs; setting
 * application_name would cost 6 µs and truncate the id to 63 bytes.
 */
export function marked({ statements }: Message, { requestId, traceParent }: Origin): Message {
  const trace = traceParent ? ` traceparent=${traceParent.text}` : '';
  return new Message(comment(`request_id=${requestId}${trace}`), statements);
}
