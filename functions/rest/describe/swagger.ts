/**
 * The Swagger 2.0 document (https://spec.openapis.org/oas/v2.0) for clients of PostgREST, such as ra-supabase: it has the
 * names and notes of PostgREST's own (https://docs.postgrest.org/en/stable/references/api/openapi.html), which these clients
 * use to find primary keys, types and filters. The OpenAPI document also describes headers, errors, and request bodies.
 */
import type { Audience, Collection, Column } from '../../../schema/collection.ts';
import type { DatabaseFunction } from '../../../schema/function.ts';
import { postgresType } from '../../../schema/postgres-types.ts';
import { limits } from '../../common/limits.ts';
import {
  apikeyMeaning,
  bearerMeaning,
  describeInfo,
  describeTags,
  merge,
  usedComponents,
} from './document.ts';
import { type Described, describeArguments, describeReturned, functionsFor } from './functions.ts';
import { columnsFor, describeMeaning, describeType, exampleRow, type Json } from './json-schema.ts';
import { methodsFor, summaries, visibleTo } from './operations.ts';

export function describeSwagger(described: Described, audience: Audience): Json {
  const visible = visibleTo(described.collections, audience);
  const paths: Json = {
    '/': { get: describeRoot },
    ...merge(visible.map(one => ({ [`/${one.name}`]: describePath(one, audience) }))),
    ...merge(functionsFor(described, audience).map(one => ({ [`/rpc/${one.name}`]: describeCall(one) }))),
  };
  const components = {
    definitions: merge(visible.map(one => ({ [one.name]: describeDefinition(one, audience) }))),
    parameters: merge([sharedParameters, ...visible.map(one => parametersFor(one, audience))]),
    responses: { error },
  };
  return {
    swagger: '2.0',
    info: describeInfo(audience),
    basePath: '/rest/v1',
    consumes: ['application/json', 'text/csv'],
    produces: ['application/json', 'application/vnd.pgrst.object+json', 'text/csv'],
    securityDefinitions: {
      apikey: { type: 'apiKey', in: 'header', name: 'apikey', description: apikeyMeaning },
      JWT: {
        type: 'apiKey',
        in: 'header',
        name: 'Authorization',
        description: `\`Bearer …\`: ${bearerMeaning}`,
      },
    },
    security: [{ JWT: [], apikey: [] }, { apikey: [] }],
    tags: describeTags(visible),
    paths,
    ...usedComponents(components, paths),
  };
}

/** Returns the text of a document with the host and the scheme of its request. */
export function withHost(document: string, url: string): string {
  const { host, protocol } = new URL(url);
  const address = JSON.stringify({ host, schemes: [protocol.slice(0, -1)] });
  return `${address.slice(0, -1)},${document.slice(1)}`;
}

const refer = (kind: string, name: string): Json => ({ $ref: `#/${kind}/${name}` });
const text = { type: 'string' };

/** PostgREST has no schema of errors; a definition of one would look like a table. */
const error: Json = {
  description: 'An error.',
  schema: { type: 'object', properties: { code: text, message: text, details: text, hint: text } },
};
const orError = { 401: refer('responses', 'error'), default: refer('responses', 'error') };

const describeRoot: Json = {
  tags: ['api'],
  operationId: 'get_api',
  summary: 'Describe the API',
  description: "The caller's operations. `/openapi.json` describes them as OpenAPI 3.1.",
  produces: ['application/openapi+json'],
  parameters: [refer('parameters', 'apikey')],
  responses: { 200: { description: 'OK' }, ...orError },
};

function describeCall(called: DatabaseFunction): Json {
  const { name, about, summary, meaning } = called;
  const args = { name: 'args', in: 'body', required: true, schema: describeArguments(called) };
  const parameters = [refer('parameters', 'apikey'), args];
  const schema = describeReturned(called, collection => refer('definitions', collection.name));
  const responses = { 200: { description: 'OK', schema }, ...orError };
  const operation = { tags: [about.name], operationId: name, summary, description: meaning };
  return { post: { ...operation, parameters, responses } };
}

const parameter = (place: 'query' | 'header', name: string, description: string, more: Json = {}): Json => ({
  name,
  in: place,
  description,
  ...text,
  ...more,
});
/** Texts, each in a parameter of its own. An importer of Postman sends no parameter for the empty array. */
const anyNumber: Json = { type: 'array', items: text, collectionFormat: 'multi', default: [] };
const paging = 'Limiting and Pagination';
const prefer = (values: string[], more?: Json): Json =>
  parameter('header', 'Prefer', 'Preference', { enum: values, ...more });
const returns = ['return=representation', 'return=minimal'];
const minimal = { default: 'return=minimal' };

