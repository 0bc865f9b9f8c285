import type { InsertPlan } from '../plan/plan.ts';
import { identifier, join, keyword, type Sql, sql } from './sql.ts';
import { tableOf } from './table.ts';

/** Returns the insert of a copy, read as the caller, so that nobody copies a row that it can't see. */
export function copyExpression({ collection }: InsertPlan, key: string): Sql {
  const { primaryKey, softDelete, copy = { columns: [], values: {} } } = collection;
  const names = [...copy.columns, ...Object.keys(copy.values)];
  const values = [
    ...copy.columns.map(name => identifier('original', name)),
    ...Object.values(copy.values).map(keyword),
  ];
  const isThere =
    softDelete === undefined ? keyword('true') : sql`${identifier('original', softDelete)} is null`;
  return sql`insert into ${tableOf(collection)} (${join(names.map(name => identifier(name)))})
  select ${join(values)} from ${tableOf(collection)} as original
  where ${identifier('original', primaryKey)} = ${key} and ${isThere}`;
}
