import type { Output, PlannedOrder, ReadPlan } from '../plan/plan.ts';
import { rememberedBy } from '../remembered.ts';
import { bodyExpression, sizeExpectation } from './answer.ts';
import { whereClause } from './condition.ts';
import { fieldExpression } from './field.ts';
import { groupByClause, limitClause, orderByClause, outputExpression } from './output.ts';
import { empty, identifier, join, keyword, type Sql, sql } from './sql.ts';
import { versionColumn } from './version.ts';

/**
 * Answers `body`, `page_total` (rows of the page), `total` (all rows, when counted), `more` (whether rows follow the
 * page), `last` (the keyset of its last row, as a JSON array of texts) and, of one row, its `version`.
 */
export const readStatement = (plan: ReadPlan): Sql => (plan.atMostOne ? readRow(plan) : readPage(plan));

/** A row by its key, at less cost: nothing is cut, nothing follows, and the count is known. */
function readRow(plan: ReadPlan): Sql {
  const { found, page } = columnLists(plan.outputs, plan.collection.name);
  const body = plan.headersOnly ? sql`''` : bodyExpression(plan.mediaType, plan.outputs);
  return sql`select body, page_total, ${keyword(plan.preferences.count ? 'page_total' : 'null')} as total, version,
  ${sizeExpectation}
from (
  select ${body} as body, count(*)::text as page_total, max(version) as version
  from (
    select ${join([found, ...versionColumn(plan)])}
    from ${fromWhere(plan)}
  ) as found, lateral (select ${page}) as page
) as answer`;
}

/** One row more than the page is looked for, so that nobody need count to know that it was cut. */
function readPage(plan: ReadPlan): Sql {
  const { name } = plan.collection;
  const { offset, limit } = plan.range;
  const { found, page } = columnLists(plan.outputs, name);
  const body = plan.headersOnly ? sql`''` : bodyExpression(plan.mediaType, plan.outputs);
  return sql`with found as (
  select ${join([found, ...keysetColumn(name, plan.keyset), ...versionColumn(plan)])}
  from ${fromWhere(plan)}${groupByClause(plan.outputs)}${orderByClause(name, plan.order)}${limitClause({ offset, limit: limit + 1 })}
), page as (
  select ${page} from found limit ${limit}
)
select body, page_total, ${totalExpression(plan)} as total,
  ((select count(*) from found) > ${limit})::text as more, ${lastExpression(plan)} as last,${plan.oneRow ? keyword(' (select version from found limit 1) as version,') : empty}
  ${sizeExpectation}
from (select ${body} as body, count(*)::text as page_total from page) as answer`;
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

const fromWhere = ({ collection, conditions }: ReadPlan): Sql =>
  sql`${identifier('builder', collection.name)}${whereClause(collection.name, conditions)}`;

const keysetColumn = (table: string, keyset: PlannedOrder[] = []): Sql[] =>
  keyset.length === 0
    ? []
    : [
        sql`json_build_array(${join(keyset.map(({ field }) => sql`${fieldExpression(table, field)}::text`))})::text as keyset`,
      ];

const lastExpression = ({ keyset, range }: ReadPlan): Sql =>
  keyset && range.limit > 0
    ? sql`(select keyset from found offset ${range.limit - 1} limit 1)`
    : keyword('null');

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
