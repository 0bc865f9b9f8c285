import type { UpdatePlan } from '../plan/plan.ts';
import { typedColumns } from './body.ts';
import { whereClause } from './condition.ts';
import { identifier, join, keyword, type Sql, sql } from './sql.ts';
import { tableOf } from './table.ts';
import { returningClause, writeStatement } from './write.ts';

/**
 * PATCH with an array whose rows carry the key. The rows are locked in the order of their keys, so that two such
 * requests wait for each other and don't deadlock, however their bodies are ordered.
 */
export function changeByKeyStatement(plan: UpdatePlan, key: string): Sql {
  const { collection, body, conditions } = plan;
  const { name: table } = collection;
  const rowKey = identifier(table, key);
  const given = sql`body as materialized (
  select body.*, array(select json_object_keys(element.json)) as given_keys, element.position
  from json_array_elements(${body.json}::json) with ordinality as element(json, position),
  json_to_record(element.json) as ${typedColumns([...body.columns, key], collection)}
)`;
  const meant = sql`${rowKey} in (select ${identifier(key)} from body)`;
  const locked = sql`locked as (
  select ${rowKey} from ${tableOf(collection)}${whereClause(table, conditions, [meant])} order by 1 for no key update
)`;
  const assignments = body.columns.map(
    name =>
      sql`${identifier(name)} = case when ${name} = any (body.given_keys) then ${identifier('body', name)} else ${identifier(table, name)} end`,
  );
  const write = sql`update ${tableOf(collection)}
  set ${join(assignments)}
  from body, locked
  where ${rowKey} = ${identifier('body', key)} and ${rowKey} = ${identifier('locked', key)}${returningClause(plan, keyword('body.position'))}`;
  return writeStatement(plan, write, { before: [given, locked] });
}
