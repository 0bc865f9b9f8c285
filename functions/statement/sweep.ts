/** One batch of a sweep job: a message of its own, so that it is a transaction of its own. */
import type { SweepJob } from '../../schema/sweep-jobs.ts';
import { identifier, type Sql, sql } from './sql.ts';

/** The row of its result has `swept`, how many rows the batch had. */
export const sweepStatement = (job: SweepJob, batch: number): Sql =>
  sql`select ${identifier('builder', job.function)}(${batch})::text as swept`;
