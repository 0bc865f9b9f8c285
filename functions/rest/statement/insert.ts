/** The statement of POST and PUT: rows of a body, a copy of a row, and an insert that an Idempotency-Key runs only once. */
import type { Collection } from '../../../schema/collection.ts';
import { empty, identifier, join, keyword, type Sql, sql } from '../../database/sql.ts';
import type { IdempotencyKey, InsertPlan } from '../plan/plan.ts';
import { bodySource, ifUnchanged } from './body.ts';
import { hasAccounts, tableOf } from './clauses.ts';
import { returned } from './statement-row.ts';
import { returningClause, skipsDeleted, writeStatement } from './write.ts';

/**
 * Returns the statement of a POST or PUT. `json` is the parameter that holds the body, when it is not a literal in the
 * statement. The statement returns `inserted` for an upsert and `key` for the Location header, besides the columns of every
 * write.
 */
export function insertStatement(plan: InsertPlan, json?: Sql): Sql {
  const { collection, body, copyOf } = plan;
  if (copyOf !== undefined) {
    const copy = sql`${copyExpression(plan, copyOf)}${returningClause(plan)}`;
    return writeStatement(plan, copy, { also: extras(plan) });
  }
  const columns = body.columns.map(name => identifier(name));
  const target = columns.length === 0 ? empty : sql` (${join(columns)})`;
  const { from, values } = bodySource(body, collection, 'all', json);
  const returning = returningClause(plan, ...(merges(plan) ? [keyword('xmax = 0 as inserted')] : []));
  const write = sql`insert into ${tableOf(collection)}${target}
  select ${join(values)} from ${from}${conflictClause(plan)}${returning}`;
  return writeStatement(plan, write, { also: extras(plan) });
}

const merges = ({ conflict }: InsertPlan): boolean => conflict?.resolution === 'merge';

function extras(plan: InsertPlan): Sql[] {
  const extra: Sql[] = [];
  if (merges(plan)) {
    extra.push(returned('inserted', keyword('(select count(*) from written where inserted)::text')));
  }
  if (plan.preferences.return === 'headers-only' || plan.idempotencyKey) {
    extra.push(
      returned(
        'key',
        sql`(select min(${identifier('written', plan.collection.primaryKey)}::text) from written having count(*) = 1)`,
      ),
    );
  }
  if (plan.idempotencyKey && hasAccounts(plan.collection)) {
    extra.push(keyword('(select json_agg(distinct written.account_id) from written) as accounts'));
  }
  return extra;
}

function conflictClause(plan: InsertPlan): Sql {
  const { collection, body, conflict } = plan;
  if (conflict === undefined) {
    return empty;
  }
  const { fixed } = conflict;
  const changed = body.columns.filter(name => !conflict.columns.includes(name) && !fixed.includes(name));
  const settable = changed.length > 0 ? changed : conflict.columns;
  const differs = (name: string): Sql =>
    sql`${identifier(collection.name, name)} is distinct from ${identifier('excluded', name)}`;
  const given = (name: string, index: number): Sql =>
    index === 0 ? ifUnchanged(fixed, identifier('excluded', name), differs) : identifier('excluded', name);
  const action =
    conflict.resolution === 'ignore' || body.columns.length === 0
      ? keyword('do nothing')
      : sql`do update set ${join(settable.map((name, index) => sql`${identifier(name)} = ${given(name, index)}`))}`;
  const live =
    skipsDeleted(plan) && collection.softDelete
      ? sql` where ${identifier(collection.name, collection.softDelete)} is null`
      : empty;
  return sql` on conflict (${join(uniqueColumns(collection, conflict.columns))}) ${action}${live}`;
}

/** Adds the column that marks deleted rows: the unique constraint includes it, since deleted rows may repeat a value. */
function uniqueColumns({ primaryKey, softDelete }: Collection, columns: string[]): Sql[] {
  const isKey = columns.join() === primaryKey;
  return [...columns, ...(isKey || softDelete === undefined ? [] : [softDelete])].map(name =>
    identifier(name),
  );
}

/** Returns the insert of a copy, read as the caller, so that only visible rows are copied. */
function copyExpression({ collection }: InsertPlan, key: string): Sql {
  const { primaryKey, softDelete, copy = { columns: [], values: {} } } = collection;
  const names = [...copy.columns, ...Object.keys(copy.values)];
  const values = [
    ...copy.columns.map(name => identifier('original', name)),
    ...Object.values(copy.values).map(keyword),
  ];
  const isThere =
    softDelete === undefined ? keyword('true') : sql`${identifier('original', softDelete)} is null`;
  return sql`insert into ${tableOf(collection)} (${join(names.map(name => identifier(name)))})
  select ${join(values)} from ${tableOf(collection)} as original
  where ${identifier('original', primaryKey)} = ${key} and ${isThere}`;
}

/** The parameter that holds the body of a write with an Idempotency-Key. */
export const bodyParameter = keyword('$1');

/**
 * Returns the statement of a POST with an Idempotency-Key, which returns the row of the write, or for a retry the stored
 * row. The database function claims the key before it runs the write, so that a concurrent request with the same key waits
 * for the first. The write reads the body from `$1` (bodyParameter).
 */
export const onceStatement = ({ key, fingerprint }: IdempotencyKey, write: Sql, body: string): Sql =>
  sql`select stored.*
from json_to_record(builder.run_once(${key}, ${fingerprint}, ${write.text}, ${body}))
  as stored(body text, page_total text, inserted text, key text, version text)`;
