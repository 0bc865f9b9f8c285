/** Columns → JSON Schema for OpenAPI 3.1 (https://json-schema.org/draft/2020-12). */
import type { Audience, Collection, Column, Privilege } from '../../../schema/collection.ts';
import { postgresType } from '../../../schema/postgres-types.ts';
import { type Relation, relationsOf } from '../../../schema/relations.ts';

export type Json = Record<string, unknown>;

/** An object with any properties. Without the second keyword, generators of TypeScript allow it none. */
export const anyObject: Json = { type: 'object', additionalProperties: true };

/** Returns the columns on which an audience has a privilege, in the order of the definition. */
export function columnsFor(
  { columns, primaryKey }: Collection,
  audience: Audience,
  privilege: Privilege,
): [name: string, column: Column][] {
  const permitted = Object.entries(columns).filter(([, { privileges }]) =>
    privileges[audience].includes(privilege),
  );
  // The body of a change may name the row's key; in an array it must.
  return privilege === 'update' && permitted.length > 0
    ? Object.entries(columns).filter(
        entry => entry[0] === primaryKey || permitted.some(([name]) => name === entry[0]),
      )
    : permitted;
}

/** Returns the schema of a column's values, without null. */
export function describeType({ postgres, values, pattern, maxBytes, jsonSchema }: Column['type']): Json {
  const type = postgresType(postgres);
  return {
    ...type.jsonSchema,
    ...(values && { enum: values }),
    ...(pattern && { pattern: describePattern(pattern) }),
    // maxLength counts characters, and a text never has more characters than bytes.
    ...(type.kind === 'text' && maxBytes !== undefined && { maxLength: maxBytes }),
    // The type knows better than its Postgres type and size.
    ...jsonSchema,
  };
}

/** Returns a pattern with unescaped slashes: generators escape them, and a second escape would end a literal. */
const describePattern = ({ source }: RegExp): string => source.replaceAll('\\/', '/');

/** Describes a column. Descriptions are CommonMark, where `<` would begin an HTML tag. */
export const describeMeaning = ({ meaning }: Column): string => meaning.replaceAll('<', '\\<');

/** Whether a value that is read or written may be null. */
export const mayBeNull = ({ nullable, neverNull }: Column, privilege: Privilege): boolean =>
  nullable && !(neverNull && privilege === 'select');

function describeColumn(column: Column, privilege: Privilege): Json {
  const { example } = column;
  const meaning = describeMeaning(column);
  const schema = describeType(column.type);
  const isNullable = mayBeNull(column, privilege);
  return {
    ...schema,
    ...(isNullable && { type: [schema['type'], 'null'] }),
    ...(isNullable && column.type.values && { enum: [...column.type.values, null] }),
    description: column.default === undefined ? meaning : `${meaning} Default: \`${column.default}\`.`,
    ...(example !== undefined && { examples: [example] }),
  };
}

/** Whether a column is required. A row that is read has every column that is never null; a new row needs those without a default. */
export const isRequired: Record<Privilege, (column: Column) => boolean> = {
  select: column => !mayBeNull(column, 'select'),
  insert: column => !column.nullable && column.default === undefined,
  update: () => false,
};

/** Returns the schema of a row as an audience reads it, inserts it or updates it. A row that is read may have rows of `others`. */
export function describeRow(
  collection: Collection,
  audience: Audience,
  privilege: Privilege,
  others: Collection[] = [],
): Json {
  const columns = columnsFor(collection, audience, privilege);
  const required = columns.filter(([, column]) => isRequired[privilege](column));
  return {
    type: 'object',
    description:
      privilege === 'select'
        ? `${collection.meaning} With another \`select\` than \`*\`, rows have only the columns that it names.`
        : collection.meaning,
    properties: {
      ...Object.fromEntries(columns.map(([name, column]) => [name, describeColumn(column, privilege)])),
      ...(privilege === 'select' && describeRelated(collection, others)),
    },
    ...(required.length > 0 && { required: required.map(([name]) => name) }),
    // No default: generators would add its columns to each body that lacks them.
    ...(privilege !== 'select' && {
      additionalProperties: false,
      examples: [exampleRow(collection, audience, privilege)],
    }),
  };
}

/** Returns what may be embedded in a row, of the other collections that the document has, by their names. */
const describeRelated = (collection: Collection, others: Collection[]): Json =>
  Object.fromEntries(
    relationsOf(collection, others).map(({ to: { name }, is }, _, all) => {
      const row = (schema: string) => ({ $ref: `#/components/schemas/${schema}` });
      // Generators of Zod have no types for schemas that refer to each other.
      const one = { anyOf: [row(`${name}.embedded`), { type: 'null' }] };
      const schema = is === 'many' ? { type: 'array', items: row(name) } : one;
      return [name, { ...schema, description: `Only with ${selectsOf(name, all).join(' or ')}.` }];
    }),
  );

/** Returns each `select` of the relations to a collection: with the foreign key, where there are several. */
function selectsOf(name: string, relations: Relation[]): string[] {
  const keys = new Set(relations.filter(({ to }) => to.name === name).map(one => one.reference.constraint));
  return [...keys].map(key => `\`select=*,${keys.size > 1 ? `${name}!${key}` : name}(*)\``);
}

/** Returns an example body for an insert or an update that can be sent unchanged. */
export function exampleRow(collection: Collection, audience: Audience, privilege: Privilege): Json {
  const columns = columnsFor(collection, audience, privilege);
  const shown = columns.filter(
    ([, { type, example }]) =>
      example !== undefined && (privilege === 'insert' || postgresType(type.postgres).kind !== 'uuid'),
  );
  return Object.fromEntries(shown.map(([name, { example }]) => [name, example]));
}
