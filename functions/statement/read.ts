import type { ReadPlan } from '../plan/plan.ts';
import { bodyExpression } from './answer.ts';
import { whereClause } from './condition.ts';
import { groupByClause, limitClause, orderByClause, selectList } from './output.ts';
import { identifier, keyword, type Sql, sql } from './sql.ts';

/** Answers `body`, `page_total` (rows of the page) and `total` (all rows, when counted). */
export function readStatement(plan: ReadPlan): Sql {
  const { name } = plan.collection;
  const table = identifier('builder', name);
  const where = whereClause(name, plan.conditions);
  const total = plan.preferences.count ? sql`(select count(*) from ${table}${where})::text` : keyword('null');
  const body = plan.headersOnly ? sql`''` : bodyExpression(plan.mediaType, plan.outputs);
  return sql`with page as (
  select ${selectList(name, plan.outputs)}
  from ${table}${where}${groupByClause(plan.outputs)}${orderByClause(name, plan.order)}${limitClause(plan.range)}
)
select ${body} as body, count(*)::text as page_total, ${total} as total
from page`;
}
