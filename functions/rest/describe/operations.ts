/** A collection and an audience → the operations that the audience may use. */
import type { Audience, Collection } from '../../../schema/collection.ts';
import { type Method, methods, takesBody } from '../request/request.ts';
import { columnsFor, exampleRow, type Json } from './json-schema.ts';
import { howToFilter, parametersOf, refer } from './parameters.ts';
import { responsesOf } from './responses.ts';

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
