/** The body in a statement: one JSON literal that Postgres parses, so that numbers stay exact. */
import type { Collection } from '../../schema/collection.ts';
import type { BodyPlan } from '../plan/plan.ts';
import { identifier, join, keyword, type Sql, sql } from './sql.ts';

export interface BodySource {
  /** The rows, under the name `body`. */
  from: Sql;
  /** The columns' values, in the order of the body's columns. */
  values: Sql[];
}

/**
 * `which`: an update uses only the first row of an array, since every row of the array would match every row of the
 * table. `json` is the body's text: a literal, or a parameter.
 */
export function bodySource(
  body: BodyPlan,
  collection: Collection,
  which: 'all' | 'first',
  json = sql`${body.json}`,
): BodySource {
  const { isArray, columns } = body;
  if (columns.length === 0) {
    return { from: isArray ? sql`json_array_elements(${json}::json)` : sql`(values (1))`, values: [] };
  }
  const isLimited = isArray && which === 'first';
  if (body.missing === 'null') {
    const records = keyword(isArray ? 'json_to_recordset' : 'json_to_record');
    const rows = sql`${records}(${json}::json) as ${typedColumns(columns, collection)}`;
    return {
      from: isLimited ? sql`(select * from ${rows} limit 1) as body` : rows,
      values: columns.map(name => identifier('body', name)),
    };
  }
  const elements = isArray
    ? sql`json_array_elements(${json}::json) as element(json)`
    : sql`(select ${json}::json) as element(json)`;
  return {
    from: sql`${isLimited ? sql`(select * from ${elements} limit 1) as element` : elements},
  json_to_record(element.json) as ${typedColumns(columns, collection)},
  lateral (select array(select json_object_keys(element.json)) offset 0) as present(keys)`,
    values: columns.map(name => valueOrDefault(name, collection)),
  };
}

/** `body("sport" text, …)`: the column definitions for a record of the body. */
export const typedColumns = (columns: string[], collection: Collection): Sql =>
  sql`body(${join(columns.map(name => sql`${identifier(name)} ${keyword(collection.columns[name]?.type.postgres ?? 'text')}`))})`;

function valueOrDefault(name: string, collection: Collection): Sql {
  const value = identifier('body', name);
  const expression = collection.columns[name]?.default;
  return expression === undefined
    ? value
    : sql`case when ${name} = any (present.keys) then ${value} else ${keyword(expression)} end`;
}
