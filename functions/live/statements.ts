/** The messages of live updates: read the feed, the callers' accounts, and the changed rows as each caller sees them. */
import type { Audience, Collection } from '../../schema/collection.ts';
import { limits } from '../common/limits.ts';
import { keyword, type Message, message, type Sql, sql } from '../database/sql.ts';
import { roles, timeoutSetting } from '../database/statements.ts';
import type { PlannedCondition } from '../rest/plan/planned.ts';
import { conditionExpression } from '../rest/statement/clauses.ts';

const feedRole = keyword("'builder_live'");

/** Sets the session. Waiting for a lock fails the message early, so that it does not count as an expensive read. */
const sessionOf = (role: Sql, timeout: number, lockTimeout: number): Sql =>
  sql`select where set_config('role', ${role}, true) is not null
  and ${timeoutSetting(timeout)}
  and set_config('lock_timeout', ${keyword(`'${lockTimeout}'`)}, true) is not null
  and set_config('timezone', 'UTC', true) is not null`;

/**
 * Reads the changes committed since a cursor, up to a maximum number of lines. Without a cursor it returns one that means now.
 * The row has `next`, the cursor after them; `gap`, `partial` and `lines` (builder.changes_since).
 */
export const feedMessage = (cursor: string | null, lines: number, lockTimeout: number): Message =>
  message(
    sessionOf(feedRole, limits.database.statementTimeout, lockTimeout),
    sql`select next, gap::text, partial::text, lines::text from builder.changes_since(${cursor}, ${lines})`,
  );

/** Asks for the customers' accounts. The row has `accounts`: a JSON array of the accounts of each. */
export const accountsMessage = (customers: object[], lockTimeout: number): Message =>
  message(
    sessionOf(roles.customer, limits.database.statementTimeout, lockTimeout),
    sql`select builder.accounts_of_callers(${JSON.stringify(customers)})::text as accounts`,
  );

/** A comparison with a column. */
export type RowCondition = Extract<PlannedCondition, { is: 'filter' }>;

/** What is read of a collection's rows: columns, and which of these conditions, by name, each row meets. */
export interface RowReading {
  collection: Collection;
  columns: string[];
  conditions: Map<string, RowCondition>;
}

/** Limits: bytes of a record and of all records; milliseconds for a caller, for all callers, for the statement, and for a lock. */
export interface ReadingLimits {
  recordBytes: number;
  answerBytes: number;
  share: number;
  total: number;
  timeout: number;
  lockTimeout: number;
}

interface ReadRequest {
  audience: Audience;
  /** Ids of lines of the feed. */
  lines: string[];
  /** Their claims, and the numbers of the lines that may concern them, from 1. */
  callers: [claims: object, lines: number[]][];
  /** By the names of collections. */
  readings: Map<string, RowReading>;
  within: ReadingLimits;
}

/** Reads the changes as each caller sees them: a row for each caller, and one for each changed row (builder.read_changes). */
export function readMessage({ audience, lines, callers, readings, within }: ReadRequest): Message {
  const { recordBytes, answerBytes, share, total, timeout, lockTimeout } = within;
  const wanted = Object.fromEntries(
    [...readings].map(([name, reading]) => [name, readingJson(reading, audience)]),
  );
  const bounds = {
    record_bytes: recordBytes,
    answer_bytes: answerBytes,
    caller_ms: share,
    total_ms: total,
  };
  return message(
    sessionOf(roles[audience], timeout, lockTimeout),
    sql`select caller::text, to_json(seen)::text as seen, partial::text, line::text, record::text, to_json(met)::text as met
from builder.read_changes(${`{${lines.join()}}`}, ${JSON.stringify(callers)}, ${JSON.stringify(wanted)},
  ${JSON.stringify(bounds)})`,
  );
}

const readingJson = ({ collection, columns, conditions }: RowReading, audience: Audience): object => ({
  table: collection.views?.[audience] ?? collection.name,
  columns,
  conditions: Object.fromEntries(
    [...conditions].map(([name, condition]) => [name, conditionExpression('r', condition).text]),
  ),
});
