/** The statement of a DELETE. */
import { identifier, keyword, type Sql, sql } from '../../database/sql.ts';
import type { DeletePlan } from '../plan/delete.ts';
import { tableOf, whereClause } from './clauses.ts';
import { versionCondition } from './statement-row.ts';
import { isLocked, lockedRows, lockedToRemove, returningClause, writeStatement } from './write.ts';

/** Returns the statement of a DELETE, which marks the rows as deleted where the collection has soft deletes, and removes them otherwise. */
export function deleteStatement(plan: DeletePlan): Sql {
  const { collection, conditions } = plan;
  const where = whereClause(collection.name, conditions, versionCondition(plan));
  const table = tableOf(collection);
  const { softDelete } = collection;
  const isSoft = softDelete !== undefined;
  const write = isSoft
    ? sql`update ${table} set ${identifier(softDelete)} = now()`
    : sql`delete from ${table}`;
  if (plan.atMostOne) {
    return writeStatement(plan, sql`${write}${where}${returningClause(plan)}`);
  }
  const locked = isSoft ? lockedRows(plan, where) : lockedToRemove(plan, where);
  const source = isSoft ? keyword(' from locked') : keyword(' using locked');
  return writeStatement(plan, sql`${write}${source}${isLocked(plan)}${returningClause(plan)}`, {
    before: [locked],
  });
}
