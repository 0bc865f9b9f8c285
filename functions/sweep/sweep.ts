/** The scheduled sweep: runs the jobs of schema/sweep-jobs.ts, and logs what they did and the ids of what failed alone. */
import { sweepJobs } from '../../schema/sweep-jobs.ts';
import type { Env } from '../common/env.ts';
import { limits } from '../common/limits.ts';
import { execute } from '../database/execute.ts';
import type { Failure } from '../failure/failure.ts';
import { loggedOf } from '../failure/render.ts';
import { nudge } from '../live/nudge.ts';
import { writeLog } from '../log/write-log.ts';
import type { Message } from '../statement/sql.ts';
import { sweepJob } from './sweep-job.ts';

const options = { login: 'sweeper', callerKey: 'sweeper' } as const;

export async function sweep(env: Env): Promise<void> {
  const started = Date.now();
  const send = (message: Message) => execute(message, env, options);
  const run = { send, batches: 0, until: started + limits.sweep.time };
  const counts: Record<string, number> = {};
  const left: string[] = [];
  let firstFailure: Failure | undefined;
  for (const job of sweepJobs) {
    const { swept, failure, failed } = await sweepJob(job, run);
    counts[job.logged] = swept;
    firstFailure ??= failure;
    left.push(...failed);
  }
  if (Object.values(counts).some(count => count > 0)) {
    await nudge(env);
  }
  writeLog({
    event: 'sweep',
    ...counts,
    batches: run.batches,
    total_ms: Date.now() - started,
    ...(firstFailure && loggedOf(firstFailure)),
    ...(left.length > 0 && { left: left.slice(0, limits.sweep.logged).join() }),
  });
}
