/** ReadPlan → the statement of a GET: one row by its key, or a page with what its response says about it. */
import { type Collection, readsAllRows } from '../../../schema/collection.ts';
import { identifier, join, keyword, type Sql, sql } from '../../database/sql.ts';
import { hasAggregates } from '../plan/plan-outputs.ts';
import type { Output, PlannedCondition } from '../plan/planned.ts';
import type { ReadPlan } from '../plan/read.ts';
import type { Range } from '../request/request.ts';
import {
  fieldExpression,
  groupByClause,
  limitClause,
  orderByClause,
  outputExpression,
  ownColumns,
  positionalName,
  readableOf,
  whereClause,
} from './clauses.ts';
import { pageColumns } from './page-columns.ts';
import { bodyExpression, isSurelyWithin, plainBody, rowExpression, rowTexts } from './response-body.ts';
import { cutColumn, returned, versionColumn } from './statement-row.ts';

/**
 * Returns one row about a page (StatementRow): `body`, `page_total`, `total`, `more`, `last` and, for a single row, its
 * `version`; with embedded lists also `cut`. A read by the primary key returns that row's `body` and `version`, or no row.
 */
export const readStatement = (plan: ReadPlan): Sql => (plan.atMostOne ? readRow(plan) : readPage(plan));

/** Reads by the primary key, which needs no limit, no count and no next page. */
function readRow(plan: ReadPlan): Sql {
  const { name } = plan.collection;
  const body = plan.headersOnly ? sql`''` : rowExpression(plan);
  return sql`select ${join([returned('body', body), ...versionColumn(plan), ...cutColumn(plan)])}
from ${readableOf(plan.collection, plan.caller.audience)}, lateral (select ${pageColumns(plan, name)}) as page${where(plan)}`;
}

/** Reads one row beyond the page, which shows without a count whether there is a next page. */
function readPage(plan: ReadPlan): Sql {
  const { limit } = plan.range;
  const { from, body, position, alias } = isSurelyWithin(plan, limit) ? plainPage(plan) : boundedPage(plan);
  const last = plan.keyset
    ? sql`max(${alias}.keyset) filter (where ${position} = ${limit})`
    : keyword('null');
  const columns = [
    returned('body', body),
    returned('page_total', sql`least(count(*), ${limit})::text`),
    returned('total', totalExpression(plan)),
    returned('more', sql`(count(*) > ${limit})::text`),
    returned('last', last),
    ...(plan.hasVersion
      ? [returned('version', sql`max(${alias}.version) filter (where ${position} = 1)`)]
      : []),
    ...cutColumn(plan),
  ];
  return sql`select ${join(columns, ',\n  ')}
from ${from}`;
}

interface Page {
  from: Sql;
  body: Sql;
  /** The position of a row, from 1. */
  position: Sql;
  /** The table alias of the columns `keyset` and `version`. */
  alias: Sql;
}

/** Reads a page that can't exceed the size limit: its rows are short, or only the headers are wanted. */
function plainPage(plan: ReadPlan): Page {
  const { name } = plan.collection;
  const { stored, page } = columnLists(plan);
  const alias = identifier(name);
  const keyset = keysetOf(plan).map(values => sql`${values} as keyset`);
  const numbered = sql`(
  select ${join([sql`${alias}.*`, keyword('row_number() over () as position'), ...keyset])}
  from ${matchingRows(plan, stored)}
) as ${alias}`;
  return {
    from: plan.headersOnly ? numbered : sql`${numbered}, lateral (select ${page}) as page`,
    body: plan.headersOnly ? sql`''` : plainBody(plan, identifier(name, 'position'), plan.range.limit),
    position: identifier(name, 'position'),
    alias,
  };
}

/** Reads a page whose bytes are counted row by row. */
function boundedPage(plan: ReadPlan): Page {
  const { stored, page } = columnLists(plan);
  const [keyset] = keysetOf(plan);
  const also = {
    ...(keyset && { keyset }),
    ...(plan.hasVersion && { version: identifier(plan.collection.name, 'version') }),
  };
  const source = sql`${matchingRows(plan, stored)}, lateral (select ${page}) as page`;
  return {
    from: rowTexts(plan, source, also),
    body: bodyExpression(plan, plan.range.limit),
    position: keyword('page.position'),
    alias: keyword('page'),
  };
}

/** Returns the rows of the page and one more, aliased as the table. */
function matchingRows(plan: ReadPlan, columns: Sql[]): Sql {
  const { offset, limit } = plan.range;
  const range = { offset, limit: limit + 1 };
  const rows = isOrderedByAccount(plan)
    ? firstOfEachAccount(plan, columns, range)
    : sql`
    select ${join([...columns, ...versionColumn(plan)])}
    from ${fromWhere(plan)}${groupByClause(plan.outputs)}${orderOf(plan)}${limitClause(range)}`;
  return sql`(${rows}
  ) as ${identifier(plan.collection.name)}`;
}

/**
 * Whether a caller lists rows of its accounts in an order. Then the inner query also selects the columns of the order. A
 * filter with an index of its own finds few rows, so it needs no such list.
 */
