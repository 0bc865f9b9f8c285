/** The batches of the sweep. Each is a message of its own, and so a transaction of its own. */
import { type Sql, sql } from './sql.ts';

/** Returns `swept`, the number of quotes that became expired. */
export const expireQuotesStatement = (batch: number): Sql =>
  sql`select builder.expire_quotes(${batch})::text as swept`;

/** Returns `swept`, the number of notifications removed. */
export const pruneNotificationsStatement = (batch: number): Sql =>
  sql`select builder.prune_notifications(${batch})::text as swept`;

/** Returns `swept`, the number of Idempotency-Keys removed. */
export const pruneIdempotencyKeysStatement = (batch: number): Sql =>
  sql`select builder.prune_idempotency_keys(${batch})::text as swept`;
