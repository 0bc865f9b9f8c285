/**
 * The body in a statement: one JSON literal that Postgres parses, so that numbers stay exact. Its rows have the type of the
 * table: Postgres remembers every other list of columns for as long as the session lives.
 */
import type { Collection } from '../../schema/collection.ts';
import type { BodyPlan } from '../plan/plan.ts';
import { identifier, keyword, type Sql, sql } from './sql.ts';
import { tableOf } from './table.ts';

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
    const populate = keyword(isArray ? 'json_populate_recordset' : 'json_populate_record');
    const rows = sql`${populate}(null::${tableOf(collection)}, ${json}::json) as body`;
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
  ${recordOf(collection)} as body,
  lateral (select array(select json_object_keys(element.json)) offset 0) as present(keys)`,
    values: columns.map(name => valueOrDefault(name, collection)),
  };
}

/** The record of `element.json`, an object of the body. */
export const recordOf = (collection: Collection): Sql =>
  sql`json_populate_record(null::${tableOf(collection)}, element.json)`;

function valueOrDefault(name: string, collection: Collection): Sql {
  const value = identifier('body', name);
  const expression = collection.columns[name]?.default;
  return expression === undefined
    ? value
    : sql`case when ${name} = any (present.keys) then ${value} else ${keyword(expression)} end`;
}
