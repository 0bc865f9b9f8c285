/**
 * The beginning of every message: a label with its request, and the statement that sets the role, the claims, the statement
 * timeout, and how values are written.
 */
import type { Audience } from '../../../schema/collection.ts';
import type { Caller } from '../../caller/caller.ts';
import { limits, second } from '../../common/limits.ts';
import { comment, empty, keyword, Message, message, type Sql, sql } from '../../database/sql.ts';
import type { Facts } from '../plan/write.ts';
import type { Preferences } from '../request/preferences.ts';

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
 * the time for a column each.
 */
export function sessionStatement(caller: Caller, timeZone = 'UTC', facts?: Facts, again?: Again): Sql {
  return sql`select where ${callerSettings(caller)}
  and set_config('timezone', ${timeZone}, true) is not null${factSettings(facts)}${againSettings(again)}`;
}

/** The second run of a statement, whose response was larger than the first one's limit. */
export interface Again {
  /** Milliseconds that the first run took. */
  after: number;
}

/** Memory of a sort or a window that holds two rows of a large response. With less, the window writes its page to a file. */
const largeWorkMemory = keyword("'16MB'");

/** Gives a second run what the first one left of a statement's time. */
const againSettings = (again: Again | undefined): Sql =>
  again === undefined
    ? empty
    : sql`
  and set_config('work_mem', ${largeWorkMemory}, true) is not null
  and set_config('statement_timeout', ${String(Math.max(1, limits.database.statementTimeout - again.after))}, true) is not null`;

/** Returns what ends a message: a rollback undoes its statements (`Prefer: tx=rollback`). */
export const ending = ({ tx }: Preferences): Sql[] => (tx === 'rollback' ? [keyword('rollback')] : []);

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

/**
 * Makes Postgres read rows in the order of an index if there is one. It estimates one row for an account that has a hundred
 * thousand, and would sort them all. Before Postgres 18, a sort without an alternative counts as so costly that it would
 * be compiled.
 */
export const withoutSort = keyword(`
  and set_config('enable_sort', 'off', true) is not null and set_config('jit', 'off', true) is not null`);

/** Passes the facts about a write to the rules of the database. They are values: as text, each filter would be another statement. */
const factSettings = (facts: Facts | undefined): Sql =>
  facts === undefined
    ? empty
    : sql`
  and ${setting('compared', facts.compared.join())}
  and ${setting('rows', facts.rows)}
  and ${setting('columns', facts.columns.join())}`;

/** The settings that pass the caller and the request to the database's functions. */
export const settings = {
  claims: 'request.jwt.claims',
  compared: 'request.compared',
  rows: 'request.rows',
  columns: 'request.columns',
} as const;

/** Sets a setting for the rest of the message, as a condition that is true. */
const setting = (name: keyof typeof settings, value: string): Sql =>
  sql`set_config(${keyword(`'${settings[name]}'`)}, ${value}, true) is not null`;

const callerSettings = ({ claims, audience }: Caller): Sql =>
  sql`set_config('role', ${roles[audience]}, true) is not null
  and ${setting('claims', JSON.stringify(claims ?? {}))}
  and ${timeoutSetting(limits.database.statementTimeout)}
  and ${textSettings}`;

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
