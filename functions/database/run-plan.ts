/** Plan → the rows of its statement. A large response is made a second time, once there is memory for it. */

import { largeResponses } from '../admission/large-response.ts';
import type { Lease } from '../admission/leases.ts';
import type { Env } from '../common/env.ts';
import { limits } from '../common/limits.ts';
import { fail, ok, type Result } from '../common/result.ts';
import type { Trace } from '../log/log.ts';
import type { Plan } from '../plan/plan.ts';
import { withFields } from '../plan/refused-fields.ts';
import { marked } from '../statement/marked.ts';
import { messageOf } from '../statement/statement.ts';
import type { Row } from './database.ts';
import { type ExecuteOptions, execute } from './execute.ts';

export interface PlanResult {
  rows: Row[];
  /** Holds the memory of a large response until it is sent. */
  lease?: Lease;
}

/**
 * Executes a plan. Many large responses at once would not fit into the isolate's memory, and only the database knows how
 * large a response is. So the first message fails, and is rolled back, when its response exceeds a small limit; it is then
 * sent again under a lease of the largest size a response may have. Nearly every request is still one message.
 */
export async function runPlan(
  plan: Plan,
  env: Env,
  options: ExecuteOptions,
  trace: Trace,
): Promise<Result<PlanResult>> {
  const send = (maxBytes: number): Promise<Result<Row[]>> =>
    trace.database(() => execute(marked(messageOf({ ...plan, maxBytes }), trace), env, options));
  const small = await send(Math.min(limits.response.smallBytes, plan.maxBytes));
  if (small.ok) {
    return ok({ rows: small.value });
  }
  if (small.failure.is !== 'response too large') {
    return fail(withFields(small.failure, plan));
  }
  const lease = await largeResponses.acquire(options.callerKey, plan.maxBytes, 'RESPONSES_FULL');
  if (!lease.ok) {
    return lease;
  }
  const large = await send(plan.maxBytes);
  if (!large.ok) {
    largeResponses.release(lease.value);
    return large;
  }
  largeResponses.resize(lease.value, large.value[0]?.['body']?.length ?? 0);
  return ok({ rows: large.value, lease: lease.value });
}
