/**
 * A job of the sweep, in batches until nothing is due or the time is up. When a batch fails by what is in its rows, or takes
 * too long, the accounts of those rows are left for last: the others go on, and then each row of those is swept alone.
 */
import type { SweepJob } from '../../schema/sweep-jobs.ts';
import { limits } from '../common/limits.ts';
import type { Result } from '../common/result.ts';
import type { Row } from '../database/database.ts';
import type { Failure } from '../failure/failure.ts';
import type { Message } from '../statement/sql.ts';
import { dueMessage, sweepMessage, sweepOneMessage } from '../statement/sweep.ts';

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
}

export async function sweepJob(job: SweepJob, run: SweepRun): Promise<Swept> {
  const aside: string[] = [];
  const total: Swept = { swept: 0, failed: [] };
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
  if (job.alone && aside.length > 0) {
    await sweepAlone(job.alone, aside, run, total);
  }
  return total;
}

const sweptOf = ([row]: Row[]): number => Number(row?.['swept']);

/** Values, constraints, limits, rules and time: another batch may succeed. */
const isOfItsRows = (failure: Failure): boolean =>
  failure.is === 'database' && /^(?:2|40|54|57014|PT|P0)/.test(failure.sqlstate);

/** The accounts of a failed batch. */
async function findAccounts(
  job: SweepJob,
  aside: string[],
  failure: Failure,
  run: SweepRun,
): Promise<string[]> {
  if (!job.alone || !isOfItsRows(failure)) {
    return [];
  }
  const due = await run.send(dueMessage(job.alone.due, batch, aside, true));
  return due.ok ? [...new Set(due.value.map(row => row['account_id'] ?? ''))] : [];
}

/** One row after the other. What failed once is not tried again, nor what its account has besides, until the next run. */
async function sweepAlone(
  { due, one }: NonNullable<SweepJob['alone']>,
  aside: string[],
  run: SweepRun,
  total: Swept,
): Promise<void> {
  let accounts = aside;
  while (accounts.length > 0 && Date.now() < run.until) {
    const rows = await run.send(dueMessage(due, batch, accounts, false));
    const before = total.swept;
    for (const row of rows.ok ? rows.value : []) {
      const { id, account_id: account } = row;
      if (!id || !account || !accounts.includes(account) || Date.now() >= run.until) {
        continue;
      }
      const swept = await run.send(sweepOneMessage(one, id));
      run.batches += 1;
      if (swept.ok) {
        total.swept += sweptOf(swept.value);
      } else {
        total.failure ??= swept.failure;
        total.failed.push(id);
        accounts = accounts.filter(other => other !== account);
      }
    }
    if (total.swept === before) {
      break;
    }
  }
}
