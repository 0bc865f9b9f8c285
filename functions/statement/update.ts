import type { UpdatePlan } from '../plan/plan.ts';
import { bodySource } from './body.ts';
import { changeByKeyStatement } from './change-by-key.ts';
import { whereClause } from './condition.ts';
import { identifier, join, keyword, type Sql, sql } from './sql.ts';
import { readableOf } from './table.ts';
import { ifUnchanged } from './unchanged.ts';
import { versionColumn, versionCondition } from './version.ts';
import { returningClause, writeStatement } from './write.ts';

/** Returns the statement of a PATCH. A body without columns changes nothing and returns no rows. */
export function updateStatement(plan: UpdatePlan): Sql {
  const { collection, body, conditions } = plan;
  const table = readableOf(collection, plan.caller.audience);
  if (body.columns.length === 0) {
    return writeStatement(plan, sql`select ${join(noRow(plan))} from ${table} where false`);
  }
  if (body.key !== undefined) {
    return changeByKeyStatement(plan, body.key);
  }
  const given = [...body.columns, ...body.unchanged];
  const { from, values } = bodySource({ ...body, columns: given }, collection, 'first');
  const givenValue = (name: string): Sql => values[given.indexOf(name)] ?? keyword('null');
  const differs = (name: string): Sql =>
    sql`${identifier(collection.name, name)} is distinct from ${givenValue(name)}`;
  const assignments = body.columns.map((name, index) => {
    const value = givenValue(name);
    return sql`${identifier(name)} = ${index === 0 ? ifUnchanged(body.unchanged, value, differs) : value}`;
  });
  return writeStatement(
    plan,
    sql`update ${table}
  set ${join(assignments)}
  from ${from}${whereClause(collection.name, conditions, versionCondition(plan))}${returningClause(plan)}`,
  );
}

/** Returns the columns that the rest of the statement refers to. */
function noRow(plan: UpdatePlan): Sql[] {
  const { collection, outputs, order } = plan;
  const names = new Set([...outputs, ...order].flatMap(({ field }) => (field ? [field.column] : [])));
  return [...[...names].map(name => identifier(collection.name, name)), ...versionColumn(plan), keyword('1')];
}
