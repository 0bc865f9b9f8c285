/** Plan → the rows of its statement. An answer that turns out to be large is made once more, when there is room for it. */

import type { Env } from '../common/env.ts';
import { limits } from '../common/limits.ts';
import { ok, type Result } from '../common/result.ts';
import type { Trace } from '../log/trace.ts';
import type { Lease } from '../memory/byte-leases.ts';
import { largeResponses } from '../memory/large-response.ts';
import type { Plan } from '../plan/plan.ts';
import { marked } from '../statement/marked.ts';
import { messageOf } from '../statement/statement.ts';
import type { Row } from './database.ts';
import { type ExecuteOptions, execute } from './execute.ts';

export interface Ran {
  rows: Row[];
  /** Of the memory that a large answer takes, until it is sent. */
  lease?: Lease;
}

/**
 * How large an answer is only the database knows, and many large ones at once would not fit into the isolate. So the first
 * message may answer little; past that it ends and undoes what it did, and is sent again with a lease for as much as an
 * answer may have. Nearly every request is one message all the same.
 */
export async function runPlan(
  plan: Plan,
  env: Env,
  options: ExecuteOptions,
  trace: Trace,
): Promise<Result<Ran>> {
  const send = (maxBytes: number): Promise<Result<Row[]>> =>
    trace.database(() => execute(marked(messageOf({ ...plan, maxBytes }), trace), env, options));
  const small = await send(Math.min(limits.response.smallBytes, plan.maxBytes));
  if (small.ok) {
    return ok({ rows: small.value });
  }
  if (small.failure.is !== 'response too large') {
    return small;
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
  lease.value.bytes = large.value[0]?.['body']?.length ?? 0;
  return ok({ rows: large.value, lease: lease.value });
}
