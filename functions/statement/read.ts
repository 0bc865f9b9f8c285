import type { Output, PlannedOrder, ReadPlan } from '../plan/plan.ts';
import { rememberedBy } from '../remembered.ts';
import { bodyExpression, rowExpression, rowTexts } from './answer.ts';
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
  const { name } = plan.collection;
  const { offset, limit } = plan.range;
  const { found, page } = columnLists(plan.outputs, name);
  const rows = sql`(
    select ${join([found, ...keysetColumn(name, plan.keyset), ...versionColumn(plan)])}
    from ${fromWhere(plan)}${groupByClause(plan.outputs)}${orderByClause(name, plan.order, plan.outputs)}${limitClause({ offset, limit: limit + 1 })}
  ) as rows`;
  const kept = [
    ...(plan.keyset ? [keyword('rows.keyset')] : []),
    ...(plan.oneRow ? [keyword('rows.version')] : []),
  ];
  const texts = plan.headersOnly
    ? sql`(select *, row_number() over () as position from ${rows}) as page`
    : rowTexts(plan, sql`${rows}, lateral (select ${page}) as page`, join([empty, ...kept]));
  const body = plan.headersOnly ? sql`''` : bodyExpression(plan, limit);
  const last = plan.keyset ? sql`max(page.keyset) filter (where page.position = ${limit})` : keyword('null');
  return sql`select ${body} as body, least(count(*), ${limit})::text as page_total, ${totalExpression(plan)} as total,
  (count(*) > ${limit})::text as more, ${last} as last${plan.oneRow ? keyword(', max(page.version) filter (where page.position = 1) as version') : empty}
from ${texts}`;
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
