/** The messages of a sweep, each a transaction of its own, and whether the sweep is late. */
import type { SweepJob } from '../../schema/sweep-jobs.ts';
import type { Caller } from '../caller/caller.ts';
import { arrayText, empty, identifier, type Message, message, sql } from '../database/sql.ts';
import { jobMessage, sessionStatement } from '../database/statements.ts';

/** Sweeps one batch of a job, except the rows of some accounts. Its row has `swept`, the number of rows. */
export const sweepMessage = (job: SweepJob, batch: number, butOf: string[] = []): Message =>
  jobMessage(
    sql`select ${identifier('builder', job.function)}(${batch}${butOf.length > 0 ? sql`, ${arrayText(butOf)}` : empty})::text as swept`,
  );

/** Finds the next due rows, only `of` these accounts or all but those in `butOf`, without the ids in `tried`. They have `id` and `account_id`. */
export const dueMessage = (
  due: string,
  batch: number,
  which: 'of' | 'butOf',
  accounts: string[],
  tried: string[] = [],
): Message =>
  jobMessage(
    sql`select id::text, account_id::text from ${identifier('builder', due)}(${batch}, ${arrayText(accounts)}, ${which === 'butOf'}, ${arrayText(tried)})`,
  );

/** Sweeps a single row. Its row has `swept`. */
export const sweepOneMessage = (one: string, id: string): Message =>
  jobMessage(sql`select ${identifier('builder', one)}(${id})::text as swept`);

/** Records that a run has ended without a failure, for /health. */
export const sweptMessage: Message = jobMessage(sql`select builder.record_sweep()::text`);

/** The message to which a database that works replies: whether the sweep is late. `caller` is anonymous. */
export const healthMessage = (caller: Caller, canWrite: boolean): Message =>
  message(
    sessionStatement(caller),
    ...(canWrite ? [sql`select from builder.try_writing()`] : []),
    sql`select case when builder.sweep_is_late() then 'late' else 'ok' end as sweep`,
  );
