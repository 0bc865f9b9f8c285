import type { Output, PlannedOrder, ReadPlan } from '../plan/plan.ts';
import { rememberedBy } from '../remembered.ts';
import { bodyExpression, isSurelyWithin, plainBody, rowExpression, rowTexts } from './answer.ts';
import { whereClause } from './condition.ts';
import { fieldExpression } from './field.ts';
import { groupByClause, limitClause, orderByClause, outputExpression, selectList } from './output.ts';
import { empty, identifier, join, keyword, type Sql, sql } from './sql.ts';
import { tableOf } from './table.ts';
import { versionColumn } from './version.ts';

/**
 * Answers a page as one row: `body`, `page_total` (its rows), `total` (all rows, when counted), `more` (whether rows
 * follow it), `last` (the keyset of its last row, as a JSON array of texts) and, of one row, its `version`. A row by its
 * key is answered as itself: `body` and `version`, or no row.
 */
export const readStatement = (plan: ReadPlan): Sql => (plan.atMostOne ? readRow(plan) : readPage(plan));

/** Nothing is cut, nothing follows, and how many there are is how many the statement answers. */
function readRow(plan: ReadPlan): Sql {
  const { name } = plan.collection;
  const body = plan.headersOnly ? sql`''` : rowExpression(plan);
  return sql`select ${join([sql`${body} as body`, ...versionColumn(plan)])}
from ${tableOf(plan.collection)}, lateral (select ${selectList(name, plan.outputs)}) as page${where(plan)}`;
}

/** One row more than the page is looked for, so that nobody need count to know that it was cut. */
function readPage(plan: ReadPlan): Sql {
  const { limit } = plan.range;
  const { from, body, position, kept } = isSurelyWithin(plan, limit) ? plainPage(plan) : boundedPage(plan);
  const last = plan.keyset ? sql`max(${kept}.keyset) filter (where ${position} = ${limit})` : keyword('null');
  const version = plan.oneRow ? sql`, max(${kept}.version) filter (where ${position} = 1) as version` : empty;
  return sql`select ${body} as body, least(count(*), ${limit})::text as page_total, ${totalExpression(plan)} as total,
  (count(*) > ${limit})::text as more, ${last} as last${version}
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
  const numbered = sql`(
  select *, row_number() over () as position
  from ${foundRows(plan)}
) as found`;
  const { page } = columnLists(plan.outputs, plan.collection.name);
  return {
    from: plan.headersOnly ? numbered : sql`${numbered}, lateral (select ${page}) as page`,
    body: plan.headersOnly ? sql`''` : plainBody(plan.range.limit),
    position: keyword('found.position'),
    kept: keyword('found'),
  };
}

function boundedPage(plan: ReadPlan): Page {
  const { page } = columnLists(plan.outputs, plan.collection.name);
  const kept = [
    ...(plan.keyset ? [keyword('rows.keyset')] : []),
    ...(plan.oneRow ? [keyword('rows.version')] : []),
  ];
  const source = sql`${foundRows(plan)}, lateral (select ${page}) as page`;
  return {
    from: rowTexts(plan, source, join([empty, ...kept])),
    body: bodyExpression(plan, plan.range.limit),
    position: keyword('page.position'),
    kept: keyword('page'),
  };
}

function foundRows(plan: ReadPlan): Sql {
  const { name } = plan.collection;
  const { offset, limit } = plan.range;
  const { found } = columnLists(plan.outputs, name);
  return sql`(
    select ${join([found, ...keysetColumn(name, plan.keyset), ...versionColumn(plan)])}
    from ${fromWhere(plan)}${groupByClause(plan.outputs)}${orderByClause(name, plan.order, plan.outputs)}${limitClause({ offset, limit: limit + 1 })}
  ) as rows`;
}

/** What is looked for, under names of its own, and the same under the names of the answer, which may be equal. */
const columnLists = rememberedBy(
  (outputs: Output[], table: string) => {
    const columns = outputs.map((_, index) => identifier(`c${index}`));
    return {
      found: join(
        outputs.map((output, index) => sql`${outputExpression(table, output)} as ${columns[index] ?? null}`),
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

const keysetColumn = (table: string, keyset: PlannedOrder[] = []): Sql[] =>
  keyset.length === 0
    ? []
    : [
        sql`json_build_array(${join(keyset.map(({ field }) => sql`${fieldExpression(table, field)}::text`))})::text as keyset`,
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
