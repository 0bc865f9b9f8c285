/** The scheduled job: expires quotes, prunes notifications and forgets Idempotency-Keys, batch by batch, until nothing is due or time is up. */
import type { Env } from '../common/env.ts';
import { limits } from '../common/limits.ts';
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

const { batch } = limits.sweep;

const options = { login: 'sweeper', callerKey: 'sweeper' } as const;

export async function sweep(env: Env): Promise<void> {
  const started = Date.now();
  const run = { batches: 0, until: started + limits.sweep.time };
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
  /** What ended it; what it was about is still due and waits for the next run. */
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