const sharedParameters: Json = {
  apikey: parameter('header', 'apikey', apikeyMeaning, { default: '{{publishableKey}}' }),
  select: parameter('query', 'select', 'Filtering Columns', { default: '*' }),
  order: parameter('query', 'order', 'Ordering', { ...anyNumber, maxItems: 1 }),
  range: parameter('header', 'Range', paging, { default: '0-' }),
  rangeUnit: parameter('header', 'Range-Unit', paging, { default: 'items' }),
  offset: parameter('query', 'offset', paging, { default: '0' }),
  limit: parameter('query', 'limit', paging, { default: String(limits.response.rows) }),
  on_conflict: parameter('query', 'on_conflict', 'On Conflict', { ...anyNumber, maxItems: 1 }),
  preferCount: prefer(['count=exact', 'count=planned', 'count=estimated']),
  preferReturn: prefer(returns, minimal),
  preferPost: prefer([...returns, 'resolution=ignore-duplicates', 'resolution=merge-duplicates'], minimal),
};

/** Returns the filters of a collection, in which ra-supabase looks for the columns to filter by, and its body. */
const parametersFor = (collection: Collection, audience: Audience): Json => ({
  ...Object.fromEntries(
    columnsFor(collection, audience, 'select').map(([name, column]) => [
      `rowFilter.${collection.name}.${name}`,
      parameter('query', name, describeMeaning(column), anyNumber),
    ]),
  ),
  [`body.${collection.name}`]: {
    name: collection.name,
    in: 'body',
    description: collection.meaning,
    schema: describeBody(collection, audience),
  },
});

function describePath(collection: Collection, audience: Audience): Json {
  const { name, meaning } = collection;
  const body = `body.${name}`;
  const filters = columnsFor(collection, audience, 'select').map(([column]) => `rowFilter.${name}.${column}`);
  const rows = { description: 'OK', schema: { type: 'array', items: refer('definitions', name) } };
  const changed = { 200: rows, 204: { description: 'No Content' } };
  const operations: [method: 'GET' | 'POST' | 'PATCH' | 'DELETE', parameters: string[], responses: Json][] = [
    [
      'GET',
      [...filters, 'select', 'order', 'range', 'rangeUnit', 'offset', 'limit', 'preferCount'],
      { 200: rows, 206: { ...rows, description: 'Partial Content' } },
    ],
    ['POST', [body, 'select', 'on_conflict', 'preferPost'], { 201: { ...rows, description: 'Created' } }],
    ['PATCH', [...filters, body, 'select', 'preferReturn'], changed],
    ['DELETE', [...filters, 'select', 'preferReturn'], changed],
  ];
  const allowed = methodsFor(collection, audience);
  return Object.fromEntries(
    operations
      .filter(([method]) => allowed.includes(method))
      .map(([method, parameters, responses]) => [
        method.toLowerCase(),
        {
          tags: [name],
          operationId: `${method.toLowerCase()}_${name}`,
          summary: `${summaries[method]} ${name}`,
          description: meaning,
          parameters: [...parameters, 'apikey'].map(one => refer('parameters', one)),
          responses: { ...responses, ...orError },
        },
      ]),
  );
}

/** Describes the rows of a collection, with the columns that the audience may read. */
function describeDefinition(collection: Collection, audience: Audience): Json {
  const columns = columnsFor(collection, audience, 'select');
  return {
    type: 'object',
    description: collection.meaning,
    required: columns.filter(([, { nullable }]) => !nullable).map(([name]) => name),
    properties: describeProperties(collection, columns),
  };
}

/** Describes what an insert or a change may have, with an example that Postman and Bruno fill a body from. */
function describeBody(collection: Collection, audience: Audience): Json {
  const inserted = columnsFor(collection, audience, 'insert');
  const changed = columnsFor(collection, audience, 'update');
  const example = exampleRow(collection, audience, inserted.length > 0 ? 'insert' : 'update');
  return {
    type: 'object',
    properties: describeProperties(collection, [...inserted, ...changed]),
    example,
    default: example,
  };
}

const describeProperties = ({ primaryKey }: Collection, columns: [name: string, column: Column][]): Json =>
  Object.fromEntries(columns.map(([name, column]) => [name, describeProperty(column, name === primaryKey)]));

/** Describes a column: its format is the type in Postgres, and a value of type `jsonb` is of any type. */
function describeProperty(column: Column, isPrimaryKey: boolean): Json {
  const { type, default: sql } = column;
  const schema = postgresType(type.postgres).kind === 'json' ? {} : describeType(type);
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

/** Returns a default as a value; undefined for an expression, whose text generated clients would treat as code. */
function readDefault(sql: string): unknown {
  const [, text] = /^'(.*)'$/.exec(sql) ?? [];
  return text ?? (/^(?:true|false|-?\d+)$/.test(sql) ? JSON.parse(sql) : undefined);
}
