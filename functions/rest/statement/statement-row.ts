import type { Collection } from '../../../schema/collection.ts';
import { arrayText, identifier, keyword, type Sql, sql } from '../../database/sql.ts';
import type { Part, PlanOfRows } from '../plan/plan.ts';

/**
 * The row that a statement returns, with all columns as text. A read or write of at most one row returns that row, with
 * `body`, `version` and `key`, or no row. Every other statement returns one row about all rows.
 */
export interface StatementRow {
  /** The body of the response; null for a retry whose first response was stored without its body. */
  body?: string | null;
  /** The number of rows on the page, or of rows written. */
  page_total?: string | null;
  /** The number of all rows, when they were counted. */
  total?: string | null;
  /** `true` when there is a next page. */
  more?: string | null;
  /** The keyset of the page's last row: a JSON array of texts. */
  last?: string | null;
  /** The version of a single row, for its ETag. */
  version?: string | null;
  /** The primary key of the one row that was inserted, for the Location header. */
  key?: string | null;
  /** The number of rows that an upsert inserted. */
  inserted?: string | null;
  /** `true` when the service's limit has cut an embedded list. */
  cut?: string | null;
  /** A line of EXPLAIN, which returns no other columns. */
  'QUERY PLAN'?: string | null;
}

/** Returns `expression as column`, a column of the row that a statement returns. */
export const returned = (column: keyof StatementRow, expression: Sql): Sql =>
  sql`${expression} as ${keyword(column)}`;

/**
 * Returns the id of the transaction that wrote the row, and the row's key, since one transaction may write many rows. It
 * changes with every write and needs no column of its own.
 */
const versionExpression = ({ name, primaryKey }: Collection): Sql =>
  sql`(${identifier(name, 'xmin')}::text || '-' || ${identifier(name, primaryKey)}::text)`;

/** Returns the column `version`, when the response has an ETag. */
export const versionColumn = ({ collection, oneRow }: PlanOfRows): Sql[] =>
  oneRow ? [returned('version', versionExpression(collection))] : [];

const hasCapped = (parts: Part[]): boolean => parts.some(part => part.isCapped || hasCapped(part.parts));

/** Returns the column `cut`, where an embedded list may be. It stands behind `body`, which marks it. */
export const cutColumn = ({ parts }: PlanOfRows): Sql[] =>
  hasCapped(parts) ? [returned('cut', keyword("current_setting('response.cut', true)"))] : [];

/** Returns If-Match as a condition of the write itself, so that Postgres checks it again after waiting for a row lock. */
export const versionCondition = ({ collection, ifMatch }: PlanOfRows): Sql[] =>
  typeof ifMatch === 'object' ? [sql`${versionExpression(collection)} = any (${arrayText(ifMatch)})`] : [];
