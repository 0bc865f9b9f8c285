import type { Collection } from '../../schema/collection.ts';
import type { InsertPlan } from '../plan/plan.ts';
import { bodySource } from './body.ts';
import { copyExpression } from './copy.ts';
import { empty, identifier, join, keyword, type Sql, sql } from './sql.ts';
import { returned } from './statement-row.ts';
import { hasAccounts, tableOf } from './table.ts';
import { ifUnchanged } from './unchanged.ts';
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

/** Adds the column that marks deleted rows, among which values need not be unique: the constraint includes it. */
function uniqueColumns({ primaryKey, softDelete }: Collection, columns: string[]): Sql[] {
  const isKey = columns.join() === primaryKey;
  return [...columns, ...(isKey || softDelete === undefined ? [] : [softDelete])].map(name =>
    identifier(name),
  );
}
