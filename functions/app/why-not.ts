/** Why a request failed in the database, as far as its client can know: at which field, or why no row was found. */
import type { Result } from '../common/result.ts';
import type { Row } from '../database/database.ts';
import type { Failure } from '../failure/failure.ts';
import type { Unwritten } from '../failure/unwritten.ts';
import type { Plan } from '../plan/plan.ts';
import { withFields } from '../plan/refused-fields.ts';
import { unwrittenMessage } from '../statement/change.ts';
import type { Message } from '../statement/sql.ts';

/** Sends a message. A repeatable one only reads. */
type Send = (message: Message, repeatable: boolean) => Promise<Result<Row[]>>;

/**
 * Returns the failure with its fields, or with the reason of a change of a row by its key that found none; any other failure
 * unchanged. The reason takes a message of its own: the statement that waited for another writer does not see what that one
 * wrote.
 */
export async function explainFailure(failure: Failure, plan: Plan, send: Send): Promise<Failure> {
  const foundNone =
    failure.is === 'precondition failed' || (failure.is === 'not singular' && failure.rows === '0');
  if (!foundNone) {
    return withFields(failure, plan);
  }
  const message = writes(plan) ? unwrittenMessage(plan) : undefined;
  const rows = message && (await send(message, true));
  const why = rows?.ok && rows.value[0]?.['body'];
  return why ? { ...failure, why: why as Unwritten } : failure;
}

const writes = (plan: Plan): plan is Extract<Plan, { is: 'update' | 'delete' }> =>
  plan.is === 'delete' || (plan.is === 'update' && plan.body.columns.length > 0);
