/** The messages of live updates: what is new in the feed, whose it is, and what of it each caller sees. */
import type { Audience, Collection } from '../../schema/collection.ts';
import { limits } from '../common/limits.ts';
import type { PlannedCondition } from '../plan/plan.ts';
import { conditionExpression, readableOf } from './clauses.ts';
import { roles, timeoutSetting } from './session.ts';
import { identifier, join, keyword, type Message, message, type Sql, sql } from './sql.ts';

const { recordBytes, answerBytes, readingTimeout, lockTimeout } = limits.live;

const reader = keyword("'builder_live'");

/** Sets the session. A lock that somebody holds fails the message early, and isn't taken for a costly reading. */
const sessionOf = (role: Sql, milliseconds: number): Sql =>
  sql`select where set_config('role', ${role}, true) is not null
  and ${timeoutSetting(milliseconds)}
  and set_config('lock_timeout', ${keyword(`'${lockTimeout}'`)}, true) is not null
  and set_config('timezone', 'UTC', true) is not null`;

/**
 * Reads what was committed between two cursors, or since a cursor. Without a cursor: the one that means now. The row has
 * `next`, the cursor behind it; `gap`, `more` and `lines` (builder.changes_since).
 */
export const feedMessage = (cursor: string | null, upto: string | null): Message =>
  message(
    sessionOf(reader, limits.database.statementTimeout),
    sql`select next, gap::text, more::text, lines::text
from builder.changes_since(${cursor}, ${upto}, ${limits.live.lines})`,
  );

/** The claims of callers of one audience. */
type Claims = object;

/** Asks for the callers' accounts. The row has `accounts`: a JSON array of the accounts of each caller. */
export const accountsMessage = (audience: Audience, callers: Claims[]): Message =>
  message(
    sessionOf(roles[audience], limits.database.statementTimeout),
    sql`select builder.accounts_of_callers(${JSON.stringify(callers)})::text as accounts`,
  );

/** The rows of a collection: the columns that are read of each, and the conditions it is compared with. */
export interface RowQuery {
  collection: Collection;
  columns: string[];
  conditions: PlannedCondition[];
}

/** Writes it as builder.read_changes takes it: the keys are $1, and the end of the time for reading is $2. */
function rowQuery({ collection, columns, conditions }: RowQuery, audience: Audience): Sql {
  const { name, primaryKey } = collection;
  const record = columns.map(column => valueExpression(collection, column));
  const met = conditions.map(condition => sql`coalesce(${conditionExpression(name, condition)}, false)`);
  const type = keyword(collection.columns[primaryKey]?.type.postgres ?? 'text');
  return sql`select position::integer, case when clock_timestamp() < $2 then array[${join(record)}]::text[] end as record,
  array[${join(met)}]::boolean[] as met
from unnest($1::${type}[]) with ordinality as given (key, position) join ${readableOf(collection, audience)} on ${identifier(name, primaryKey)} = key`;
}

/** Returns a value as JSON. One that is large as it is stored is not unpacked. */
function valueExpression({ name, columns }: Collection, column: string): Sql {
  const value = identifier(name, column);
  const json = sql`coalesce(to_json(${value})::text, 'null')`;
  const { maxBytes = 0 } = columns[column]?.type ?? {};
  return maxBytes > recordBytes
    ? sql`case when pg_column_size(${value}) <= ${recordBytes} or ${value} is null then ${json} end`
    : json;
}

export interface ReadRequest {
  audience: Audience;
  /** Their claims, and the numbers of the lines that may concern them, from 1. */
  callers: [claims: Claims, lines: number[]][];
  /** Ids of lines of the feed. */
  lines: string[];
  queries: RowQuery[];
  /** Milliseconds for one caller, and for all of them. */
  share: number;
  total: number;
}

/** Reads what each caller sees: a row for each caller, and one for each row (builder.read_changes). */
export const readMessage = ({ audience, callers, lines, queries, share, total }: ReadRequest): Message =>
  message(
    sessionOf(roles[audience], readingTimeout),
    sql`select caller::text, to_json(seen)::text as seen, to_json(unread)::text as unread, line::text,
  to_json(record)::text as record, to_json(met)::text as met
from builder.read_changes(${JSON.stringify(callers)}, ${`{${lines.join()}}`},
  ${JSON.stringify(Object.fromEntries(queries.map(query => [query.collection.name, rowQuery(query, audience).text])))},
  ${recordBytes}, ${answerBytes}, ${share}, ${total})`,
  );
