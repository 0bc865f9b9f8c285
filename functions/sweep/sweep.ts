/** The scheduled sweep: runs the jobs of schema/sweep-jobs.ts, and logs their counts and the ids of rows that failed. */
import { type SweepJob, sweepJobs } from '../../schema/sweep-jobs.ts';
import type { Env } from '../common/env.ts';
import type { Failure } from '../common/failure/failure.ts';
import { loggedOf } from '../common/failure/render-failure.ts';
import { causeOf } from '../common/failure/sqlstates.ts';
import { minute } from '../common/limits.ts';
import { monotonicNow } from '../common/monotonic.ts';
import { writeLog } from '../common/write-log.ts';
import type { Row } from '../database/database.ts';
import { type ExecuteOptions, execute, type SendMessage } from '../database/execute.ts';
import { HeldConnection } from '../database/hyperdrive.ts';
import type { Message } from '../database/sql.ts';
import { nudgeDelivery } from '../delivery/delivery-stub.ts';
import { nudge } from '../live/live-stub.ts';
import { dueMessage, sweepMessage, sweepOneMessage, sweptMessage } from './statements.ts';

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
  const inBatches: { job: SweepJob; before: Swept }[] = [];
  for (const job of sweepJobs) {
    inBatches.push({ job, before: await sweepJob(job, run) });
  }
  for (const { job, before } of inBatches) {
    const { swept, failure, failed } = await sweepByRow(job, before, run);
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
  /** The ids of rows that failed in a sweep of their own. */
  failed: string[];
  /** The accounts of failed batches, which are swept last. */
  aside: string[];
}

/**
 * Runs a job in batches until nothing is due or the time is up. When a batch fails because of its rows, or takes too long,
 * the accounts of those rows are set aside, and the job continues with the others.
 */
async function sweepJob(job: SweepJob, run: SweepRun): Promise<Swept> {
  const aside: string[] = [];
  const total: Swept = { swept: 0, failed: [], aside };
  while (monotonicNow() < run.until) {
    const rows = await run.send(sweepMessage(job, job.batch, aside));
    run.batches += 1;
    if (!rows.ok) {
      total.failure ??= rows.failure;
      const accounts = await findAccounts(job, aside, rows.failure, run);
      if (accounts.length === 0) {
        break;
      }
      aside.push(...accounts);
      continue;
    }
    const count = sweptOf(rows.value);
    total.swept += count;
    if (count < job.batch) {
      break;
    }
  }
  return total;
}

const sweptOf = ([row]: Row[]): number => Number(row?.['swept']);

/** Whether a batch failed because of its rows. Another batch may succeed. */
const isOfItsRows = (failure: Failure): boolean =>
  failure.is === 'database' && ['values', 'busy', 'large', 'slow'].includes(causeOf(failure.sqlstate));

const isTooSlow = (failure: Failure): boolean =>
  failure.is === 'database' && causeOf(failure.sqlstate) === 'slow';

/** Finds the accounts of a failed batch. */
async function findAccounts(
  job: SweepJob,
  aside: string[],
  failure: Failure,
  run: SweepRun,
): Promise<string[]> {
  if (!job.byRow || !isOfItsRows(failure)) {
    return [];
  }
  const due = await run.send(dueMessage(job.byRow.due, job.batch, 'butOf', aside));
  return due.ok ? [...new Set(due.value.map(row => row['account_id'] ?? ''))] : [];
}

/**
 * Sweeps the accounts that were set aside, row by row. An account with a row that takes too long waits until the others are
 * done; then its next row is swept.
 */
async function sweepByRow(
  { byRow, batch }: SweepJob,
  { aside, ...before }: Swept,
  run: SweepRun,
): Promise<Swept> {
  const total = { ...before, aside: [], failed: [...before.failed] };
  const tried: string[] = [];
  const slow = new Set<string>();
  let accounts = aside;
  while (byRow && accounts.length > 0 && monotonicNow() < run.until) {
    const rows = await run.send(dueMessage(byRow.due, batch, 'of', accounts, tried));
    if (!rows.ok) {
      break;
    }
    for (const { id, account_id: account } of rows.value) {
      if (!id || !account || slow.has(account) || monotonicNow() >= run.until) {
        continue;
      }
      const swept = await run.send(sweepOneMessage(byRow.one, id));
      run.batches += 1;
      tried.push(id);
      if (swept.ok) {
        total.swept += sweptOf(swept.value);
        continue;
      }
      total.failure ??= swept.failure;
      if (!isOfItsRows(swept.failure)) {
        return total;
      }
      total.failed.push(id);
      if (isTooSlow(swept.failure)) {
        slow.add(account);
      }
    }
    accounts = accounts.filter(account => !slow.has(account));
    if (rows.value.length === 0 || accounts.length === 0) {
      accounts = [...slow];
      slow.clear();
    }
  }
  return total;
}
