/**
 * A job of the sweep, in batches until nothing is due or the time is up. When a batch fails by what is in its rows, or takes
 * too long, the accounts of those rows are left for last: the others go on, and after all jobs each row of those is swept
 * alone.
 */
import type { SweepJob } from '../../schema/sweep-jobs.ts';
import { limits } from '../common/limits.ts';
import type { Result } from '../common/result.ts';
import type { Row } from '../database/database.ts';
import type { Failure } from '../failure/failure.ts';
import { dueMessage, sweepMessage, sweepOneMessage } from '../statement/service.ts';
import type { Message } from '../statement/sql.ts';

const { batch } = limits.sweep;

/** What the jobs of a run share. */
export interface SweepRun {
  send(message: Message): Promise<Result<Row[]>>;
  batches: number;
  /** When the last batch may begin, in milliseconds since 1970. */
  until: number;
}

export interface Swept {
  swept: number;
  /** Why a batch or a row failed. What was not swept is still due and left to the next run. */
  failure?: Failure;
  /** The ids of the rows that failed alone. */
  failed: string[];
  /** The accounts of failed batches, which are left for last. */
  aside: string[];
}

export async function sweepJob(job: SweepJob, run: SweepRun): Promise<Swept> {
  const aside: string[] = [];
  const total: Swept = { swept: 0, failed: [], aside };
  while (Date.now() < run.until) {
    const rows = await run.send(sweepMessage(job, batch, aside));
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
    if (count < batch) {
      break;
    }
  }
  return total;
}

const sweptOf = ([row]: Row[]): number => Number(row?.['swept']);

/** Whether a batch failed for its rows: values, constraints, limits, rules and time. Another batch may succeed. */
const isOfItsRows = (failure: Failure): boolean =>
  failure.is === 'database' && /^(?:2|40|54|57014|PT|P0)/.test(failure.sqlstate);

const isTooSlow = (failure: Failure): boolean => failure.is === 'database' && failure.sqlstate === '57014';

/** Finds the accounts of a failed batch. */
async function findAccounts(
  job: SweepJob,
  aside: string[],
  failure: Failure,
  run: SweepRun,
): Promise<string[]> {
  if (!job.alone || !isOfItsRows(failure)) {
    return [];
  }
  const due = await run.send(dueMessage(job.alone.due, batch, 'butOf', aside));
  return due.ok ? [...new Set(due.value.map(row => row['account_id'] ?? ''))] : [];
}

/**
 * Sweeps what was put aside, one row after the other. An account that had a row which takes too long waits until the others
 * are done, and then goes on with its next one.
 */
export async function sweepAlone(
  { alone }: SweepJob,
  { aside, ...before }: Swept,
  run: SweepRun,
): Promise<Swept> {
  const total = { ...before, aside: [], failed: [...before.failed] };
  const tried: string[] = [];
  const slow = new Set<string>();
  let accounts = aside;
  while (alone && accounts.length > 0 && Date.now() < run.until) {
    const rows = await run.send(dueMessage(alone.due, batch, 'of', accounts, tried));
    if (!rows.ok) {
      break;
    }
    for (const { id, account_id: account } of rows.value) {
      if (!id || !account || slow.has(account) || Date.now() >= run.until) {
        continue;
      }
      const swept = await run.send(sweepOneMessage(alone.one, id));
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
