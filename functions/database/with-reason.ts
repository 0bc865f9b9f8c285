/** Says why a change of a row by its key wrote none, so that a client knows what to do next. */
import type { Env } from '../common/env.ts';
import type { Failure } from '../failure/failure.ts';
import type { Unwritten } from '../failure/unwritten.ts';
import type { Trace } from '../log/log.ts';
import type { Plan } from '../plan/plan.ts';
import { marked } from '../statement/marked.ts';
import { unwrittenMessage } from '../statement/unwritten.ts';
import { type ExecuteOptions, execute } from './execute.ts';

/**
 * Returns the failure with the reason, of a change that found no row; any other failure unchanged. The reason takes a
 * message of its own: the statement that waited for another writer does not see what that one wrote.
 */
export async function withReason(
  failure: Failure,
  plan: Plan,
  env: Env,
  options: ExecuteOptions,
  trace: Trace,
): Promise<Failure> {
  const foundNone =
    failure.is === 'precondition failed' || (failure.is === 'not singular' && failure.rows === '0');
  const message = foundNone && writes(plan) ? unwrittenMessage(plan) : undefined;
  if (!foundNone || message === undefined) {
    return failure;
  }
  const read = { ...options, repeatable: true };
  const rows = await trace.database(() => execute(marked(message, trace), env, read));
  const why = rows.ok && rows.value[0]?.['body'];
  return why ? { ...failure, why: why as Unwritten } : failure;
}

const writes = (plan: Plan): plan is Extract<Plan, { is: 'update' | 'delete' }> =>
  plan.is === 'delete' || (plan.is === 'update' && plan.body.columns.length > 0);
