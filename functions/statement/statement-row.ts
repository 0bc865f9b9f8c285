import { keyword, type Sql, sql } from './sql.ts';

/**
 * The row that a statement returns, each column as text. A read or write of one row at most returns that row, with
 * `body`, `version` and `key`, or none; every other one row about all rows.
 */
export interface StatementRow {
  /** The body of the response; null where a response to an Idempotency-Key was not kept whole. */
  body?: string | null;
  /** How many rows the page has, or were written. */
  page_total?: string | null;
  /** How many rows there are, when they were counted. */
  total?: string | null;
  /** `true` when rows follow the page. */
  more?: string | null;
  /** The keyset of the page's last row: a JSON array of texts. */
  last?: string | null;
  /** Of the one row: what its ETag tells. */
  version?: string | null;
  /** The primary key of the one row that was inserted, for the Location header. */
  key?: string | null;
  /** How many rows of an upsert were inserted. */
  inserted?: string | null;
  /** A line of what EXPLAIN returns, instead of all others. */
  'QUERY PLAN'?: string | null;
}

/** `expression as column`, a column of the row that a statement returns. */
export const returned = (column: keyof StatementRow, expression: Sql): Sql =>
  sql`${expression} as ${keyword(column)}`;
