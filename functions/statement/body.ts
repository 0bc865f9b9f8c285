/** A body in a statement: one JSON literal that Postgres takes apart itself, so that numbers stay exact. */
import type { Collection } from '../../schema/collection.ts';
import type { BodyPlan } from '../plan/plan.ts';
import { identifier, join, keyword, type Sql, sql } from './sql.ts';

export interface BodySource {
  /** The rows, under the name `body`. */
  from: Sql;
  /** The columns' values, in the order of the body's columns. */
  values: Sql[];
}

export function bodySource(body: BodyPlan, collection: Collection): BodySource {
  const { json, isArray, columns } = body;
  if (columns.length === 0) {
    return { from: isArray ? sql`json_array_elements(${json}::json)` : sql`(values (1))`, values: [] };
  }
  const values = columns.map(name => identifier('body', name));
  if (!body.missingIsDefault) {
    const read = keyword(isArray ? 'json_to_recordset' : 'json_to_record');
    return { from: sql`${read}(${json}::json) as ${typedColumns(columns, collection)}`, values };
  }
  const elements = isArray ? sql`json_array_elements(${json}::json)` : sql`(select ${json}::json)`;
  return {
    from: sql`${elements} as element(json),
  json_to_record(element.json) as ${typedColumns(columns, collection)},
  lateral (select element.json::jsonb) as given(keys)`,
    values: columns.map((name, index) =>
      orDefault(name, values[index] ?? identifier('body', name), collection),
    ),
  };
}

const typedColumns = (columns: string[], collection: Collection): Sql =>
  sql`body(${join(columns.map(name => sql`${identifier(name)} ${keyword(collection.columns[name]?.type.postgres ?? 'text')}`))})`;

function orDefault(name: string, value: Sql, collection: Collection): Sql {
  const expression = collection.columns[name]?.default;
  return expression === undefined
    ? value
    : sql`case when given.keys ? ${name} then ${value} else ${keyword(expression)} end`;
}
