/** The statement of POST and PUT: rows of a body, and a write that an Idempotency-Key runs only once. */
import type { Collection } from '../../../schema/collection.ts';
import { empty, identifier, join, keyword, type Sql, sql } from '../../database/sql.ts';
import type { IdempotencyKey, InsertPlan } from '../plan/insert.ts';
import type { Conflict } from '../plan/write.ts';
import { bodySource, comparable, ifUnchanged, namesOf } from './body.ts';
import { tableOf } from './clauses.ts';
import { returned } from './statement-row.ts';
import {
  conflictKeys,
  hasPositions,
  keyColumns,
  returningClause,
  skipsDeleted,
  writeStatement,
} from './write.ts';

/**
 * Returns the statement of a POST or PUT. `json` is the parameter that holds the body, when it is not a literal in the
 * statement. The statement returns `inserted` for an upsert and `key` for the Location header, besides the columns of every
 * write.
 */
export function insertStatement(plan: InsertPlan, json?: Sql): Sql {
  const { collection, body } = plan;
  const columns = body.columns.map(name => identifier(name));
  const target = columns.length === 0 ? empty : sql` (${join(columns)})`;
  const all = [...new Set([...body.columns, ...body.unchanged])];
  const source = bodySource({ ...body, columns: all }, collection, 'all', json);
  const isInserted = merges(plan) ? [keyword('xmax = 0 as inserted')] : [];
  const insert: Insert = (rows, ...also) => sql`insert into ${tableOf(collection)}${target}
  ${rows}${lockOrder(plan)}${conflictClause(plan)}${returningClause(plan, ...isInserted, ...also)}`;
  if (body.unchanged.length === 0 && !hasPositions(plan)) {
    const rows = sql`select ${join(source.values)} from ${source.from}`;
    return writeStatement(plan, insert(rows), { also: extras(plan) });
  }
  // Several parts of the statement read the body.
  const named = source.values.map((value, index) => sql`${value} as ${identifier(all[index] ?? '')}`);
  const given = sql`body as materialized (
  select ${join([...named, keyword('row_number() over () as position')])} from ${source.from}
)`;
  const rows = sql`select ${join(body.columns.map(name => identifier('body', name)))} from body`;
  return hasPositions(plan)
    ? writeStatement(plan, positionedRows(plan), {
        before: [
          given,
          sql`upserted as (
  ${insert(rows, ...keysOf(plan).map(({ key, written }) => sql`${written} as ${key}`))}
)`,
        ],
        also: extras(plan),
      })
    : writeStatement(plan, insert(rows), { before: [given], also: extras(plan) });
}

/** Makes an insert of rows that returns `also`. */
type Insert = (rows: Sql, ...also: Sql[]) => Sql;

/**
 * Returns the order in which an upsert writes its rows, and so locks them: that of their keys, so that concurrent requests
 * wait for each other instead of deadlocking, whatever the order of their bodies.
 */
function lockOrder(plan: InsertPlan): Sql {
  const positions = conflictKeys(plan).map(name => sql`${plan.body.columns.indexOf(name) + 1}`);
  return positions.length === 0 ? empty : sql` order by ${join(positions)}`;
}

/** Returns the columns of `conflictKeys`: in the body, among what is upserted, and in the table. */
const keysOf = (plan: InsertPlan) =>
  conflictKeys(plan).map((name, index) => ({
    given: identifier('body', name),
    key: identifier(`key${index}`),
    written: identifier(plan.collection.name, name),
  }));

/** Returns the rows of `upserted` with their position in the body; a row that is there twice has its first. */
function positionedRows(plan: InsertPlan): Sql {
  const keys = keysOf(plan);
  return sql`select upserted.*, places.position
  from upserted left join (
    select ${join(keys.map(({ given, key }) => sql`${given} as ${key}`))}, min(position) as position
    from body group by ${join(keys.map(({ given }) => given))}
  ) as places using (${join(keys.map(({ key }) => key))})`;
}

const merges = ({ conflict }: InsertPlan): boolean => conflict?.resolution === 'merge';

function extras(plan: InsertPlan): Sql[] {
  const inserted = keyword('(select count(*) from written where inserted)::text');
  return [
    ...(merges(plan) ? [returned('inserted', inserted)] : []),
    ...keyColumns(plan),
    ...newRowCheck(plan),
  ];
}

