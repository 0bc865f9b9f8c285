/**
 * The OpenAPI document (https://spec.openapis.org/oas/v3.1.1) of what an audience may do with some collections. It is
 * derived from their definitions, and does not mention columns that the audience may not read.
 */
import type { Audience, Collection } from '../../schema/collection.ts';
import { errorSchema, sharedErrors } from './errors.ts';
import { sharedHeaders } from './headers.ts';
import { describeRow, type Json } from './json-schema.ts';
import { describeCollection, describeNextQuoteNumber, methodsFor } from './operations.ts';
import { columnFilters, refer, sharedParameters } from './parameters.ts';
import { valueResponses } from './responses.ts';

/** The media type of the document. */
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
    security: [{ apikey: [], bearer: [] }, { apikey: [] }],
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
          description: 'The publishable key of this service. Without an access token it counts alone.',
        },
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'The access token of a signed-in user.',
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
    description: 'What the caller may do, as OpenAPI. HEAD returns the headers only.',
    parameters: [refer('parameters', 'requestId')],
    responses: valueResponses(
      'The document.',
      { [mediaType]: { schema: { type: 'object' } } },
      [401, 414, 429, 500, 503],
    ),
  },
};

/** The schemas of a row: as it is read, inserted and updated, as far as the audience may. */
function describeRows(collection: Collection, audience: Audience): Json {
  const methods = methodsFor(collection, audience);
  const { name } = collection;
  return {
    [name]: describeRow(collection, audience, 'select'),
    ...(methods.includes('POST') && { [`${name}.insert`]: describeRow(collection, audience, 'insert') }),
    ...(methods.includes('PATCH') && { [`${name}.update`]: describeRow(collection, audience, 'update') }),
  };
}
