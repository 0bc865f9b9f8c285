/** The scheduled jobs: expire quotes, prune notifications and Idempotency-Keys, in batches, until nothing is due or the time is up. */
import type { Env } from '../common/env.ts';
import type { Result } from '../common/result.ts';
import { execute } from '../database/execute.ts';
import type { Failure } from '../failure/failure.ts';
import { loggedOf } from '../failure/render.ts';
import type { Sql } from '../statement/sql.ts';
import {
  expireQuotesStatement,
  pruneIdempotencyKeysStatement,
  pruneNotificationsStatement,
} from '../statement/sweep.ts';

const batch = 500;
/** Milliseconds a sweep takes at most; the next one continues where it stopped. */
const timeAllowed = 60_000;

const options = { login: 'sweeper', callerKey: 'sweeper' } as const;

export async function sweep(env: Env): Promise<void> {
  const started = Date.now();
  const run = { batches: 0, until: started + timeAllowed };
  const expired = await sweepAll(expireQuotesStatement(batch), env, run);
  const pruned = await sweepAll(pruneNotificationsStatement(batch), env, run);
  const forgotten = await sweepAll(pruneIdempotencyKeysStatement(batch), env, run);
  const failed = [expired, pruned, forgotten].find(({ failure }) => failure !== undefined);
  console.log({
    event: 'sweep',
    expired: expired.swept,
    pruned: pruned.swept,
    keys_forgotten: forgotten.swept,
    batches: run.batches,
    total_ms: Date.now() - started,
    ...(failed?.failure && loggedOf(failed.failure)),
  });
}

interface Swept {
  swept: number;
  /** Why it stopped early. The rows of the failed batch are still due and left to the next run. */
  failure?: Failure;
}

async function sweepAll(statement: Sql, env: Env, run: { batches: number; until: number }): Promise<Swept> {
  let swept = 0;
  while (Date.now() < run.until) {
    const rows: Result<Record<string, string | null>[]> = await execute(statement, env, options);
    run.batches += 1;
    if (!rows.ok) {
      return { swept, failure: rows.failure };
    }
    const count = Number(rows.value[0]?.['swept']);
    swept += count;
    if (count < batch) {
      break;
    }
  }
  return { swept };
}
