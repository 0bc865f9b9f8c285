import type { DeletePlan } from '../plan/plan.ts';
import { whereClause } from './condition.ts';
import { identifier, type Sql, sql } from './sql.ts';
import { tableOf } from './table.ts';
import { versionCondition } from './version.ts';
import { returningClause, writeStatement } from './write.ts';

/** Returns the statement of a DELETE, which marks the rows where the collection has soft deletes, and else removes them. */
export function deleteStatement(plan: DeletePlan): Sql {
  const { collection, conditions } = plan;
  const where = whereClause(collection.name, conditions, versionCondition(plan));
  const table = tableOf(collection);
  const write =
    collection.softDelete === undefined
      ? sql`delete from ${table}`
      : sql`update ${table} set ${identifier(collection.softDelete)} = now()`;
  return writeStatement(plan, sql`${write}${where}${returningClause(plan)}`);
}
