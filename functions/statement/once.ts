import type { IdempotencyKey } from '../plan/plan.ts';
import { keyword, type Sql, sql } from './sql.ts';

/** The parameter that holds the body of a write with an Idempotency-Key. */
export const bodyParameter = keyword('$1');

/**
 * Returns the statement of a POST with an Idempotency-Key, which returns the row of the write, or for a retry the stored
 * row. The database function claims the key before it runs the write, so that a concurrent request with the same key waits
 * for the first. The write reads the body from `$1` (bodyParameter).
 */
export const onceStatement = ({ key, fingerprint }: IdempotencyKey, write: Sql, body: string): Sql =>
  sql`select stored.*
from json_to_record(builder.run_once(${key}, ${fingerprint}, ${write.text}, ${body}))
  as stored(body text, page_total text, inserted text, key text, version text)`;
