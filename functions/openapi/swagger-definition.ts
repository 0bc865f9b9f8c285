/** The definition of a collection in the Swagger document, by which its readers know a table. */
import type { Audience, Collection, Column } from '../../schema/collection.ts';
import { columnsFor, describeMeaning, describeType, type Json } from './json-schema.ts';

/** Describes the rows of a collection, with the columns that the audience may read. */
export function describeDefinition(collection: Collection, audience: Audience): Json {
  const columns = columnsFor(collection, audience, 'select');
  return {
    type: 'object',
    description: collection.meaning,
    // A new row has this definition too.
    required: columns.filter(([, { nullable }]) => !nullable).map(([name]) => name),
    properties: Object.fromEntries(
      columns.map(([name, column]) => [name, describeProperty(column, name === collection.primaryKey)]),
    ),
  };
}

/** Describes a column: its format is the type in Postgres, and a value of type `jsonb` is of any type. */
function describeProperty(column: Column, isPrimaryKey: boolean): Json {
  const { type, default: sql } = column;
  const schema = type.postgres === 'jsonb' ? {} : describeType(type);
  const meaning = describeMeaning(column);
  const initial = sql === undefined ? undefined : readDefault(sql);
  return {
    ...schema,
    ...(schema['items'] !== undefined && { items: { type: 'string' } }),
    format: type.postgres,
    description: isPrimaryKey ? `${meaning}\n\nNote:\nThis is a Primary Key.<pk/>` : meaning,
    ...(initial !== undefined && { default: initial }),
  };
}

/** Returns a default as a value. An expression has none: PostgREST writes its text, of which generated clients make code. */
function readDefault(sql: string): unknown {
  const [, text] = /^'(.*)'$/.exec(sql) ?? [];
  return text ?? (/^(?:true|false|-?\d+)$/.test(sql) ? JSON.parse(sql) : undefined);
}
