/** The columns that a write of at most one row returns; no outer query reads the written row. */

import type { WritePlan } from '../plan/plan.ts';
import { wantsRows } from '../request/preferences.ts';
import { rowExpression } from './response-body.ts';
import { pageColumns } from './row-text.ts';
import { identifier, type Sql, sql } from './sql.ts';
import { returned } from './statement-row.ts';
import { versionColumn } from './version.ts';

/** Returns `body`, `version` for the ETag, and `key` for the Location header. */
export const writtenRow = (plan: WritePlan): Sql[] => [
  returned('body', bodyOf(plan)),
  ...versionColumn(plan),
  ...keyColumn(plan),
];

const bodyOf = (plan: WritePlan): Sql =>
  wantsRows(plan)
    ? sql`(select ${rowExpression(plan)} from (select ${pageColumns(plan, plan.collection.name)}) as page)`
    : sql`''`;

const keyColumn = ({ is, preferences, collection: { name, primaryKey } }: WritePlan): Sql[] =>
  is === 'insert' && preferences.return === 'headers-only'
    ? [returned('key', sql`${identifier(name, primaryKey)}::text`)]
    : [];
