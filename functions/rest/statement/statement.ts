/** Plan → the one message of a request. Pure: no database, no clock, no randomness. */

import { keyword, type Message, message, type Sql, sql } from '../../database/sql.ts';
import type { InsertPlan } from '../plan/insert.ts';
import type { Plan } from '../plan/plan-request.ts';
import { deleteStatement } from './delete.ts';
import { bodyParameter, insertStatement, onceStatement } from './insert.ts';
import { isListByTime, readStatement } from './read.ts';
import { type Again, ending, sessionStatement, withoutSort } from './session.ts';
import { updateStatement } from './update.ts';

/** Returns the session and the statement; `again` is present when it is sent for a second time. */
export function messageOf(plan: Plan, again?: Again): Message {
  const facts = 'facts' in plan ? plan.facts : undefined;
  const session = sessionStatement(plan.caller, plan.timeZone, facts, again);
  const settings = plan.is === 'read' && isListByTime(plan) ? sql`${session}${withoutSort}` : session;
  return message(settings, explained(plan, mainStatement(plan)), ...ending(plan.preferences));
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

function mainStatement(plan: Plan): Sql {
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