function conflictClause(plan: InsertPlan): Sql {
  const { collection, body, conflict } = plan;
  if (conflict === undefined) {
    return empty;
  }
  const changed = body.columns.filter(
    name => !conflict.columns.includes(name) && !body.unchanged.includes(name),
  );
  const settable = changed.length > 0 ? changed : conflict.columns;
  const set = settable.map((name, index) => {
    const value = identifier('excluded', name);
    const checked =
      index === 0
        ? ifUnchanged(body, collection, value, {
            key: identifier(collection.name, collection.primaryKey),
            given: name => identifier('excluded', name),
            differs: name => differsFromBody(plan, name),
          })
        : value;
    return sql`${identifier(name)} = ${checked}`;
  });
  const action =
    conflict.resolution === 'ignore' || body.columns.length === 0
      ? keyword('do nothing')
      : sql`do update set ${join([...set, ...deletion(plan)])}`;
  const live =
    skipsDeleted(plan) && collection.softDelete
      ? sql` where ${identifier(collection.name, collection.softDelete)} is null`
      : empty;
  return sql` on conflict (${join(uniqueColumns(collection, conflict.columns))}) ${action}${live}`;
}

/** Whether an upsert marks rows as deleted, although a new row can't be created as deleted. */
const isDeletion = ({ collection, body, caller }: InsertPlan, name: string): boolean =>
  name === collection.softDelete &&
  body.unchanged.includes(name) &&
  collection.columns[name]?.privileges[caller.audience].includes('update') === true;

/** Returns the assignment that marks the rows as deleted for which the body has a time. */
function deletion(plan: InsertPlan): Sql[] {
  const { collection, conflict } = plan;
  const name = collection.softDelete ?? '';
  return isDeletion(plan, name)
    ? [
        sql`${identifier(name)} = case when (${keyOf('excluded', conflict)}) in
      (select ${keyOf('body', conflict)} from body where ${identifier('body', name)} is not null) then now() end`,
      ]
    : [];
}

/**
 * Returns the condition that a row which exists differs from its row of the body. The rows of the body are found by a list, which
 * Postgres hashes once, since `excluded` has only the columns that the caller may insert.
 */
function differsFromBody(plan: InsertPlan, name: string): Sql {
  const { collection, conflict } = plan;
  if (isDeletion(plan, name)) {
    return keyword('false');
  }
  // Null has no equals sign before it, since a comparison with null would be null.
  const text = (table: string): Sql =>
    sql`coalesce(${keyword("'='")} || ${comparable(identifier(table, name), name, collection)}::text, ${keyword("''")})`;
  return sql`(${keyOf('excluded', conflict)}, ${text(collection.name)}) not in (select ${keyOf('body', conflict)}, ${text('body')} from body)`;
}

/** Returns the columns by which an upsert finds its row. */
const keyOf = (table: string, conflict: Conflict | undefined): Sql =>
  join((conflict?.columns ?? []).map(name => identifier(table, name)));

/** Undoes an upsert that inserted a row with a value that no new row gets: it is judged as a POST. */
function newRowCheck(plan: InsertPlan): Sql[] {
  const { collection, conflict, body, caller } = plan;
  const { columns } = collection;
  const mayInsert = (name: string) => columns[name]?.privileges[caller.audience].includes('insert') === true;
  if (body.unchanged.every(mayInsert)) {
    return [];
  }
  const isStrange = (name: string): Sql =>
    mayInsert(name)
      ? keyword('false')
      : sql`${identifier('body', name)} is distinct from ${keyword(columns[name]?.default ?? 'null')}`;
  const isNew = merges(plan) ? keyword(' and written.inserted') : empty;
  return [
    sql`builder.refuse_changes(${keyword(`'${collection.name}'`)}, 'insert', array(select distinct strange
      from written, body, unnest(${namesOf(body.unchanged, isStrange)}) as strange
      where (${keyOf('written', conflict)}) = (${keyOf('body', conflict)})${isNew}), null, null)`,
  ];
}

/** Adds the column that marks deleted rows: the unique constraint includes it, since deleted rows may repeat a value. */
function uniqueColumns({ primaryKey, softDelete }: Collection, columns: string[]): Sql[] {
  const isKey = columns.join() === primaryKey;
  return [...columns, ...(isKey || softDelete === undefined ? [] : [softDelete])].map(name =>
    identifier(name),
  );
}

/** The parameter that holds the body of a write with an Idempotency-Key. */
export const bodyParameter = keyword('$1');

/**
 * Returns the statement of a write with an Idempotency-Key, which returns the row of the write, or for a retry the stored
 * row. The database function claims the key before it runs the write, so that a concurrent request with the same key waits
 * for the first. The write reads the body from `$1` (bodyParameter).
 */
export const onceStatement = ({ key, fingerprint }: IdempotencyKey, write: Sql, body: string): Sql =>
  sql`select stored.*
from json_to_record(builder.run_once(${key}, ${fingerprint}, ${write.text}, ${body}))
  as stored(body text, page_total text, inserted text, key text, version text)`;
