/** The common parts of insert, update, delete and call: RETURNING, the response, and the checks that undo the write. */

import { limits } from '../../common/limits.ts';
import { empty, identifier, join, keyword, type Sql, sql } from '../../database/sql.ts';
import type { CallPlan } from '../plan/call.ts';
import type { InsertPlan } from '../plan/insert.ts';
import { hasAggregates } from '../plan/plan-outputs.ts';
import type { WritePlan } from '../plan/plan-request.ts';
import { isEmpty } from '../plan/write.ts';
import { wantsRows } from '../request/preferences.ts';
import { groupByClause, orderByClause, ownColumns, readableOf } from './clauses.ts';
import { pageColumns } from './page-columns.ts';
import { bodyExpression, rowExpression, rowTexts } from './response-body.ts';
import { returned, versionColumn } from './statement-row.ts';

/** Whether the key of the new row is returned: for its Location, or to store it for a retry. */
const returnsKey = (plan: WritePlan): plan is InsertPlan | CallPlan =>
  'idempotencyKey' in plan || (plan.is === 'insert' && plan.preferences.return === 'headers-only');

/** Returns the column of the accounts that are stored with a retry's response. */
const ownersOf = ({ idempotencyKey, collection }: InsertPlan | CallPlan): string[] =>
  idempotencyKey && collection.owner ? [collection.owner.column] : [];

/** Returns the clause of what a write returns, and `also`. */
export const returningClause = (plan: WritePlan, ...also: Sql[]): Sql =>
  sql` returning ${writtenColumns(plan, ...also)}`;

/**
 * Returns the columns of the written rows. A write of at most one row returns the columns of its StatementRow. Any other
 * returns the columns that the rest of the statement needs for the response and its order, and no more, since RETURNING
 * requires the privilege to read them.
 */
export function writtenColumns(plan: WritePlan, ...also: Sql[]): Sql {
  if (plan.atMostOne) {
    return join(writtenRow(plan));
  }
  const names = new Set(ownColumns([...plan.outputs, ...plan.order]));
  if (returnsKey(plan)) {
    [plan.collection.primaryKey, ...ownersOf(plan)].forEach(name => void names.add(name));
  }
  if (plan.is === 'insert' && plan.body.unchanged.length > 0) {
    plan.conflict?.columns.forEach(name => void names.add(name));
  }
  const columns = [...names].map(name => identifier(plan.collection.name, name));
  return join([...columns, ...versionColumn(plan), ...also, keyword('1')]);
}

/** Returns the columns about the key of the one new row, and about its account. */
export function keyColumns(plan: WritePlan): Sql[] {
  if (!returnsKey(plan)) {
    return [];
  }
  const key = identifier('written', plan.collection.primaryKey);
  return [
    returned('key', sql`(select min(${key}::text) from written having count(*) = 1)`),
    ...ownersOf(plan).map(
      name => sql`(select json_agg(distinct ${identifier('written', name)}) from written) as accounts`,
    ),
  ];
}

interface WriteParts {
  /** Queries of the `with` clause that the write refers to. */
  before?: Sql[];
  /** More columns to return. */
  also?: Sql[];
}

/**
 * Runs a write as the query `written` and returns one row with `body`, `page_total` and the columns of `also`.
 * Failures that must undo the write are raised inside the statement. A write of at most one row is the whole statement
 * and returns that row.
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
  const rows = wantsRows(plan) ? rowTexts(plan, keyword('page')) : keyword('page');
  const page = wantsRows(plan)
    ? sql`select ${pageColumns(plan, 'written')}
  from ${sortedRows(plan)}`
    : sql`select from written`;
  const written = sql`written as (
  ${write}
)`;
  const extra = plan.hasVersion
    ? [...also, returned('version', keyword('(select version from written limit 1)'))]
    : also;
  return sql`with ${join([...before, written])}, page as (
  ${page}
)
select ${join([keyword('body'), keyword('page_total'), ...extra, ...expectations(plan)])}
from (select ${join([returned('body', body), returned('page_total', keyword('count(*)::text'))])} from ${rows}) as response`;
}

/** Whether an upsert skips deleted rows. A skipped row must be reported as a failure. */
export const skipsDeleted = ({ collection, conflict, body }: InsertPlan): boolean =>
  collection.softDelete !== undefined && conflict?.resolution === 'merge' && body.columns.length > 0;

/** Returns the columns by which an upsert of an array orders its rows; none, if some are not in the body. */
export const conflictKeys = ({ body, conflict }: InsertPlan): string[] =>
  conflict && body.isArray && conflict.columns.every(name => body.columns.includes(name))
    ? conflict.columns
    : [];

