/**
 * The OpenAPI document (https://spec.openapis.org/oas/v3.1.1) of what an audience may do with some collections. Pure,
 * and derived from their definitions: what a caller may not read, it is not told of.
 */
import type { Audience, Collection } from '../../schema/collection.ts';
import { oneValue } from './answers.ts';
import { errorSchema, sharedErrors } from './errors.ts';
import { sharedHeaders } from './headers.ts';
import { describeRow, type Json } from './json-schema.ts';
import { describeCollection, describeNextQuoteNumber, methodsFor } from './operations.ts';
import { columnFilters, refer, sharedParameters } from './parameters.ts';

/** Of the document. */
export const mediaType = 'application/openapi+json';

const merge = (parts: Json[]): Json => Object.assign({}, ...parts);

export function describeApi(collections: readonly Collection[], audience: Audience): Json {
  const visible = collections.filter(collection => methodsFor(collection, audience).length > 0);
  const numbered = audience === 'anon' ? undefined : visible.find(({ name }) => name === 'quotes');
  return {
    openapi: '3.1.1',
    info: {
      title: 'Uniform Builder Data Service',
      version: '1',
      description: `Collections over HTTP in [PostgREST](https://docs.postgrest.org)'s protocol: what a caller of the kind \`${audience}\` may do.`,
    },
    servers: [{ url: '/rest/v1', description: 'This service' }],
    security: [{ apikey: [], bearer: [] }],
    tags: [
      ...visible.map(({ name, meaning }) => ({ name, description: meaning })),
      { name: 'api', description: 'The API itself.' },
    ],
    paths: {
      ...merge(visible.map(one => ({ [`/${one.name}`]: describeCollection(one, audience) }))),
      '/': describeRoot,
      ...(numbered && { '/rpc/next_quote_number': describeNextQuoteNumber(numbered) }),
    },
    components: {
      securitySchemes: {
        apikey: {
          type: 'apiKey',
          in: 'header',
          name: 'apikey',
          description: 'The publishable key of this service.',
        },
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'The access token of who is signed in, or the key again.',
        },
      },
      schemas: { error: errorSchema, ...merge(visible.map(one => describeRows(one, audience))) },
      parameters: { ...sharedParameters, ...merge(visible.map(one => columnFilters(one, audience))) },
      headers: sharedHeaders,
      responses: sharedErrors,
    },
  };
}

const describeRoot: Json = {
  get: {
    tags: ['api'],
    operationId: 'get_api',
    summary: 'This document',
    description: 'What the caller may do, as OpenAPI. HEAD answers its headers.',
    parameters: [refer('parameters', 'requestId')],
    responses: oneValue('The document.', mediaType, { type: 'object' }, [401, 414, 429, 500, 503]),
  },
};

/** A row as it is read, and as it is written by those who may. */
function describeRows(collection: Collection, audience: Audience): Json {
  const methods = methodsFor(collection, audience);
  const { name } = collection;
  return {
    [name]: describeRow(collection, audience, 'select'),
    ...(methods.includes('POST') && { [`${name}.insert`]: describeRow(collection, audience, 'insert') }),
    ...(methods.includes('PATCH') && { [`${name}.update`]: describeRow(collection, audience, 'update') }),
  };
}
