/** The scheduled sweep: runs the jobs of schema/sweep-jobs.ts, and logs their counts and the ids of rows that failed. */
import { type SweepJob, sweepJobs } from '../../schema/sweep-jobs.ts';
import type { Env } from '../common/env.ts';
import type { Failure } from '../common/failure/failure.ts';
import { loggedOf } from '../common/failure/render-failure.ts';
import { minute } from '../common/limits.ts';
import { monotonicNow } from '../common/monotonic.ts';
import { writeLog } from '../common/write-log.ts';
import { type ExecuteOptions, execute, type SendMessage } from '../database/execute.ts';
import { HeldConnection } from '../database/hyperdrive.ts';
import type { Message } from '../database/sql.ts';
import { nudgeDelivery } from '../delivery/delivery-stub.ts';
import { nudge } from '../live/live-stub.ts';
import { sweepMessage, sweptMessage } from './statements.ts';

/** Milliseconds of a run; the next one continues where it stopped. */
const longestRun = minute;
/** Maximum number of failed ids in a line of the log. */
const loggedIds = 20;

export async function sweep(env: Env): Promise<void> {
  const started = monotonicNow();
  // A connection is reclaimed only after the run, so each batch would open a new one.
  const held = env.HYPERDRIVE_JOBS && new HeldConnection(env.HYPERDRIVE_JOBS);
  const options: ExecuteOptions = { login: 'jobs', callerKey: 'sweep', held };
  const send = (message: Message) => execute(message, env, options);
  const run = { send, batches: 0, until: started + longestRun };
  const counts: Record<string, number> = {};
  const left: string[] = [];
  let firstFailure: Failure | undefined;
  for (const job of sweepJobs) {
    const { swept, failure, failed } = await sweepJob(job, run);
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
  // Sets the first alarm; the object sets the later ones.
  await nudgeDelivery(env);
  writeLog({
    event: 'sweep',
    ...counts,
    batches: run.batches,
    total_ms: monotonicNow() - started,
    ...(firstFailure && loggedOf(firstFailure)),
    ...(left.length > 0 && { left: left.slice(0, loggedIds).join() }),
  });
}

/** What the jobs of a run share. */
interface SweepRun {
  send: SendMessage;
  batches: number;
  /** When the last batch may begin, by monotonicNow(). */
  until: number;
}

interface Swept {
  swept: number;
  /** Why a batch or a row failed. Rows that were not swept are still due in the next run. */
  failure?: Failure;
  /** The ids of rows that failed. */
  failed: string[];
}

/** Runs a job in batches until nothing is due, a batch fails as a whole, or the time is up. */
async function sweepJob(job: SweepJob, run: SweepRun): Promise<Swept> {
  const total: Swept = { swept: 0, failed: [] };
  while (monotonicNow() < run.until) {
    const rows = await run.send(sweepMessage(job, total.failed));
    run.batches += 1;
    if (!rows.ok) {
      total.failure ??= rows.failure;
      break;
    }
    const [row] = rows.value;
    const failed = row?.['failed'] ? row['failed'].split(',') : [];
    if (row?.['code']) {
      total.failure ??= {
        is: 'database',
        sqlstate: row['code'],
        message: 'Some rows failed',
        authenticated: true,
      };
    }
    total.swept += Number(row?.['swept']);
    total.failed.push(...failed);
    if (Number(row?.['swept']) + failed.length < job.batch) {
      break;
    }
  }
  return total;
}