/** Whether the rows of `written` have their position in the body, since they were written in another order. */
export const hasPositions = (plan: WritePlan): boolean =>
  wantsRows(plan) &&
  (plan.is === 'update'
    ? plan.body.key !== undefined
    : plan.is === 'insert' && conflictKeys(plan).length > 0) &&
  plan.order.length === 0 &&
  !hasAggregates(plan.outputs);

/** Returns the written rows in their order. Rows are sorted before their columns are unpacked; groups must be evaluated first. */
const sortedRows = (plan: WritePlan): Sql => {
  const order = writtenOrder(plan);
  return hasAggregates(plan.outputs) || order === empty
    ? sql`written${groupByClause(plan.outputs)}${order}`
    : sql`(select * from written${order}) as written`;
};

/** Returns the order of the written rows: the request's, or that of the body. */
const writtenOrder = (plan: WritePlan): Sql =>
  hasPositions(plan)
    ? keyword(' order by written.position')
    : orderByClause('written', plan.order, plan.outputs);

/** Whether an update has no columns: it writes nothing, so If-Match need not be checked. */
const writesNoColumn = (plan: WritePlan): boolean => plan.is === 'update' && isEmpty(plan.body);

/** Checks of the number of written rows. Each raises its own SQLSTATE, which `execute` translates. */
function expectations(plan: WritePlan): Sql[] {
  const written = sql`(select count(*) from written)`;
  const expected: Sql[] = [];
  if (plan.ifMatch !== undefined && !writesNoColumn(plan)) {
    expected.push(sql`builder.expect_number('PG412', ${written}, 1, 1)`);
  }
  if (plan.mediaType.is === 'object') {
    expected.push(sql`builder.expect_number('PG116', (select count(*) from page), 1, 1)`);
  }
  if (plan.is === 'update' && plan.body.key !== undefined) {
    expected.push(sql`builder.expect_number('PG404', ${written}, ${plan.body.rows}, ${plan.body.rows})`);
  }
  if (plan.is === 'insert' && skipsDeleted(plan)) {
    expected.push(sql`builder.expect_number('PG409', ${written}, ${plan.body.rows}, ${plan.body.rows})`);
  }
  const most = mostRows(plan);
  if (most !== undefined) {
    expected.push(sql`builder.expect_number('PG415', ${written}, 0, ${most})`);
  }
  const { handling, maxAffected } = plan.preferences;
  if ((plan.is === 'update' || plan.is === 'delete') && handling === 'strict' && maxAffected !== undefined) {
    expected.push(sql`builder.expect_number('PG124', ${written}, 0, ${maxAffected})`);
  }
  return expected;
}

/** Returns `body`, `version` for the ETag, and `key` for the Location header. */
const writtenRow = (plan: WritePlan): Sql[] => [
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

/**
 * Returns how many rows a filter of a PATCH may match; undefined for any number. Until the end of a statement Postgres keeps each
 * row that it wrote, in files where they are too many, and the value of a large body is in each of them.
 */
const mostRows = (plan: WritePlan): number | undefined =>
  plan.is === 'update' && plan.body.key === undefined && plan.body.json.length > limits.largeBodies.above
    ? Math.floor(limits.body.ofRows / plan.body.json.length)
    : undefined;

/**
 * Returns the query that locks the rows of a change in the order of their keys, so that concurrent requests wait for each
 * other instead of deadlocking. A view's trigger may write other tables, so a function of the view locks.
 */
export function lockedRows(plan: WritePlan, where: Sql): Sql {
  const { collection, caller } = plan;
  const most = mostRows(plan);
  const end = most === undefined ? empty : sql` limit ${most + 1}`;
  const key = identifier(collection.name, collection.primaryKey);
  const view = collection.views?.[caller.audience];
  const source = readableOf(collection, caller.audience);
  return view === undefined
    ? sql`locked as (
  select ${key} from ${source}${where} order by 1${end} for no key update
)`
    : sql`locked as (
  select ${identifier(collection.primaryKey)} from (select array_agg(${key} order by ${key}) as keys from ${source}${where}) as found,
  ${identifier('builder', `lock_${view}`)}(found.keys) as locked(${identifier(collection.primaryKey)})
)`;
}

/** Returns the query that locks the rows of a removal in the same order. The caller may change each row that it may remove. */
export const lockedToRemove = ({ collection: { name, primaryKey } }: WritePlan, where: Sql): Sql =>
  sql`locked as (
  select ${identifier(name, primaryKey)} from ${identifier('builder', name)}${where} order by 1 for update
)`;

/** Returns the condition that finds the locked rows. */
export const isLocked = ({ collection: { name, primaryKey } }: WritePlan): Sql =>
  sql` where ${identifier(name, primaryKey)} = ${identifier('locked', primaryKey)}`;
