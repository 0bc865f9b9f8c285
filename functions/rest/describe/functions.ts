/** The functions that an audience may call, as the documents and the types describe them. routes/rpc.ts serves them. */
import type { Audience, Collection } from '../../../schema/collection.ts';
import { type Json, noArguments } from './json-schema.ts';
import { headersOf, refer } from './parameters.ts';
import { valueResponses } from './responses.ts';

export interface DescribedFunction {
  name: string;
  /** Its `POST` in the OpenAPI document. */
  operation: Json;
  /** What it returns: a row of a collection, or a value. */
  result: { row: string } | { schema: Json };
  /** Its type for supabase-js. */
  type: string;
}

/** Returns the functions of the collections that an audience may use. */
export function functionsFor(visible: readonly Collection[], audience: Audience): DescribedFunction[] {
  const isSignedIn = audience !== 'anon' && audience !== 'reader';
  return visible.flatMap(collection => {
    switch (collection.name) {
      case 'quotes':
        return isSignedIn ? [nextQuoteNumber(collection), duplicateQuote(collection)] : [];
      case 'deliveries':
        return audience === 'staff' ? [redeliver(collection)] : [];
      default:
        return [];
    }
  });
}

const references = (...parameters: string[]) => parameters.map(name => refer('parameters', name));

/** Describes the body of a call. Generators make code of an optional one that does not compile, so it is always required. */
const argumentsOf = (schema: Json, example: object): Json => ({
  required: true,
  content: { 'application/json': { schema, example } },
});

/** Describes the argument `id` of a call. */
const idOf = (schema: Json): Json => ({
  type: 'object',
  required: ['id'],
  properties: { id: schema },
  additionalProperties: false,
});

/** The number's pattern is that of the collection's column. */
function nextQuoteNumber({ name, columns }: Collection): DescribedFunction {
  const schema = { type: 'string', pattern: columns['quote_number']?.type.pattern?.source };
  return {
    name: 'next_quote_number',
    type: '{ Args: never; Returns: string }',
    result: { schema: { type: 'string' } },
    operation: {
      tags: [name],
      operationId: 'next_quote_number',
      summary: 'Get the next free quote number',
      description: 'Each call returns a new number. The function takes no arguments.',
      parameters: references('apikey', 'requestId'),
      requestBody: argumentsOf(noArguments, {}),
      responses: valueResponses(
        'The number; in CSV, under the heading `pgrst_scalar`.',
        {
          'application/json': { schema },
          'application/vnd.pgrst.object+json': { schema },
          'text/csv': { schema: { type: 'string' } },
        },
        [400, 401, 404, 405, 406, 408, 413, 414, 415, 416, 429, 431, 500, 503, 504],
        ['Preference-Applied'],
      ),
    },
  };
}

const duplicateQuote = ({ name }: Collection): DescribedFunction => ({
  name: 'duplicate_quote',
  type: `{ Args: { id: string }; Returns: Database['public']['Tables']['${name}']['Row'] }`,
  result: { row: name },
  operation: {
    tags: [name],
    operationId: 'duplicate_quote',
    summary: 'Copy a quote into a new draft',
    description:
      'The draft has a new number, the source `duplicate`, and the design, roster, contact and addresses of the quote. Prices, times and progress are not copied.',
    parameters: references('apikey', 'select', 'idempotencyKey', 'requestId'),
    requestBody: argumentsOf(idOf({ type: 'string', format: 'uuid' }), {
      id: 'c0000000-0000-4000-8000-000000000001',
    }),
    responses: {
      ...valueResponses(
        'The draft.',
        Object.fromEntries(
          ['application/json', 'application/vnd.pgrst.object+json'].map(type => [
            type,
            { schema: refer('schemas', name) },
          ]),
        ),
        [400, 401, 404, 405, 406, 408, 409, 413, 414, 415, 416, 422, 429, 431, 500, 503, 504],
        ['Content-Range', 'Preference-Applied', 'Content-Profile', 'ETag'],
      ),
      201: {
        description: 'The response to a retry whose first response is no longer stored.',
        headers: headersOf(['Content-Range', 'Preference-Applied', 'ETag', 'Location']),
      },
    },
  },
});

/** The result of `redeliver`. */
const redelivered: Json = {
  type: 'object',
  required: ['id', 'state'],
  properties: { id: { type: 'integer' }, state: { type: 'string' } },
};

const redeliver = ({ name }: Collection): DescribedFunction => ({
  name: 'redeliver',
  type: '{ Args: { id: number }; Returns: { id: number; state: string } }',
  result: { schema: redelivered },
  operation: {
    tags: [name],
    operationId: 'redeliver',
    summary: 'Send a delivery again',
    description:
      'The delivery waits for its first attempt, like a new one. A refused address is tried again. 409 while it is being sent, or when its webhook is disabled.',
    parameters: references('apikey', 'requestId'),
    requestBody: argumentsOf(idOf({ type: 'integer' }), { id: 4711 }),
    responses: valueResponses(
      'Its id and state.',
      {
        'application/json': { schema: redelivered },
        'application/vnd.pgrst.object+json': { schema: redelivered },
      },
      [400, 401, 404, 405, 406, 408, 409, 413, 414, 415, 416, 429, 431, 500, 503, 504],
      ['Preference-Applied'],
    ),
  },
});
