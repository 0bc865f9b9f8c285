/** The scheduled sweep: runs the jobs of schema/sweep-jobs.ts in batches, until nothing is due or the time is up. */
import { sweepJobs } from '../../schema/sweep-jobs.ts';
import type { Env } from '../common/env.ts';
import { limits } from '../common/limits.ts';
import type { Result } from '../common/result.ts';
import { type ExecuteOptions, execute } from '../database/execute.ts';
import { HeldConnection } from '../database/hyperdrive.ts';
import type { Failure } from '../failure/failure.ts';
import { loggedOf } from '../failure/render.ts';
import { nudge } from '../live/nudge.ts';
import { writeLog } from '../log/write-log.ts';
import type { Sql } from '../statement/sql.ts';
import { sweepStatement } from '../statement/sweep.ts';

const { batch } = limits.sweep;

export async function sweep(env: Env): Promise<void> {
  const started = Date.now();
  // Nothing reclaims a connection before the run has ended, and each batch would open one.
  const held = env.HYPERDRIVE_SWEEPER && new HeldConnection(env.HYPERDRIVE_SWEEPER);
  const options: ExecuteOptions = { login: 'sweeper', callerKey: 'sweeper', held };
  const run: Run = { options, batches: 0, until: started + limits.sweep.time };
  const counts: Record<string, number> = {};
  let failed: Failure | undefined;
  for (const job of sweepJobs) {
    const { swept, failure } = await sweepAll(sweepStatement(job, batch), env, run);
    counts[job.logged] = swept;
    failed ??= failure;
  }
  held?.end();
  if (Object.values(counts).some(count => count > 0)) {
    await nudge(env);
  }
  writeLog({
    event: 'sweep',
    ...counts,
    batches: run.batches,
    total_ms: Date.now() - started,
    ...(failed && loggedOf(failed)),
  });
}

interface Run {
  options: ExecuteOptions;
  batches: number;
  /** When the last batch may begin, in milliseconds since 1970. */
  until: number;
}

interface Swept {
  swept: number;
  /** Why it stopped early. The rows of the failed batch are still due and left to the next run. */
  failure?: Failure;
}

async function sweepAll(statement: Sql, env: Env, run: Run): Promise<Swept> {
  let swept = 0;
  while (Date.now() < run.until) {
    const rows: Result<Record<string, string | null>[]> = await execute(statement, env, run.options);
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
