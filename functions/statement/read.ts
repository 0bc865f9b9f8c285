import { memoizeBy } from '../common/memoize.ts';
import type { Output, ReadPlan } from '../plan/plan.ts';
import { whereClause } from './condition.ts';
import { fieldExpression } from './field.ts';
import { groupByClause, limitClause, orderByClause, outputExpression, selectList } from './output.ts';
import { bodyExpression, isSurelyWithin, plainBody, rowExpression, rowTexts } from './response-body.ts';
import { empty, identifier, join, keyword, type Sql, sql } from './sql.ts';
import { returned } from './statement-row.ts';
import { tableOf } from './table.ts';
import { versionColumn } from './version.ts';

/**
 * Returns a page as one row (StatementRow): `body`, `page_total`, `total`, `more`, `last` and, of one row, its `version`.
 * A row by its key is returned as itself: `body` and `version`, or no row.
 */
export const readStatement = (plan: ReadPlan): Sql => (plan.atMostOne ? readRow(plan) : readPage(plan));

/** Nothing is cut, nothing follows, and how many there are is how many the statement answers. */
function readRow(plan: ReadPlan): Sql {
  const { name } = plan.collection;
  const body = plan.headersOnly ? sql`''` : rowExpression(plan);
  return sql`select ${join([returned('body', body), ...versionColumn(plan)])}
from ${tableOf(plan.collection)}, lateral (select ${selectList(name, plan.outputs)}) as page${where(plan)}`;
}

/** One row more than the page is looked for, so that nobody need count to know that it was cut. */
function readPage(plan: ReadPlan): Sql {
  const { limit } = plan.range;
  const { from, body, position, kept } = isSurelyWithin(plan, limit) ? plainPage(plan) : boundedPage(plan);
  const last = plan.keyset ? sql`max(${kept}.keyset) filter (where ${position} = ${limit})` : keyword('null');
  const columns = [
    returned('body', body),
    returned('page_total', sql`least(count(*), ${limit})::text`),
    returned('total', totalExpression(plan)),
    returned('more', sql`(count(*) > ${limit})::text`),
    returned('last', last),
    ...(plan.oneRow ? [returned('version', sql`max(${kept}.version) filter (where ${position} = 1)`)] : []),
  ];
  return sql`select ${join(columns, ',\n  ')}
from ${from}`;
}

interface Page {
  from: Sql;
  body: Sql;
  /** The position of a row, from 1. */
  position: Sql;
  /** Under which name the keyset and the version are. */
  kept: Sql;
}

/** Of rows that are too short to be too many bytes together, and of those that nobody wants to see. */
function plainPage(plan: ReadPlan): Page {
  const { name } = plan.collection;
  const { found, page } = columnLists(plan);
  const alias = identifier(name);
  const numbered = sql`(
  select ${alias}.*, row_number() over () as position${precededByComma(keysetColumn(plan))}
  from ${foundRows(plan, found)}
) as ${alias}`;
  return {
    from: plan.headersOnly ? numbered : sql`${numbered}, lateral (select ${page}) as page`,
    body: plan.headersOnly ? sql`''` : plainBody(identifier(name, 'position'), plan.range.limit),
    position: identifier(name, 'position'),
    kept: alias,
  };
}

function boundedPage(plan: ReadPlan): Page {
  const { found, page } = columnLists(plan);
  const kept = [...keysetColumn(plan), ...(plan.oneRow ? [identifier(plan.collection.name, 'version')] : [])];
  const source = sql`${foundRows(plan, found)}, lateral (select ${page}) as page`;
  return {
    from: rowTexts(plan, source, precededByComma(kept)),
    body: bodyExpression(plan, plan.range.limit),
    position: keyword('page.position'),
    kept: keyword('page'),
  };
}

const precededByComma = (columns: Sql[]): Sql => join([empty, ...columns]);

/** The rows of the page, and one more, under the table's name. */
function foundRows(plan: ReadPlan, found: Sql[]): Sql {
  const { name } = plan.collection;
  const { offset, limit } = plan.range;
  return sql`(
    select ${join([...found, ...versionColumn(plan)])}
    from ${fromWhere(plan)}${groupByClause(plan.outputs)}${orderByClause(name, plan.order, plan.outputs)}${limitClause({ offset, limit: limit + 1 })}
  ) as ${identifier(name)}`;
}

/**
 * What is found are columns as they are stored, and what is made of them is made of the rows of the page alone: else
 * Postgres would unpack every row's JSON before it sorts them. Groups can't wait; their outputs are found under names of
 * their own, since those of the answer may be equal.
 */
const columnLists = ({ collection, outputs, keyset = [] }: ReadPlan): { found: Sql[]; page: Sql } =>
  outputs.some(({ aggregate }) => aggregate)
    ? groupLists(outputs, collection.name)
    : { found: columnsOf(collection.name, [...outputs, ...keyset]), page: rowList(outputs, collection.name) };

const columnsOf = (table: string, parts: Pick<Output, 'field'>[]): Sql[] =>
  [...new Set(parts.flatMap(({ field }) => field?.column ?? []))].map(column => identifier(table, column));

const rowList = memoizeBy(
  (outputs: Output[], table: string) => selectList(table, outputs),
  table => table,
);

const groupLists = memoizeBy(
  (outputs: Output[], table: string) => {
    const columns = outputs.map((_, index) => identifier(`c${index}`));
    return {
      found: outputs.map(
        (output, index) => sql`${outputExpression(table, output)} as ${columns[index] ?? null}`,
      ),
      page: join(
        outputs.map((output, index) => sql`${columns[index] ?? null} as ${identifier(output.name)}`),
      ),
    };
  },
  table => table,
);

const where = ({ collection, conditions }: ReadPlan): Sql => whereClause(collection.name, conditions);

const fromWhere = (plan: ReadPlan): Sql => sql`${tableOf(plan.collection)}${where(plan)}`;

const keysetColumn = ({ collection: { name }, keyset = [] }: ReadPlan): Sql[] =>
  keyset.length === 0
    ? []
    : [
        sql`json_build_array(${join(keyset.map(({ field }) => sql`${fieldExpression(name, field)}::text`))})::text as keyset`,
      ];

/**
 * The planner guesses from statistics of the whole table, so its guess tells a customer about other accounts' rows:
 * everyone but staff gets the exact count instead.
 */
const isGuessable = ({ caller }: ReadPlan): boolean => caller.audience === 'staff';

function totalExpression(plan: ReadPlan): Sql {
  const counted = sql`select from ${fromWhere(plan)}`;
  switch (isGuessable(plan) ? plan.preferences.count : plan.preferences.count && 'exact') {
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
