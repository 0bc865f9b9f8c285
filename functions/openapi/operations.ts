/** A collection and an audience → the operations that the audience may use. */
import type { Audience, Collection } from '../../schema/collection.ts';
import { type Method, takesBody } from '../request/request.ts';
import { columnsFor, exampleRow, type Json, noArguments } from './json-schema.ts';
import { headersOf, howToFilter, parametersOf, refer } from './parameters.ts';
import { responsesOf, valueResponses } from './responses.ts';

const methods: Method[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

export const summaries: Record<Method, string> = {
  GET: 'Read',
  HEAD: 'Count',
  POST: 'Insert or upsert',
  PUT: 'Insert or replace one row of',
  PATCH: 'Change',
  DELETE: 'Delete',
};

function describe(method: Method, { softDelete }: Collection): string {
  switch (method) {
    case 'GET':
    case 'HEAD':
      return howToFilter;
    case 'POST':
      return 'The body is a row or an array of rows. Either all are inserted or none.';
    case 'PUT':
      return 'The body is the whole row. The only filter is `eq` on its primary key.';
    case 'PATCH':
      return `The body is an object with the new values for all rows that match the filters, or an array of rows with their primary keys. ${howToFilter}`;
    case 'DELETE':
      return `${softDelete ? `Marks the rows in \`${softDelete}\`` : 'Removes the rows'}. ${howToFilter}`;
  }
}

/** Returns the methods that an audience may use on a collection. */
export function methodsFor(collection: Collection, audience: Audience): Method[] {
  const may = (privilege: 'select' | 'insert' | 'update') =>
    columnsFor(collection, audience, privilege).length > 0;
  const allowed: Record<Method, boolean> = {
    GET: may('select'),
    HEAD: may('select'),
    POST: may('insert'),
    PUT: may('insert') && may('update'),
    PATCH: may('update'),
    DELETE: collection.deletableBy.includes(audience),
  };
  return methods.filter(method => allowed[method]);
}

/** Returns the collections that an audience may use. */
export const visibleTo = (collections: readonly Collection[], audience: Audience): Collection[] =>
  collections.filter(collection => methodsFor(collection, audience).length > 0);

/** Returns the collection of the quote functions, if an audience may call them. */
export const quotesFor = (collections: readonly Collection[], audience: Audience): Collection | undefined =>
  audience === 'anon' || audience === 'reader'
    ? undefined
    : collections.find(({ name }) => name === 'quotes');

function bodyOf(method: Method, collection: Collection, audience: Audience): Json | undefined {
  if (!takesBody(method)) {
    return undefined;
  }
  const privilege = method === 'PATCH' ? 'update' : 'insert';
  const row = refer('schemas', `${collection.name}.${privilege}`);
  const schema = method === 'PUT' ? row : { oneOf: [row, { type: 'array', items: row }] };
  const example = exampleRow(collection, audience, privilege);
  return {
    required: true,
    // Only JSON has an entry: with several, generated clients don't know which one to name in Content-Type.
    description: 'JSON; or `text/csv`, or a row as `application/x-www-form-urlencoded`.',
    content: { 'application/json': { schema, example } },
  };
}

export const describeCollection = (collection: Collection, audience: Audience): Json =>
  Object.fromEntries(
    methodsFor(collection, audience).map(method => {
      const requestBody = bodyOf(method, collection, audience);
      return [
        method.toLowerCase(),
        {
          tags: [collection.name],
          operationId: `${method.toLowerCase()}_${collection.name}`,
          summary: `${summaries[method]} ${collection.name}`,
          description: describe(method, collection),
          parameters: parametersOf(method, collection, audience),
          ...(requestBody && { requestBody }),
          responses: responsesOf(method, refer('schemas', collection.name), audience),
        },
      ];
    }),
  );

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

/** Describes `POST /rpc/next_quote_number`; the number's pattern is that of the collection's column. */
export function describeNextQuoteNumber({ name, columns }: Collection): Json {
  const schema = { type: 'string', pattern: columns['quote_number']?.type.pattern?.source };
  return {
    post: {
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
        [400, 401, 404, 405, 406, 408, 413, 414, 415, 429, 431, 500, 503, 504],
      ),
    },
  };
}

/** Describes `POST /rpc/duplicate_quote`. */
export const describeDuplicateQuote = ({ name }: Collection): Json => ({
  post: {
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
        [400, 401, 404, 405, 406, 408, 409, 413, 414, 415, 422, 429, 431, 500, 503, 504],
        ['Content-Range', 'Preference-Applied', 'Content-Profile', 'ETag'],
      ),
      201: {
        description: 'The response to a retry whose first response is no longer stored.',
        headers: headersOf(['Preference-Applied', 'Location']),
      },
    },
  },
});

/** The result of `redeliver`. */
export const redelivered: Json = {
  type: 'object',
  required: ['id', 'state'],
  properties: { id: { type: 'integer' }, state: { type: 'string' } },
};

/** Describes `POST /rpc/redeliver`. */
export const describeRedeliver: Json = {
  post: {
    tags: ['deliveries'],
    operationId: 'redeliver',
    summary: 'Send a delivery again',
    description:
      'The delivery waits for its first attempt, like a new one. A refused address is tried again. 409 while it is being sent, or when its webhook is disabled.',
    parameters: references('apikey', 'requestId'),
    requestBody: argumentsOf(idOf({ type: 'integer' }), { id: 4711 }),
    responses: valueResponses(
      'Its id and state.',
      { 'application/json': { schema: redelivered } },
      [400, 401, 404, 405, 406, 408, 409, 413, 414, 415, 429, 431, 500, 503, 504],
    ),
  },
};
