/** How the documents and the types describe a function. What serves it has its description beside it. */
import type { Audience, Collection } from '../../../schema/collection.ts';
import type { Json } from './json-schema.ts';
import { refer } from './parameters.ts';

export interface DescribedFunction {
  name: string;
  /** Who may call it. */
  audiences: readonly Audience[];
  /** Its `POST` in the OpenAPI document. */
  operation: Json;
  /** What it returns: a row of a collection, or a value. */
  result: { row: string } | { schema: Json };
  /** Its type for supabase-js. */
  type: string;
}

/** What documents describe: collections, and functions. */
export interface Described {
  collections: readonly Collection[];
  functions: readonly DescribedFunction[];
}

export const functionsFor = ({ functions }: Described, audience: Audience): DescribedFunction[] =>
  functions.filter(({ audiences }) => audiences.includes(audience));

export const references = (...parameters: string[]) => parameters.map(name => refer('parameters', name));

/** Describes the body of a call. Generators make code of an optional one that does not compile, so it is always required. */
export const argumentsOf = (schema: Json, example: object): Json => ({
  required: true,
  content: { 'application/json': { schema, example } },
});

/** Describes the argument `id` of a call. */
export const idOf = (schema: Json): Json => ({
  type: 'object',
  required: ['id'],
  properties: { id: schema },
  additionalProperties: false,
});
