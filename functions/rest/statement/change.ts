/** The statements of PATCH and DELETE, and the read that finds out why a change by key wrote no row. */

import type { Unwritten } from '../../common/failure/failure.ts';
import {
  empty,
  identifier,
  join,
  keyword,
  type Message,
  message,
  type Sql,
  sql,
} from '../../database/sql.ts';
import { type DeletePlan, isEmpty, type PlannedCondition, type UpdatePlan } from '../plan/plan.ts';
import { bodySource, differsFrom, givenValue, ifUnchanged, jsonOf, typedColumns } from './body.ts';
import { conditionExpression, ownColumns, readableOf, tableOf, whereClause } from './clauses.ts';
import { sessionStatement } from './session.ts';
import { returned, versionColumn, versionCondition } from './statement-row.ts';
import { returningClause, writeStatement } from './write.ts';

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
  const assignments = assignmentsOf(plan, bodyValue, name =>
    differsFrom(stored(name), bodyValue(name), name, collection),
  );
  return writeStatement(
    plan,
    sql`update ${table}
  set ${assignments}
  from ${from}${whereClause(collection.name, conditions, versionCondition(plan))}${returningClause(plan)}`,
  );
}

/** Returns the list of what a change sets. Its first value fails the statement if a column that must not change `differs`. */
function assignmentsOf(
  { collection, body: { columns, unchanged, touched } }: UpdatePlan,
  value: (name: string) => Sql,
  differs: (name: string) => Sql,
): Sql {
  const values =
    touched === undefined
      ? columns.map(name => [name, value(name)] as const)
      : [[touched, identifier(collection.name, touched)] as const];
  const set = values.map(
    ([name, given], index) =>
      sql`${identifier(name)} = ${index === 0 ? ifUnchanged(unchanged, given, differs) : given}`,
  );
  return join(set);
}

/** Returns the columns that the rest of the statement refers to. */
function noRow(plan: UpdatePlan): Sql[] {
  const { collection, outputs, order } = plan;
  const columns = ownColumns([...outputs, ...order]).map(name => identifier(collection.name, name));
  return [...columns, ...versionColumn(plan), keyword('1')];
}

/**
 * Returns the statement of a PATCH with an array whose rows have their primary keys. The rows are locked in the order of the
 * keys, so that concurrent requests wait for each other instead of deadlocking, whatever the order of their bodies.
 */
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
  const readable = readableOf(collection, plan.caller.audience);
  // A view's trigger writes the rows. For a message to everyone it writes another table, so there is no row to lock.
  const lock = collection.views?.[plan.caller.audience] ? empty : keyword(' for no key update');
  const locked = sql`locked as (
  select ${rowKey} from ${readable}${whereClause(table, conditions, [hasListedKey])} order by 1${lock}
)`;
  const isGiven = (name: string): Sql => sql`${name} = any (body.present_keys)`;
  const stored = (name: string): Sql => identifier(table, name);
  const value = (name: string): Sql => givenValue(name, collection);
  const assignments = assignmentsOf(
    plan,
    name => sql`case when ${isGiven(name)} then ${value(name)} else ${stored(name)} end`,
    name => sql`${isGiven(name)} and ${differsFrom(stored(name), value(name), name, collection)}`,
  );
  const write = sql`update ${readable}
  set ${assignments}
  from body, locked
  where ${rowKey} = ${identifier('body', key)} and ${rowKey} = ${identifier('locked', key)}${returningClause(plan, keyword('body.position'))}`;
  return writeStatement(plan, write, { before: [bodyRows, locked] });
}

/** Returns the statement of a DELETE, which marks the rows as deleted where the collection has soft deletes, and removes them otherwise. */
export function deleteStatement(plan: DeletePlan): Sql {
  const { collection, conditions } = plan;
  const where = whereClause(collection.name, conditions, versionCondition(plan));
  const table = tableOf(collection);
  const write =
    collection.softDelete === undefined
      ? sql`delete from ${table}`
      : sql`update ${table} set ${identifier(collection.softDelete)} = now()`;
  return writeStatement(plan, sql`${write}${where}${returningClause(plan)}`);
}

/**
 * Returns the message that reads why a change by key wrote no row: its `body` is the reason. It reads the row as the caller.
 * Undefined for a change that names no key.
 */
export function unwrittenMessage(plan: UpdatePlan | DeletePlan): Message | undefined {
  const { collection, conditions, caller, timeZone } = plan;
  const { name, primaryKey, softDelete } = collection;
  const isKey = (condition: PlannedCondition) => compares(condition, primaryKey, 'eq');
  const findsRow = (condition: PlannedCondition) =>
    isKey(condition) || (softDelete !== undefined && compares(condition, softDelete, 'is'));
  if (!conditions.some(isKey)) {
    return undefined;
  }
  const others = conditions.filter(condition => !findsRow(condition));
  const named = [...versionCondition(plan), ...others.map(condition => conditionExpression(name, condition))];
  const matches = named.length === 0 ? keyword('true') : join(named, ' and ');
  const reason = sql`case when ${matches} then ${is('not yours')} else ${is('changed')} end`;
  const row = sql`select ${reason} from ${readableOf(collection, caller.audience)}${whereClause(name, conditions.filter(findsRow))} limit 1`;
  return message(
    sessionStatement(caller, timeZone),
    sql`select ${returned('body', sql`coalesce((${row}), ${is('gone')})`)}`,
  );
}

const is = (reason: Unwritten): Sql => keyword(`'${reason}'`);

const compares = (condition: PlannedCondition, column: string, operator: string): boolean =>
  condition.is === 'filter' &&
  !condition.negated &&
  condition.field.column === column &&
  condition.field.path.length === 0 &&
  condition.operation.operator === operator;
