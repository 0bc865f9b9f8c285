import type { IdempotencyKey } from '../plan/plan.ts';
import { type Sql, sql } from './sql.ts';

/**
 * POST with an Idempotency-Key: what the write answers, or answered when it ran. One statement, inside which the
 * database first claims the key, so that a second request with it waits here until the first is done.
 */
export const onceStatement = ({ key, fingerprint }: IdempotencyKey, write: Sql): Sql =>
  sql`select answer.*
from json_to_record(builder.run_once(${key}, ${fingerprint}, ${write.text}))
  as answer(body text, page_total text, inserted text, key text, version text)`;
