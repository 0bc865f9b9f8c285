/**
 * The OpenAPI document (https://spec.openapis.org/oas/v3.1.1) of an audience's operations on some collections. It is
 * derived from their definitions, and omits columns that the audience cannot read.
 */
import type { Audience, Collection } from '../../../schema/collection.ts';
import { errorSchema, sharedErrors } from './errors.ts';
import { type Described, describeFunction, functionsFor } from './functions.ts';
import { anyObject, describeRow, type Json } from './json-schema.ts';
import { describeCollection, methodsFor, visibleTo } from './operations.ts';
import { columnFilters, refer, sharedHeaders, sharedParameters } from './parameters.ts';
import { mediaTypes } from './representation.ts';
import { valueResponses } from './responses.ts';

export function describeApi(described: Described, audience: Audience): Json {
  const visible = visibleTo(described.collections, audience);
  const info = describeInfo(audience);
  const paths: Json = {
    ...merge(visible.map(one => ({ [`/${one.name}`]: describeCollection(one, audience) }))),
    '/': describeRoot,
    ...merge(
      functionsFor(described, audience).map(one => ({
        [`/rpc/${one.name}`]: { post: describeFunction(one) },
      })),
    ),
  };
  const components = {
    schemas: { error: errorSchema, ...merge(visible.map(one => describeRows(one, audience, visible))) },
    parameters: { ...sharedParameters, ...merge(visible.map(one => columnFilters(one, audience))) },
    headers: sharedHeaders,
    responses: sharedErrors,
  };
  return {
    openapi: '3.1.1',
    info: { ...info, license: { ...info.license, identifier: 'LicenseRef-UNLICENSED' } },
    // Postman and Bruno read only the first scheme. The key is also a parameter.
    security: [{ bearer: [], apikey: [] }, { apikey: [] }],
    tags: describeTags(visible),
    paths,
    components: {
      securitySchemes: {
        apikey: { type: 'apiKey', in: 'header', name: 'apikey', description: apikeyMeaning },
        bearer: { type: 'http', scheme: 'bearer', description: bearerMeaning },
      },
      ...usedComponents(components, paths),
    },
  };
}

/** Returns the text of a document with the address of its request, since a relative address means nothing in a file. */
export function withServer(document: string, url: string): string {
  const servers = [{ url: new URL('/rest/v1', url).href, description: 'This service' }];
  return `${JSON.stringify({ servers }).slice(0, -1)},${document.slice(1)}`;
}

const describeRoot: Json = {
  get: {
    tags: ['api'],
    operationId: 'get_api',
    summary: 'Describe the API',
    description:
      "The caller's operations as Swagger 2.0, OpenAPI 3.1 or TypeScript types, chosen by the `Accept` header. `/openapi.json` is this document. HEAD returns only the headers.",
    parameters: ['apikey', 'acceptProfile', 'requestId'].map(one => refer('parameters', one)),
    responses: valueResponses(
      'The document.',
      {
        [mediaTypes.openapi]: { schema: anyObject },
        [mediaTypes.swagger]: { schema: anyObject },
        [mediaTypes.typescript]: { schema: { type: 'string' } },
      },
      [401, 406, 414, 429, 431, 500, 503],
      ['Vary'],
    ),
  },
};

/** Returns the schemas of a row for the reads, inserts and updates that the audience may make. */
function describeRows(collection: Collection, audience: Audience, visible: Collection[]): Json {
  const methods = methodsFor(collection, audience);
  const { name } = collection;
  const readable = visible.filter(one => methodsFor(one, audience).includes('GET'));
  return {
    [name]: describeRow(collection, audience, 'select', readable),
    [`${name}.embedded`]: describeRow(collection, audience, 'select'),
    ...(methods.includes('POST') && { [`${name}.insert`]: describeRow(collection, audience, 'insert') }),
    ...(methods.includes('PATCH') && { [`${name}.update`]: describeRow(collection, audience, 'update') }),
  };
}

export const merge = (parts: Json[]): Json => Object.assign({}, ...parts);

/** Returns the components that `paths` refer to, directly or through other components, by their kind and name. */
export function usedComponents(components: Record<string, Json>, paths: Json): Record<string, Json> {
  const used = new Set<unknown>();
  const texts = [JSON.stringify(paths)];
  for (const text of texts) {
    for (const [, kind = '', name = ''] of text.matchAll(/"#\/(?:components\/)?(\w+)\/([\w.-]+)"/g)) {
      const component = components[kind]?.[name];
      if (component !== undefined && !used.has(component)) {
        used.add(component);
        texts.push(JSON.stringify(component));
      }
    }
  }
  return Object.fromEntries(
    Object.entries(components).map(([kind, named]) => [
      kind,
      Object.fromEntries(Object.entries(named).filter(([, component]) => used.has(component))),
    ]),
  );
}

export const describeInfo = (audience: Audience) => ({
  title: 'Uniform Builder Data Service',
  version: '1',
  description: `Collections over HTTP in [PostgREST](https://docs.postgrest.org)'s protocol: the operations that are open to callers of the kind \`${audience}\`.`,
  contact: { name: 'The operator of this service' },
  license: { name: 'UNLICENSED: no licence has been chosen yet; ask the owner.' },
});

export const describeTags = (collections: Collection[]): Json[] => [
  ...collections.map(({ name, meaning, live }) => ({
    name,
    description: live ? `${meaning} ${liveMeaning(name)}` : meaning,
  })),
  { name: 'api', description: 'The API itself.' },
];

const liveMeaning = (name: string): string =>
  `Signed-in users receive its changes: \`supabase.channel('x').on('postgres_changes', { event: '*', schema: 'public', table: '${name}' }, …)\`.`;

export const apikeyMeaning =
  'The publishable key of this service. Without an access token, the caller is anonymous.';
export const bearerMeaning = 'The access token of a signed-in user.';
