/** A body in a statement: one JSON literal that Postgres takes apart itself, so that numbers stay exact. */
import type { Collection } from '../../schema/collection.ts';
import type { BodyPlan } from '../plan/plan.ts';
import { identifier, join, keyword, type Sql, sql } from './sql.ts';

export interface BodySource {
  /** The rows, under the name `body`; in a change by key also `element.position`, where in the array they stand. */
  from: Sql;
  /** The columns' values, in the order of the body's columns. */
  values: Sql[];
}

/**
 * `which`: an update takes only the first row of an array that has no keys, since each would meet every row of the
 * table.
 */
export function bodySource(body: BodyPlan, collection: Collection, which: 'all' | 'first'): BodySource {
  const { json, isArray, columns, key } = body;
  const read = key === undefined ? columns : [...columns, key];
  if (read.length === 0) {
    return { from: isArray ? sql`json_array_elements(${json}::json)` : sql`(values (1))`, values: [] };
  }
  const only = isArray && which === 'first' && key === undefined;
  if (body.missing === 'null') {
    const records = keyword(isArray ? 'json_to_recordset' : 'json_to_record');
    const rows = sql`${records}(${json}::json) as ${typedColumns(read, collection)}`;
    return {
      from: only ? sql`(select * from ${rows} limit 1) as body` : rows,
      values: columns.map(name => identifier('body', name)),
    };
  }
  const elements = isArray
    ? sql`json_array_elements(${json}::json) with ordinality as element(json, position)`
    : sql`(select ${json}::json) as element(json)`;
  return {
    from: sql`${only ? sql`(select * from ${elements} limit 1) as element` : elements},
  json_to_record(element.json) as ${typedColumns(read, collection)},
  lateral (select element.json::jsonb) as given(keys)`,
    values: columns.map(name => valueOrElse(name, body, collection)),
  };
}

const typedColumns = (columns: string[], collection: Collection): Sql =>
  sql`body(${join(columns.map(name => sql`${identifier(name)} ${keyword(collection.columns[name]?.type.postgres ?? 'text')}`))})`;

/** What the row gives, or else the default, or what the column has been. */
function valueOrElse(name: string, { missing }: BodyPlan, collection: Collection): Sql {
  const value = identifier('body', name);
  const expression = collection.columns[name]?.default;
  const otherwise =
    missing === 'kept'
      ? identifier(collection.name, name)
      : expression === undefined
        ? value
        : keyword(expression);
  return otherwise === value
    ? value
    : sql`case when given.keys ? ${name} then ${value} else ${otherwise} end`;
}
