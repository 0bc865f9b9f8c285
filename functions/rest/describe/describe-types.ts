/**
 * The types for clients in one file that imports nothing, in the shape of `supabase gen types`: the columns that an audience may
 * read, insert and update. Those of staff are schema/database.types.ts.
 */
import type { Audience, Collection, Column, Privilege, Reference } from '../../../schema/collection.ts';
import type { DatabaseFunction } from '../../../schema/function.ts';
import { type Described, functionsFor } from './functions.ts';
import { columnsFor, describeType, isRequired, type Json, mayBeNull } from './json-schema.ts';
import { visibleTo } from './operations.ts';

export function describeTypes(described: Described, audience: Audience): string {
  const visible = visibleTo(described.collections, audience);
  const columns = visible.flatMap(one => columnsFor(one, audience, 'select'));
  const enums = [...new Map(columns.map(([, { type }]) => [enumName(type), type.values ?? []]))].filter(
    ([name]) => name !== '',
  );
  const functions = block(functionsFor(described, audience).map(one => [one.name, describeCall(one)]));
  const schema = block([
    ['Tables', block(visible.map(one => [one.name, describeTable(one, audience, described)]))],
    ['Views', nothing],
    ['Functions', functions],
    ['Enums', block(enums.map(([name, values]) => [name, union(values)]))],
    ['CompositeTypes', nothing],
  ]);
  const database = block([
    [
      '/** The PostgREST version, by which supabase-js knows the supported features (`maxAffected`). */\n__InternalSupabase',
      "{ PostgrestVersion: '14' }",
    ],
    ['public', schema],
  ]);
  const lists = enums.map(([name, values]): Field => [name, `[${values.map(quote).join(', ')}]`]);
  return `/** The types for createClient<Database>() of supabase-js, as a caller of the kind ${audience} needs them. */
export type Database = ${database};
${helpers}
export const Constants = { public: { Enums: ${block(lists, ',', '{}')} } } as const;
`;
}

/** The helper types of applications: those in Supabase's file, and that of errors. */
const helpers = `
export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];

/** An invalid field of a body: an error of supabase-js has them as \`issues\`, unless it was thrown. */
export interface Issue { path: string; expected: string; received: string; message: string }

type Schema = Database['public'];
type NameIn<Kind extends keyof Schema> = keyof Schema[Kind] | { schema: 'public' };
type Part<Kind extends keyof Schema, Name, Inner> = Schema[Kind][Extract<Name | Inner, keyof Schema[Kind]>];
${[
  ['Tables', 'Tables', "['Row']"],
  ['TablesInsert', 'Tables', "['Insert']"],
  ['TablesUpdate', 'Tables', "['Update']"],
  ['Enums', 'Enums', ''],
  ['CompositeTypes', 'CompositeTypes', ''],
]
  .map(
    ([type, kind, part]) => `
export type ${type}<Name extends NameIn<'${kind}'>, Inner extends keyof Schema['${kind}'] = never> =
  Part<'${kind}', Name, Inner>${part};`,
  )
  .join('')}
`;

const nothing = 'Record<never, never>';

/** A name, optionally preceded by a comment, and its type or value. */
type Field = [name: string, value: string];

/** Writes an object type with a line for each field. */
function block(fields: Field[], end = ';', empty = nothing): string {
  const lines = fields.map(([name, value]) => `\n${name}: ${value}${end}`).join('');
  return lines === '' ? empty : `{${lines.replaceAll('\n', '\n  ')}\n}`;
}

const quote = (text: string): string => `'${text}'`;
const union = (values: readonly string[]): string => values.map(quote).join(' | ');

/** Returns the name of an enumeration, the only kind of type in the schema `builder`; empty for any other type. */
const enumName = ({ postgres }: Column['type']): string => /^builder\.(.+)/.exec(postgres)?.[1] ?? '';

const orNull = (column: Column, privilege: Privilege): string =>
  mayBeNull(column, privilege) ? `${typeOf(column.type)} | null` : typeOf(column.type);

function describeTable(collection: Collection, audience: Audience, { collections }: Described): string {
  const fields = (privilege: Privilege, nameOf: (name: string, column: Column) => string): string =>
    block(
      columnsFor(collection, audience, privilege).map(([name, column]) => [
        nameOf(name, column),
        orNull(column, privilege),
      ]),
      ';',
      'never',
    );
  const optional = (privilege: Privilege): string =>
    fields(privilege, (name, column) => (isRequired[privilege](column) ? name : `${name}?`));
  return block([
    ['Row', fields('select', (name, { meaning }) => `/** ${meaning} */\n${name}`)],
    ['Insert', optional('insert')],
    ['Update', optional('update')],
    ['Relationships', describeRelationships(collection.references, collections)],
  ]);
}

/** Returns the type of a function's arguments and of what it returns. */
function describeCall({ args, returns }: DatabaseFunction): string {
  const fields = (columns: [string, Column][], nameOf: (entry: [string, Column]) => string): string =>
    `{ ${columns.map(entry => `${nameOf(entry)}: ${orNull(entry[1], 'select')}`).join('; ')} }`;
  const given = Object.entries(args);
  const taken =
    given.length === 0
      ? 'never'
      : fields(given, ([name, column]) => (isRequired.insert(column) ? name : `${name}?`));
  const returned =
    'row' in returns
      ? `Database['public']['Tables']['${returns.row.name}']['Row']`
      : 'value' in returns
        ? orNull(returns.value, 'select')
        : fields(Object.entries(returns.object), ([name]) => name);
  return `{ Args: ${taken}; Returns: ${returned} }`;
}

/** The foreign keys, from which supabase-js knows the type of embedded rows. */
function describeRelationships(
  references: readonly Reference[] = [],
  collections: readonly Collection[] = [],
): string {
  const keyOf = (to: string): string => collections.find(({ name }) => name === to)?.primaryKey ?? '';
  const each = references.map(({ constraint, column, to, nullableBy }) =>
    block([
      ['foreignKeyName', quote(constraint)],
      ['columns', `[${quote(column)}, ${quote(nullableBy)}]`],
      ['isOneToOne', 'false'],
      ['referencedRelation', quote(to)],
      ['referencedColumns', `[${quote(keyOf(to))}]`],
    ]),
  );
  return `[${each.join(', ')}]`;
}

function typeOf(type: Column['type']): string {
  const name = enumName(type);
  if (name !== '') {
    return `Database['public']['Enums']['${name}']`;
  }
  return type.values ? union(type.values) : typeOfSchema(describeType(type));
}

/** Returns the TypeScript type of a JSON Schema. Supports the keywords that columns use. */
function typeOfSchema({ type, properties, additionalProperties }: Json): string {
  if (Array.isArray(type)) {
    return type.map(one => (one === 'null' ? one : typeOfSchema({ type: one }))).join(' | ');
  }
  switch (type) {
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'array':
      return 'string[]';
    case 'object': {
      const fields = Object.entries(properties ?? {}).map(
        ([name, value]) => `${name}?: ${typeOfSchema(value)}`,
      );
      if (fields.length > 0) {
        return `{ ${fields.join('; ')} }`;
      }
      return additionalProperties === true
        ? 'Json'
        : `Record<string, ${typeOfSchema(additionalProperties as Json)}>`;
    }
    default:
      return 'string';
  }
}
