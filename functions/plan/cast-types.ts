/**
 * The types a cast may name, so that a type of the request never reaches the text of a statement. Postgres's own
 * names and aliases for data (https://www.postgresql.org/docs/current/datatype.html); those that look up the catalog
 * (regclass and the like) stay out.
 */
const castTypes = new Set([
  'bigint',
  'bool',
  'boolean',
  'bpchar',
  'bytea',
  'char',
  'character',
  'character varying',
  'date',
  'decimal',
  'double precision',
  'float',
  'float4',
  'float8',
  'int',
  'int2',
  'int4',
  'int8',
  'integer',
  'interval',
  'json',
  'jsonb',
  'money',
  'name',
  'numeric',
  'real',
  'smallint',
  'text',
  'time',
  'time with time zone',
  'time without time zone',
  'timestamp',
  'timestamp with time zone',
  'timestamp without time zone',
  'timestamptz',
  'timetz',
  'tsquery',
  'tsvector',
  'uuid',
  'varchar',
]);

/** The type as it is written into a statement, or nothing when there is no such type. */
export function findCastType(name: string): string | undefined {
  const normal = name.trim().toLowerCase().replace(/ +/g, ' ');
  return castTypes.has(normal) ? normal : undefined;
}
