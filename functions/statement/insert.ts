import type { InsertPlan } from '../plan/plan.ts';
import { empty, identifier, join, keyword, type Sql, sql } from './sql.ts';
import { bodyRows, returningClause, tableOf, writeStatement } from './write.ts';

/** POST and PUT. Besides the page it answers `inserted` for an upsert and `key` for the Location header. */
export function insertStatement(plan: InsertPlan): Sql {
  const { collection, body, conflict, putKey } = plan;
  const columns = body.columns.map(name => identifier(name));
  const target = columns.length === 0 ? empty : sql` (${join(columns)})`;
  const values =
    columns.length === 0
      ? sql`select from ${bodyRows(body, collection)}`
      : sql`select ${join(body.columns.map(name => identifier('body', name)))} from ${bodyRows(body, collection)}`;
  const matching =
    putKey === undefined ? empty : sql` where ${identifier('body', collection.primaryKey)} = ${putKey}`;
  const upsert = conflict === undefined ? empty : conflictClause(plan);
  const returning = returningClause(plan, ...(merges(plan) ? [keyword('xmax = 0 as inserted')] : []));
  const write = sql`insert into ${tableOf(collection)}${target}
  ${values}${matching}${upsert}${returning}`;
  return writeStatement(plan, write, ...extras(plan));
}

const merges = ({ conflict }: InsertPlan): boolean => conflict?.resolution === 'merge';

function extras(plan: InsertPlan): Sql[] {
  const extra: Sql[] = [];
  if (merges(plan)) {
    extra.push(keyword('(select count(*) from written where inserted)::text as inserted'));
  }
  if (plan.preferences.return === 'headers-only') {
    extra.push(
      sql`(select ${identifier('written', plan.collection.primaryKey)}::text from written limit 1) as key`,
    );
  }
  return extra;
}

/** A deleted row's code is free again, so that only rows which are not deleted conflict. */
function conflictClause({ collection, body, conflict }: InsertPlan): Sql {
  if (conflict === undefined) {
    return empty;
  }
  const { softDelete } = collection;
  const live = softDelete === undefined ? empty : sql` where ${identifier(softDelete)} is null`;
  const changed = body.columns.filter(name => !conflict.columns.includes(name));
  const settable = changed.length > 0 ? changed : conflict.columns;
  const action =
    conflict.resolution === 'ignore' || body.columns.length === 0
      ? keyword('do nothing')
      : sql`do update set ${join(settable.map(name => sql`${identifier(name)} = ${identifier('excluded', name)}`))}`;
  return sql` on conflict (${join(conflict.columns.map(name => identifier(name)))})${live} ${action}`;
}
