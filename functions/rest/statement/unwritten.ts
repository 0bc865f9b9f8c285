/** The read that finds out why a change by key wrote no row. */
import type { Unwritten } from '../../common/failure/failure.ts';
import { join, keyword, type Message, message, type Sql, sql } from '../../database/sql.ts';
import { sessionStatement } from '../../database/statements.ts';
import type { DeletePlan } from '../plan/delete.ts';
import type { PlannedCondition } from '../plan/planned.ts';
import type { UpdatePlan } from '../plan/update.ts';
import { conditionExpression, readableOf, whereClause } from './clauses.ts';
import { returned, versionCondition } from './statement-row.ts';

/**
 * Returns the message that reads why a change by key wrote no row: its `body` is the reason. It reads the row as the caller.
 * Undefined for a change that names no key.
 */
export function unwrittenMessage(plan: UpdatePlan | DeletePlan): Message | undefined {
  const { collection, conditions, caller, timeZone } = plan;
  const { name, primaryKey, softDelete } = collection;
  const isKey = (condition: PlannedCondition) => compares(condition, primaryKey, 'eq');
  const findsRow = (condition: PlannedCondition) =>
    isKey(condition) || (softDelete !== undefined && compares(condition, softDelete, 'is'));
  if (!conditions.some(isKey)) {
    return undefined;
  }
  const others = conditions.filter(condition => !findsRow(condition));
  const named = [...versionCondition(plan), ...others.map(condition => conditionExpression(name, condition))];
  const matches = named.length === 0 ? keyword('true') : join(named, ' and ');
  const reason = sql`case when ${matches} then ${is('not yours')} else ${is('changed')} end`;
  const row = sql`select ${reason} from ${readableOf(collection, caller.audience)}${whereClause(name, conditions.filter(findsRow))} limit 1`;
  return message(
    sessionStatement(caller, timeZone),
    sql`select ${returned('body', sql`coalesce((${row}), ${is('gone')})`)}`,
  );
}

const is = (reason: Unwritten): Sql => keyword(`'${reason}'`);

const compares = (condition: PlannedCondition, column: string, operator: string): boolean =>
  condition.is === 'filter' &&
  !condition.negated &&
  condition.field.column === column &&
  condition.field.path.length === 0 &&
  condition.operation.operator === operator;
