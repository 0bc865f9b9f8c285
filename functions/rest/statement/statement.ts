/** Plan → the one message of a request. Pure: no database, no clock, no randomness. */

import { empty, join, keyword, type Message, message, type Sql, sql } from '../../database/sql.ts';
import { sessionStatement } from '../../database/statements.ts';
import type { CallPlan } from '../plan/call.ts';
import type { InsertPlan } from '../plan/insert.ts';
import type { Plan } from '../plan/plan-request.ts';
import { callStatements, valueStatement } from './call.ts';
import { deleteStatement } from './delete.ts';
import { bodyParameter, insertStatement, onceStatement } from './insert.ts';
import { isListByTime, readStatement } from './read.ts';
import { type Again, againSettings, ending, factSettings, withoutSort } from './session.ts';
import { updateStatement } from './update.ts';

/** Returns the session and the statements; `again` is present when they are sent for a second time. */
export function messageOf(plan: Plan, again?: Again): Message {
  const facts = 'facts' in plan ? plan.facts : undefined;
  const sorting = plan.is === 'read' && isListByTime(plan) ? withoutSort : empty;
  const settings = sql`${factSettings(facts)}${againSettings(again)}${sorting}`;
  const session = sessionStatement(plan.caller, plan.timeZone, settings);
  return message(session, ...statementsOf(plan), ...ending(plan.preferences));
}

function statementsOf(plan: Plan): Sql[] {
  switch (plan.is) {
    case 'value':
      return [valueStatement(plan)];
    case 'call':
      return callOnce(plan);
    default:
      return [explained(plan, mainStatement(plan))];
  }
}

function explained({ explain }: Plan, statement: Sql): Sql {
  return explain
    ? sql`explain (${keyword([`format ${explain.format}`, ...explain.options].join(', '))}) ${statement}`
    : statement;
}

/** Returns the statement of an insert, with its key if it has one. EXPLAIN writes nothing, so it doesn't use the key. */
const insertOnce = (plan: InsertPlan): Sql =>
  plan.idempotencyKey && !plan.explain
    ? onceStatement(plan.idempotencyKey, insertStatement(plan, bodyParameter), plan.body.json)
    : insertStatement(plan);

const callOnce = (plan: CallPlan): Sql[] =>
  plan.idempotencyKey
    ? [onceStatement(plan.idempotencyKey, join(callStatements(plan, bodyParameter), ';\n'), plan.body.json)]
    : callStatements(plan);

function mainStatement(plan: Exclude<Plan, { is: 'value' | 'call' }>): Sql {
  switch (plan.is) {
    case 'read':
      return readStatement(plan);
    case 'insert':
      return insertOnce(plan);
    case 'update':
      return updateStatement(plan);
    case 'delete':
      return deleteStatement(plan);
  }
}
