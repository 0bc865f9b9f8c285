/** The messages of a sweep, each a transaction of its own that ends after the time of a statement, and whether it is late. */
import type { SweepJob } from '../../schema/sweep-jobs.ts';
import type { Caller } from '../caller/caller.ts';
import { limits } from '../common/limits.ts';
import { sessionStatement, timeoutSetting } from './session.ts';
import { arrayText, empty, identifier, type Message, message, type Sql, sql } from './sql.ts';

const within = (statement: Sql): Message =>
  message(sql`select where ${timeoutSetting(limits.database.statementTimeout)}`, statement);

/** Sweeps one batch of a job, but for the rows of some accounts. The row of its result has `swept`, how many rows it had. */
export const sweepMessage = (job: SweepJob, batch: number, butOf: string[] = []): Message =>
  within(
    sql`select ${identifier('builder', job.function)}(${batch}${butOf.length > 0 ? sql`, ${arrayText(butOf)}` : empty})::text as swept`,
  );

/** Finds the next rows that are due, `of` these accounts or `butOf` these, but for some: `id` and `account_id`. */
export const dueMessage = (
  due: string,
  batch: number,
  which: 'of' | 'butOf',
  accounts: string[],
  tried: string[] = [],
): Message =>
  within(
    sql`select id::text, account_id::text from ${identifier('builder', due)}(${batch}, ${arrayText(accounts)}, ${which === 'butOf'}, ${arrayText(tried)})`,
  );

/** Sweeps a single row. The row of its result has `swept`. */
export const sweepOneMessage = (one: string, id: string): Message =>
  within(sql`select ${identifier('builder', one)}(${id})::text as swept`);

/** Notes that a run has ended without a failure, for /health. */
export const sweptMessage: Message = within(sql`select builder.note_sweep()::text`);

/** The message to which a working database replies: whether the sweep is late. `caller` is anonymous. */
export const healthMessage = (caller: Caller): Message =>
  message(
    sessionStatement(caller),
    sql`select case when builder.sweep_is_late() then 'late' else 'ok' end as sweep`,
  );
