/** A write of one row at most answers that row by itself: no statement around it reads what it wrote. */

import type { WritePlan } from '../plan/plan.ts';
import { selectList } from './output.ts';
import { rowExpression } from './response-body.ts';
import { identifier, type Sql, sql } from './sql.ts';
import { returned } from './statement-row.ts';
import { versionColumn } from './version.ts';

export const wantsRows = ({ preferences }: WritePlan): boolean => preferences.return === 'representation';

/** The columns `body`, `version` where the answer tells it, and `key` for the Location header. */
export const writtenRow = (plan: WritePlan): Sql[] => [
  returned('body', bodyOf(plan)),
  ...versionColumn(plan),
  ...keyColumn(plan),
];

const bodyOf = (plan: WritePlan): Sql =>
  wantsRows(plan)
    ? sql`(select ${rowExpression(plan)} from (select ${selectList(plan.collection.name, plan.outputs)}) as page)`
    : sql`''`;

const keyColumn = ({ is, preferences, collection: { name, primaryKey } }: WritePlan): Sql[] =>
  is === 'insert' && preferences.return === 'headers-only'
    ? [returned('key', sql`${identifier(name, primaryKey)}::text`)]
    : [];
