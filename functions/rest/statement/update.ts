/** The statement of a PATCH. */
import { identifier, join, keyword, type Sql, sql } from '../../database/sql.ts';
import type { UpdatePlan } from '../plan/update.ts';
import { isEmpty } from '../plan/write.ts';
import { bodySource, differsFrom, givenValue, ifUnchanged, jsonOf, typedColumns } from './body.ts';
import { ownColumns, readableOf, whereClause } from './clauses.ts';
import { versionColumn, versionCondition } from './statement-row.ts';
import { isLocked, lockedRows, returningClause, writeStatement } from './write.ts';

/** Returns the statement of a PATCH. A body without columns changes nothing and returns no rows. */
export function updateStatement(plan: UpdatePlan): Sql {
  const { collection, body, conditions } = plan;
  const table = readableOf(collection, plan.caller.audience);
  if (isEmpty(body)) {
    return writeStatement(plan, sql`select ${join(noRow(plan))} from ${table} where false`);
  }
  if (body.key !== undefined) {
    return changeByKeyStatement(plan, body.key);
  }
  const given = [...body.columns, ...body.unchanged];
  const { from, values } = bodySource({ ...body, columns: given }, collection, 'first');
  const bodyValue = (name: string): Sql => values[given.indexOf(name)] ?? keyword('null');
  const stored = (name: string): Sql => identifier(collection.name, name);
  const assignments = assignmentsOf(plan, bodyValue, bodyValue, name =>
    differsFrom(stored(name), bodyValue(name), name, collection),
  );
  const where = whereClause(collection.name, conditions, versionCondition(plan));
  const update = (source: Sql, condition: Sql): Sql =>
    sql`update ${table}
  set ${assignments}
  from ${source}${condition}${returningClause(plan)}`;
  return plan.atMostOne
    ? writeStatement(plan, update(from, where))
    : writeStatement(plan, update(sql`${from}, locked`, isLocked(plan)), {
        before: [lockedRows(plan, where)],
      });
}

/** Returns the list of what a change sets. Its first value fails the statement if a column that must not change `differs`. */
function assignmentsOf(
  { collection, body }: UpdatePlan,
  value: (name: string) => Sql,
  given: (name: string) => Sql,
  differs: (name: string) => Sql,
): Sql {
  const { columns, touched } = body;
  const values =
    touched === undefined
      ? columns.map(name => [name, value(name)] as const)
      : [[touched, identifier(collection.name, touched)] as const];
  const key = identifier(collection.name, collection.primaryKey);
  const set = values.map(
    ([name, value], index) =>
      sql`${identifier(name)} = ${index === 0 ? ifUnchanged(body, collection, value, { key, given, differs }) : value}`,
  );
  return join(set);
}

/** Returns the columns that the rest of the statement refers to. */
function noRow(plan: UpdatePlan): Sql[] {
  const { collection, outputs, order } = plan;
  const columns = ownColumns([...outputs, ...order]).map(name => identifier(collection.name, name));
  return [...columns, ...versionColumn(plan), keyword('1')];
}

/** Returns the statement of a PATCH with an array whose rows have their primary keys. */
function changeByKeyStatement(plan: UpdatePlan, key: string): Sql {
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
  const locked = lockedRows(plan, whereClause(table, conditions, [hasListedKey]));
  const isGiven = (name: string): Sql => sql`${name} = any (body.present_keys)`;
  const stored = (name: string): Sql => identifier(table, name);
  const value = (name: string): Sql => givenValue(name, collection);
  const assignments = assignmentsOf(
    plan,
    name => sql`case when ${isGiven(name)} then ${value(name)} else ${stored(name)} end`,
    value,
    name => sql`${isGiven(name)} and ${differsFrom(stored(name), value(name), name, collection)}`,
  );
  const write = sql`update ${readableOf(collection, plan.caller.audience)}
  set ${assignments}
  from body, locked${isLocked(plan)} and ${rowKey} = ${identifier('body', key)}${returningClause(plan, keyword('body.position'))}`;
  return writeStatement(plan, write, { before: [bodyRows, locked] });
}
