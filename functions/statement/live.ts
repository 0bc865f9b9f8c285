/** The messages of live updates: what is new in the feed, whose it is, and what of it each caller sees. */
import type { Audience, Collection } from '../../schema/collection.ts';
import type { Caller } from '../caller/caller.ts';
import { limits } from '../common/limits.ts';
import type { Output, PlannedCondition } from '../plan/plan.ts';
import { conditionExpression } from './condition.ts';
import { selectList } from './output.ts';
import { sessionStatement } from './session.ts';
import { identifier, join, keyword, type Message, message, type Sql, sql } from './sql.ts';
import { tableOf } from './table.ts';

const asReader = sql`select set_config('role', 'builder_live', true),
  set_config('statement_timeout', ${keyword(`'${limits.database.statementTimeout}'`)}, true),
  set_config('timezone', 'UTC', true)`;

/**
 * What was committed between two cursors, or since a cursor. Without a cursor: the one that means now. The row has
 * `next`, the cursor behind it; `gap`, `more` and `lines` (builder.changes_since).
 */
export const feedMessage = (cursor: string | null, upto: string | null): Message =>
  message(
    asReader,
    sql`select next, gap::text, more::text, lines::text
from builder.changes_since(${cursor}, ${upto}, ${limits.live.lines})`,
  );

/** The rows of a collection: their columns as each of several lists, and whether they meet each of several conditions. */
export interface RowQuery {
  collection: Collection;
  selections: Output[][];
  conditions: PlannedCondition[];
}

function rowQuery({ collection, selections, conditions }: RowQuery, keys: Sql): Sql {
  const { name, primaryKey, columns } = collection;
  const key = identifier(name, primaryKey);
  const records = selections.map(
    outputs => sql`(select row_to_json(page) from (select ${selectList(outputs, name)}) as page)::text`,
  );
  const met = conditions.map(condition => sql`coalesce(${conditionExpression(name, condition)}, false)`);
  return sql`select ${key}::text as key, array[${join(records)}]::text[] as records, array[${join(met)}]::boolean[] as met
from ${tableOf(collection)}
where ${key} = any (${keys}::${keyword(columns[primaryKey]?.type.postgres ?? 'text')}[])`;
}

/** The keys, where builder.rows_for_callers executes the query. */
const keysParameter = keyword('$1');

const sessionOf = (audience: Audience): Sql => sessionStatement({ kind: 'anon', audience } as Caller);

/** The claims of callers of one audience. */
type Claims = object;

/** The row has `accounts`: a JSON array of the accounts of each caller. */
export const accountsMessage = (audience: Audience, callers: Claims[]): Message =>
  message(
    sessionOf(audience),
    sql`select builder.accounts_of_callers(${JSON.stringify(callers)})::text as accounts`,
  );

/** Fails when Postgres refuses one of the conditions; otherwise the accounts of the caller, who alone is asked for. */
export const joinMessage = (audience: Audience, caller: Claims, queries: RowQuery[]): Message => {
  const [session, accounts] = accountsMessage(audience, [caller]).statements;
  const tried = queries.map(query => rowQuery(query, sql`'{}'`));
  return message(...[session, ...tried, accounts].flatMap(statement => statement ?? []));
};

export interface RowsRequest {
  audience: Audience;
  /** Their claims, and the numbers of the lines that may concern them, from 1. */
  callers: [claims: Claims, lines: number[]][];
  /** Of the feed. */
  lines: [xid: string, id: string][];
  queries: RowQuery[];
}

/** What each caller sees: a row for each caller, and one for each row (builder.rows_for_callers). */
export const rowsMessage = ({ audience, callers, lines, queries }: RowsRequest): Message =>
  message(
    sessionOf(audience),
    sql`select caller::text, to_json(seen)::text as seen, line::text, to_json(records)::text as records,
  trimmed::text, to_json(met)::text as met
from builder.rows_for_callers(${JSON.stringify(callers)}, ${JSON.stringify(lines)},
  ${JSON.stringify(Object.fromEntries(queries.map(query => [query.collection.name, rowQuery(query, keysParameter).text])))},
  ${limits.live.recordBytes}, ${limits.live.answerBytes})`,
  );
