/** Asks why a change of a row by its key wrote none: a read of the row, as the caller. */
import type { Unwritten } from '../failure/unwritten.ts';
import type { DeletePlan, PlannedCondition, UpdatePlan } from '../plan/plan.ts';
import { conditionExpression, whereClause } from './condition.ts';
import { sessionStatement } from './session.ts';
import { join, keyword, type Message, message, type Sql, sql } from './sql.ts';
import { returned } from './statement-row.ts';
import { readableOf } from './table.ts';
import { versionCondition } from './version.ts';

/** Returns the message whose `body` is the reason; nothing for a change that names no key. */
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
