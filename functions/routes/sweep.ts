/** The scheduled sweep: runs the jobs of schema/sweep-jobs.ts, and logs what they did and the ids of what failed alone. */
import { type SweepJob, sweepJobs } from '../../schema/sweep-jobs.ts';
import type { Env } from '../common/env.ts';
import { limits } from '../common/limits.ts';
import { type ExecuteOptions, execute } from '../database/execute.ts';
import { HeldConnection } from '../database/hyperdrive.ts';
import { nudgeDelivery } from '../delivery/nudge.ts';
import type { Failure } from '../failure/failure.ts';
import { loggedOf } from '../failure/render.ts';
import { nudge } from '../live/objects.ts';
import { writeLog } from '../log/write-log.ts';
import type { Message } from '../statement/sql.ts';
import { sweptMessage } from '../statement/sweep.ts';
import { type Swept, sweepAlone, sweepJob } from './sweep-job.ts';

export async function sweep(env: Env): Promise<void> {
  const started = Date.now();
  // Nothing reclaims a connection before the run has ended, and each batch would open one.
  const held = env.HYPERDRIVE_SWEEPER && new HeldConnection(env.HYPERDRIVE_SWEEPER);
  const options: ExecuteOptions = { login: 'sweeper', callerKey: 'sweeper', held };
  const send = (message: Message) => execute(message, env, options);
  const run = { send, batches: 0, until: started + limits.sweep.time };
  const counts: Record<string, number> = {};
  const left: string[] = [];
  let firstFailure: Failure | undefined;
  const inBatches: { job: SweepJob; before: Swept }[] = [];
  for (const job of sweepJobs) {
    inBatches.push({ job, before: await sweepJob(job, run) });
  }
  for (const { job, before } of inBatches) {
    const { swept, failure, failed } = await sweepAlone(job, before, run);
    counts[job.logged] = swept;
    firstFailure ??= failure;
    left.push(...failed);
  }
  if (firstFailure === undefined) {
    const noted = await send(sweptMessage);
    firstFailure = noted.ok ? undefined : noted.failure;
  }
  held?.end();
  if (Object.values(counts).some(count => count > 0)) {
    await nudge(env);
  }
  // Its alarm goes on by itself, and this sets the first one.
  await nudgeDelivery(env);
  writeLog({
    event: 'sweep',
    ...counts,
    batches: run.batches,
    total_ms: Date.now() - started,
    ...(firstFailure && loggedOf(firstFailure)),
    ...(left.length > 0 && { left: left.slice(0, limits.sweep.logged).join() }),
  });
}
