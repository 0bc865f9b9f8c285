import type { UpdatePlan } from '../plan/plan.ts';
import { givenValue, jsonOf, typedColumns } from './body.ts';
import { whereClause } from './condition.ts';
import { empty, identifier, join, keyword, type Sql, sql } from './sql.ts';
import { readableOf } from './table.ts';
import { ifUnchanged } from './unchanged.ts';
import { returningClause, writeStatement } from './write.ts';

/**
 * Returns the statement of a PATCH with an array whose rows have their primary keys. The rows are locked in the order of the
 * keys, so that concurrent requests wait for each other instead of deadlocking, whatever the order of their bodies.
 */
export function changeByKeyStatement(plan: UpdatePlan, key: string): Sql {
  const { collection, body, conditions } = plan;
  const { name: table } = collection;
  const rowKey = identifier(table, key);
  const given = [...body.columns, ...body.unchanged, key];
  const bodyRows = sql`body as materialized (
  select ${join(given.map(name => identifier('body', name)))}, array(select json_object_keys(element.json)) as present_keys, element.position
  from json_array_elements(${jsonOf(body, given, sql`${body.json}`)}) with ordinality as element(json, position),
  json_to_record(element.json) as ${typedColumns(given, collection)}
)`;
  const hasListedKey = sql`${rowKey} in (select ${identifier(key)} from body)`;
  const readable = readableOf(collection, plan.caller.audience);
  // A view's trigger writes the rows, and of a message to everyone none that could be locked.
  const lock = collection.views?.[plan.caller.audience] ? empty : keyword(' for no key update');
  const locked = sql`locked as (
  select ${rowKey} from ${readable}${whereClause(table, conditions, [hasListedKey])} order by 1${lock}
)`;
  const isGiven = (name: string): Sql => sql`${name} = any (body.present_keys)`;
  const differs = (name: string): Sql =>
    sql`${isGiven(name)} and ${identifier(table, name)} is distinct from ${identifier('body', name)}`;
  const assignments = body.columns.map((name, index) => {
    const value = sql`case when ${isGiven(name)} then ${givenValue(name, collection)} else ${identifier(table, name)} end`;
    return sql`${identifier(name)} = ${index === 0 ? ifUnchanged(body.unchanged, value, differs) : value}`;
  });
  const write = sql`update ${readable}
  set ${join(assignments)}
  from body, locked
  where ${rowKey} = ${identifier('body', key)} and ${rowKey} = ${identifier('locked', key)}${returningClause(plan, keyword('body.position'))}`;
  return writeStatement(plan, write, { before: [bodyRows, locked] });
}
