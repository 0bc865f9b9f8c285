/** The statements of PATCH and DELETE, and the read that finds out why a change by key wrote no row. */

import { readsAllRows } from '../../../schema/collection.ts';
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
import {
  type DeletePlan,
  isEmpty,
  type PlannedCondition,
  type UpdatePlan,
  type WritePlan,
} from '../plan/plan.ts';
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
  const where = whereClause(collection.name, conditions, versionCondition(plan));
  const update = (source: Sql, condition: Sql): Sql =>
    sql`update ${table}
  set ${assignments}
  from ${source}${condition}${returningClause(plan)}`;
  return plan.atMostOne || isView(plan)
    ? writeStatement(plan, update(from, where))
    : writeStatement(plan, update(sql`${from}, locked`, isLocked(plan)), {
        before: [lockedRows(plan, where)],
      });
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

/** Whether a view's trigger writes the rows. For a message to everyone it writes another table, so there is no row to lock. */
const isView = ({ collection, caller }: WritePlan): boolean =>
  collection.views?.[caller.audience] !== undefined;

/**
 * Returns the query that locks the rows of a change in the order of their keys, so that concurrent requests wait for each
 * other instead of deadlocking.
 */
function lockedRows(plan: WritePlan, where: Sql, lock = keyword(' for no key update')): Sql {
  const { collection, caller } = plan;
  const key = identifier(collection.name, collection.primaryKey);
  return sql`locked as (
  select ${key} from ${readableOf(collection, caller.audience)}${where} order by 1${isView(plan) ? empty : lock}
)`;
}

const isLocked = ({ collection: { name, primaryKey } }: WritePlan): Sql =>
  sql` where ${identifier(name, primaryKey)} = ${identifier('locked', primaryKey)}`;

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
    name => sql`${isGiven(name)} and ${differsFrom(stored(name), value(name), name, collection)}`,
  );
  const write = sql`update ${readableOf(collection, plan.caller.audience)}
  set ${assignments}
  from body, locked${isLocked(plan)} and ${rowKey} = ${identifier('body', key)}${returningClause(plan, keyword('body.position'))}`;
  return writeStatement(plan, write, { before: [bodyRows, locked] });
}

/** Returns the statement of a DELETE, which marks the rows as deleted where the collection has soft deletes, and removes them otherwise. */
export function deleteStatement(plan: DeletePlan): Sql {
  const { collection, conditions } = plan;
  const where = whereClause(collection.name, conditions, versionCondition(plan));
  const table = tableOf(collection);
  const { softDelete } = collection;
  const isSoft = softDelete !== undefined;
  const write = isSoft
    ? sql`update ${table} set ${identifier(softDelete)} = now()`
    : sql`delete from ${table}`;
  // A lock needs the right to change a row. Only staff may change every row that they may remove.
  if (plan.atMostOne || !(isSoft || readsAllRows(plan.caller.audience))) {
    return writeStatement(plan, sql`${write}${where}${returningClause(plan)}`);
  }
  const locked = isSoft ? lockedRows(plan, where) : lockedRows(plan, where, keyword(' for update'));
  const source = isSoft ? keyword(' from locked') : keyword(' using locked');
  return writeStatement(plan, sql`${write}${source}${isLocked(plan)}${returningClause(plan)}`, {
    before: [locked],
  });
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
