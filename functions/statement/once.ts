import type { IdempotencyKey } from '../plan/plan.ts';
import { keyword, type Sql, sql } from './sql.ts';

/** Where a write that runs once has its body. */
export const bodyParameter = keyword('$1');

/**
 * POST with an Idempotency-Key: what the write answers, or answered when it ran. One statement, inside which the
 * database first claims the key, so that a second request with it waits here until the first is done. The write reads the
 * body as `$1` (bodyParameter).
 */
export const onceStatement = ({ key, fingerprint }: IdempotencyKey, write: Sql, body: string): Sql =>
  sql`select answer.*
from json_to_record(builder.run_once(${key}, ${fingerprint}, ${write.text}, ${body}))
  as answer(body text, page_total text, inserted text, key text, version text)`;