const isOrderedByAccount = ({ collection, caller, order, outputs, conditions }: ReadPlan): boolean =>
  !readsAllRows(caller.audience) &&
  collection.owner !== undefined &&
  order.length > 0 &&
  !hasAggregates(outputs) &&
  !conditions.some(condition => isLookup(condition, collection));

/**
 * Whether the list begins with the order that the index of each account gives. In an order of another column, Postgres could
 * avoid its sort only by an index over all accounts.
 */
export const isListByTime = (plan: ReadPlan): boolean => {
  const [first] = plan.order;
  return (
    first !== undefined &&
    first.field.column === plan.collection.owner?.listedBy &&
    !first.of &&
    first.field.path.length === 0 &&
    isOrderedByAccount(plan)
  );
};

const isLookup = (condition: PlannedCondition, { primaryKey, lookups = [] }: Collection): boolean =>
  condition.is === 'filter' &&
  !condition.negated &&
  ['eq', 'in'].includes(condition.operation.operator) &&
  [primaryKey, ...lookups].includes(condition.field.column);

/**
 * Returns the first rows of each account, and of these the first ones. With only the policy, Postgres would read and sort all
 * rows of the caller's accounts: an index by account and time gives the order within one account. The policy still decides
 * which rows are visible, and adds no account that is not listed here.
 */
function firstOfEachAccount(plan: ReadPlan, columns: Sql[], { offset, limit }: Required<Range>): Sql {
  const { collection, caller, conditions } = plan;
  const table = identifier(collection.name);
  const { column = '', readable = [] } = collection.owner ?? {};
  const ofAccount = sql`${identifier(collection.name, column)} = accounts.account`;
  const accounts = readable.map(name => sql`${identifier('builder', name)}()`);
  return sql`
    select ${table}.*
    from (select distinct unnest(${join(accounts, ' || ')}) as account) as accounts, lateral (
      select ${join([...columns, ...versionColumn(plan)])}
      from ${readableOf(collection, caller.audience)}${whereClause(collection.name, conditions, [ofAccount])}${orderOf(plan)}${limitClause({ offset: 0, limit: offset + limit })}
    ) as ${table}${orderOf(plan)}${limitClause({ offset, limit })}`;
}

const orderOf = ({ collection, order, outputs }: ReadPlan): Sql =>
  orderByClause(collection.name, order, outputs);

/**
 * Returns the columns of the inner query (`stored`) and of the page. The inner query sorts and selects stored columns;
 * expressions are evaluated for the rows of the page only. Otherwise Postgres would unpack the JSON of every row before
 * sorting. Groups must be evaluated in the inner query.
 */
function columnLists(plan: ReadPlan): { stored: Sql[]; page: Sql } {
  const { collection, outputs, order, keyset = [] } = plan;
  return hasAggregates(outputs)
    ? groupLists(outputs, collection.name)
    : {
        stored: columnsOf(collection.name, [...outputs, ...(isOrderedByAccount(plan) ? order : keyset)]),
        page: pageColumns(plan, collection.name),
      };
}

const columnsOf = (table: string, used: Parameters<typeof ownColumns>[0]): Sql[] =>
  ownColumns(used).map(column => identifier(table, column));

function groupLists(outputs: Output[], table: string): { stored: Sql[]; page: Sql } {
  const columns = outputs.map((_, index) => positionalName(index));
  return {
    stored: outputs.map(
      (output, index) => sql`${outputExpression(table, output, true)} as ${columns[index] ?? null}`,
    ),
    page: join(columns),
  };
}

const where = ({ collection, conditions }: ReadPlan): Sql => whereClause(collection.name, conditions);

const fromWhere = (plan: ReadPlan): Sql =>
  sql`${readableOf(plan.collection, plan.caller.audience)}${where(plan)}`;

/** Returns the values that mark the beginning of the next page, if the order has them. */
const keysetOf = ({ collection: { name }, keyset = [] }: ReadPlan): Sql[] =>
  keyset.length === 0
    ? []
    : [
        sql`json_build_array(${join(keyset.map(({ field }) => sql`${fieldExpression(name, field)}::text`))})::text`,
      ];

/**
 * Whether a count may be the planner's. It estimates from statistics of the whole table, which would reveal other accounts'
 * rows to a customer. So only callers who read all rows get estimates; all others get the exact count.
 */
const mayEstimate = ({ caller }: ReadPlan): boolean => readsAllRows(caller.audience);

function totalExpression(plan: ReadPlan): Sql {
  const counted = sql`select from ${fromWhere(plan)}`;
  switch (mayEstimate(plan) ? plan.preferences.count : plan.preferences.count && 'exact') {
    case 'exact':
      return sql`(select count(*) from ${fromWhere(plan)})::text`;
    case 'planned':
      return sql`builder.planned_rows(${counted.text})::text`;
    case 'estimated':
      return sql`(
    select case when counted > ${plan.maxRows} then greatest(counted, builder.planned_rows(${counted.text})) else counted end
    from (select count(*) as counted from (${counted} limit ${plan.maxRows + 1}) as bounded) as few
  )::text`;
    default:
      return keyword('null');
  }
}
