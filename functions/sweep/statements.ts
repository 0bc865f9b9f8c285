/** The messages of a sweep, each a transaction of its own, and whether the sweep is late. */
import type { SweepJob } from '../../schema/sweep-jobs.ts';
import type { Caller } from '../caller/caller.ts';
import { arrayText, identifier, type Message, message, sql } from '../database/sql.ts';
import { jobMessage, sessionStatement } from '../database/statements.ts';

/** Sweeps one batch of a job. Its row has `swept`, the number of rows; `failed`, the ids of those that failed, and why: `code`. */
export function sweepMessage(
  { function: name, batch, skipsFailed }: SweepJob,
  failedBefore: string[],
): Message {
  const called = identifier('builder', name);
  return jobMessage(
    skipsFailed
      ? sql`select swept::text, array_to_string(failed, ',') as failed, code from ${called}(${batch}, ${arrayText(failedBefore)})`
      : sql`select ${called}(${batch})::text as swept`,
  );
}

/** Records that a run has ended without a failure, for /health. */
export const sweptMessage: Message = jobMessage(sql`select builder.record_sweep()::text`);

/** The message to which a database that works replies: whether the sweep is late. `caller` is anonymous. */
export const healthMessage = (caller: Caller, canWrite: boolean): Message =>
  message(
    sessionStatement(caller),
    ...(canWrite ? [sql`select from builder.try_writing()`] : []),
    sql`select case when builder.sweep_is_late() then 'late' else 'ok' end as sweep`,
  );
