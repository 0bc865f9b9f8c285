/** What insert, update and delete have in common: the body's rows, what they return, and what undoes them. */
import type { Collection } from '../../schema/collection.ts';
import type { InsertPlan, WritePlan } from '../plan/plan.ts';
import { groupByClause, orderByClause, selectList } from './output.ts';
import { bodyExpression, rowTexts } from './response-body.ts';
import { empty, identifier, join, keyword, type Sql, sql } from './sql.ts';
import { returned } from './statement-row.ts';
import { versionColumn } from './version.ts';
import { wantsRows, writtenRow } from './written-row.ts';

/**
 * What is answered of the written rows, where no other statement comes after the write; else the columns that the rest
 * of the statement needs of them: those of the answer and its order. Only these, since RETURNING needs the privilege to
 * read them.
 */
export function returningClause(plan: WritePlan, ...also: Sql[]): Sql {
  if (plan.atMostOne) {
    return sql` returning ${join(writtenRow(plan))}`;
  }
  const names = new Set<string>();
  for (const { field } of plan.outputs) {
    if (field) {
      names.add(field.column);
    }
  }
  for (const { field } of plan.order) {
    names.add(field.column);
  }
  if (plan.is === 'insert' && (plan.preferences.return === 'headers-only' || plan.idempotencyKey)) {
    names.add(plan.collection.primaryKey);
  }
  if (plan.is === 'insert' && plan.idempotencyKey && hasAccounts(plan.collection)) {
    names.add('account_id');
  }
  const columns = [...names].map(name => identifier(plan.collection.name, name));
  return sql` returning ${join([...columns, ...versionColumn(plan), ...also, keyword('1')])}`;
}

interface WriteParts {
  /** Queries of the `with` clause that the write needs. */
  before?: Sql[];
  /** What is answered besides. */
  also?: Sql[];
}

/**
 * Runs a write as `written` and answers `body`, `page_total` and what else is asked for, as one row. What must undo the
 * write raises here, inside the statement. A write of one row at most answers that row, as a read does.
 */
export function writeStatement(
  plan: WritePlan,
  write: Sql,
  { before = [], also = [] }: WriteParts = {},
): Sql {
  if (plan.atMostOne) {
    return write;
  }
  const body = wantsRows(plan) ? bodyExpression(plan) : sql`''`;
  const rows = wantsRows(plan) ? rowTexts(plan, keyword('page'), empty) : keyword('page');
  const page = wantsRows(plan)
    ? sql`select ${selectList('written', plan.outputs)}
  from written${groupByClause(plan.outputs)}${writtenOrder(plan)}`
    : sql`select from written`;
  const written = sql`written as (
  ${write}
)`;
  const told = plan.oneRow
    ? [...also, returned('version', keyword('(select version from written limit 1)'))]
    : also;
  return sql`with ${join([...before, written])}, page as (
  ${page}
)
select ${join([keyword('body'), keyword('page_total'), ...told, ...expectations(plan)])}
from (select ${join([returned('body', body), returned('page_total', keyword('count(*)::text'))])} from ${rows}) as answer`;
}

/** Whether its rows are accounts': of which ones a record of an Idempotency-Key remembers. */
export const hasAccounts = ({ columns }: Collection): boolean => Object.hasOwn(columns, 'account_id');

/** An upsert by key leaves a deleted row as it is; that the row is not written must not look like success. */
export const skipsDeleted = ({ collection, conflict, body }: InsertPlan): boolean =>
  collection.softDelete !== undefined && conflict?.resolution === 'merge' && body.columns.length > 0;

/** A change by key answers its rows in the order of the body, unless another is asked for. */
const writtenOrder = (plan: WritePlan): Sql =>
  plan.is === 'update' && plan.body.key !== undefined && plan.order.length === 0 && isPlain(plan)
    ? keyword(' order by written.position')
    : orderByClause('written', plan.order, plan.outputs);

const isPlain = ({ outputs }: WritePlan): boolean =>
  outputs.every(({ aggregate }) => aggregate === undefined);

/** A change of no columns writes nothing, so that no version is lost by it. */
const isIdle = (plan: WritePlan): boolean => plan.is === 'update' && plan.body.columns.length === 0;

/** Failures that only the number of written rows can tell; each carries its own SQLSTATE, which `execute` knows. */
function expectations(plan: WritePlan): Sql[] {
  const written = sql`(select count(*) from written)`;
  const expected: Sql[] = [];
  if (plan.ifMatch !== undefined && !isIdle(plan)) {
    expected.push(sql`builder.expect_number('PG412', ${written}, 1, 1)`);
  }
  if (plan.mediaType.is === 'object') {
    expected.push(sql`builder.expect_number('PG116', ${written}, 1, 1)`);
  }
  if (plan.is === 'update' && plan.body.key !== undefined) {
    expected.push(sql`builder.expect_number('PG404', ${written}, ${plan.body.rows}, ${plan.body.rows})`);
  }
  if (plan.is === 'insert' && skipsDeleted(plan)) {
    expected.push(sql`builder.expect_number('PG409', ${written}, ${plan.body.rows}, ${plan.body.rows})`);
  }
  const { handling, maxAffected } = plan.preferences;
  if (plan.is !== 'insert' && handling === 'strict' && maxAffected !== undefined) {
    expected.push(sql`builder.expect_number('PG124', ${written}, 0, ${maxAffected})`);
  }
  return expected;
}
