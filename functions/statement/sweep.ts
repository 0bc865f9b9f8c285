/** One batch of the sweep: a message of its own, so that it is a transaction of its own. */
import { type Sql, sql } from './sql.ts';

/** Answers `swept`, how many quotes became expired. */
export const expireQuotesStatement = (batch: number): Sql =>
  sql`select builder.expire_quotes(${batch})::text as swept`;

/** Answers `swept`, how many notifications were removed. */
export const pruneNotificationsStatement = (batch: number): Sql =>
  sql`select builder.prune_notifications(${batch})::text as swept`;

/** Answers `swept`, how many records of Idempotency-Keys were removed. */
export const pruneIdempotencyKeysStatement = (batch: number): Sql =>
  sql`select builder.prune_idempotency_keys(${batch})::text as swept`;
