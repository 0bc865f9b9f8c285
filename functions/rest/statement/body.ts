/**
 * The body in a statement: one JSON literal that Postgres parses, so that numbers stay exact. And the comparison of its values with
 * the stored ones, for columns that the caller must send unchanged.
 */
import type { Collection, Column } from '../../../schema/collection.ts';
import { postgresType } from '../../../schema/postgres-types.ts';
import { arrayText, identifier, join, keyword, type Sql, sql } from '../../database/sql.ts';
import type { BodyPlan } from '../plan/write.ts';

/** Groups of columns that are always together in the record of a body, so that there are few different records. */
const columnsOfGroup = 8;

interface BodySource {
  /** The rows, under the name `body`. */
  from: Sql;
  /** The columns' values, in the order of the body's columns. */
  values: Sql[];
}

/**
 * Returns the source of the rows of a body. `which`: an update uses only the first row of an array, since every row of the
 * array would match every row of the table. `json` is the body's text: a literal, or a parameter.
 */
export function bodySource(
  body: BodyPlan,
  collection: Pick<Collection, 'columns'>,
  which: 'all' | 'first',
  json = sql`${body.json}`,
): BodySource {
  const { isArray, columns } = body;
  const read = jsonOf(body, columns, json);
  if (columns.length === 0) {
    return { from: isArray ? sql`json_array_elements(${read})` : sql`(values (1)) as one`, values: [] };
  }
  const isLimited = isArray && which === 'first';
  if (body.missing === 'null') {
    const records = keyword(isArray ? 'json_to_recordset' : 'json_to_record');
    const rows = sql`${records}(${read}) as ${typedColumns(columns, collection)}`;
    return {
      from: isLimited ? sql`(select * from ${rows} limit 1) as body` : rows,
      values: columns.map(name => givenValue(name, collection)),
    };
  }
  const elements = isArray
    ? sql`json_array_elements(${read}) as element(json)`
    : sql`(select ${read}) as element(json)`;
  return {
    from: sql`${isLimited ? sql`(select * from ${elements} limit 1) as element` : elements},
  json_to_record(element.json) as ${typedColumns(columns, collection)},
  lateral (select array(select json_object_keys(element.json)) offset 0) as present(keys)`,
    values: columns.map(name => valueOrDefault(name, collection)),
  };
}

/**
 * Returns the body without the keys that `columns=` ignores. Some of these are columns of the record, and their values need
 * not fit them.
 */
export function jsonOf({ isArray, hasOthers }: BodyPlan, columns: string[], json: Sql): Sql {
  const body = sql`${json}::json`;
  const chosen = (row: Sql): Sql =>
    sql`(select coalesce(json_object_agg(key, value), '{}') from json_each(${row}) where key = any (${arrayText(columns)}))`;
  if (!hasOthers) {
    return body;
  }
  return isArray
    ? sql`(select json_agg(${chosen(keyword('value'))}) from json_array_elements(${body}))`
    : chosen(body);
}

/**
 * Returns the column definitions for a record of the body: `body("sport" text, …)`. Postgres caches each list of columns for
 * the life of the session. So the record has all columns of the groups to which the given ones belong: few lists exist.
 */
export function typedColumns(given: string[], collection: Pick<Collection, 'columns'>): Sql {
  const all = Object.keys(collection.columns);
  const groupOf = (name: string): number => Math.floor(all.indexOf(name) / columnsOfGroup);
  const groups = new Set(given.map(groupOf));
  const typed = all
    .filter(name => groups.has(groupOf(name)))
    .map(name => sql`${identifier(name)} ${keyword(givenAs(collection.columns[name]))}`);
  return sql`body(${join(typed)})`;
}

/** The type of a column in the record: text, where the empty text is null and no value of the column's own type. */
const givenAs = (column: Column | undefined): string =>
  column === undefined || isCast(column) ? 'text' : column.type.postgres;

const isCast = ({ nullable, type }: Column): boolean =>
  nullable && type.emptyIsNull === true && postgresType(type.postgres).kind !== 'text';

/**
 * Returns the value of a column in the record of the body: trimmed, null for the empty text, or the default for null, where
 * the column says so.
 */
export function givenValue(name: string, { columns }: Pick<Collection, 'columns'>): Sql {
  const column = columns[name];
  const given = identifier('body', name);
  const text = column?.type.trimmed ? sql`btrim(${given}, ${keyword("E' \\t\\r\\n'")})` : given;
  const filled = column?.nullable && column.type.emptyIsNull ? sql`nullif(${text}, ${keyword("''")})` : text;
  const value = column && isCast(column) ? sql`${filled}::${keyword(column.type.postgres)}` : filled;
  return column?.neverNull && column.default !== undefined
    ? sql`coalesce(${value}, ${keyword(column.default)})`
    : value;
}

function valueOrDefault(name: string, collection: Pick<Collection, 'columns'>): Sql {
  const value = givenValue(name, collection);
  const expression = collection.columns[name]?.default;
  return expression === undefined
    ? value
    : sql`case when ${name} = any (present.keys) then ${value} else ${keyword(expression)} end`;
}

/**
 * Returns a value as it is compared with a stored one: a time to the millisecond and a number as a double, since clients in
 * JavaScript read no more.
 */
export function comparable(value: Sql, name: string, { columns }: Collection): Sql {
  const { readAs } = postgresType(columns[name]?.type.postgres ?? 'text');
  if (readAs === 'milliseconds') return sql`date_trunc(${keyword("'milliseconds'")}, ${value})`;
  return readAs === 'double' ? sql`${value}::double precision` : value;
}

/** Returns the condition that a given value is another one than the stored one. */
export const differsFrom = (stored: Sql, given: Sql, name: string, collection: Collection): Sql =>
  sql`${comparable(stored, name, collection)} is distinct from ${comparable(given, name, collection)}`;

/** What a write knows of a row whose columns must not change. */
export interface Kept {
  /** The row's primary key. */
  key: Sql;
  /** The value in the body of a column that is written. */
  given: (name: string) => Sql;
  /** Returns the condition that a column differs. */
  differs: (name: string) => Sql;
}

/**
 * Returns the first value that a change writes. It fails the statement when a column in `unchanged` differs. These are
 * columns that the caller may read but not write, and clients that send whole rows send them as they read them. Postgres
 * evaluates the assignments of SET only for rows that match, and after waiting for other writers. The rules of the database are
 * passed the columns of the body that they judge, one by one: the privileges are those of columns.
 */
export function ifUnchanged(
  { columns, unchanged }: BodyPlan,
  { name: collection, judged = [] }: Collection,
  value: Sql,
  { key, given, differs }: Kept,
): Sql {
  if (unchanged.length === 0) {
    return value;
  }
  const facts = columns
    .filter(name => judged.includes(name))
    .map(name => sql`${keyword(`'${name}'`)}, ${given(name)}`);
  const conditions = join(unchanged.map(differs), ' or ');
  return sql`case when not (${conditions}) or builder.refuse_changes(${keyword(`'${collection}'`)}, 'update', ${namesOf(unchanged, differs)}, ${key}::text, json_build_object(${join(facts)})) is null then ${value} end`;
}

/** Returns the array of the columns that fulfil a condition. */
export const namesOf = (names: string[], holds: (name: string) => Sql): Sql =>
  sql`array_remove(array[${join(names.map(name => sql`case when ${holds(name)} then ${keyword(`'${name}'`)} end`))}]::text[], null)`;
