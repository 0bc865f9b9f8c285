/**
 * The OpenAPI document and the Swagger document of every audience agree with the schema, and are what their readers look for.
 * That they are valid is in lint.service.test.ts.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { described } from '../../../functions/app/described.ts';
import { limits } from '../../../functions/common/limits.ts';
import { describeApi, withServer } from '../../../functions/rest/describe/document.ts';
import type { Described } from '../../../functions/rest/describe/functions.ts';
import { describeSwagger, withHost } from '../../../functions/rest/describe/swagger.ts';
import type { Audience, Collection, Privilege } from '../../../schema/collection.ts';
import { collections } from '../../../schema/collections.ts';
import { functions } from '../../../schema/functions.ts';
import { graphics } from '../../../schema/graphics.ts';
import { quotes } from '../../../schema/quotes.ts';
import { relationsOf } from '../../../schema/relations.ts';
import { root } from '../../setup/files.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails when it is not there
type Json = any;
const openapiFor = (audience: Audience, of: Described = described): Json =>
  JSON.parse(withServer(JSON.stringify(describeApi(of, audience)), 'https://api.test/rest/v1/'));
const swaggerFor = (audience: Audience): Json =>
  JSON.parse(withHost(JSON.stringify(describeSwagger(described, audience)), 'http://api.test:87/rest/v1/'));
const columnsOf = ({ columns }: Collection, audience: Audience, privilege: Privilege): string[] =>
  Object.keys(columns).filter(name => columns[name]?.privileges[audience].includes(privilege));

const audiences: Audience[] = ['anon', 'customer', 'staff', 'reader'];
const kinds = [
  ['OpenAPI', openapiFor],
  ['Swagger', swaggerFor],
] as const;

it.each(kinds)('the %s documents have the licence of package.json and of the README', (_, documentFor) => {
  expect(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).license).toBe('UNLICENSED');
  const chosen = 'no licence has been chosen yet; ask the owner.';
  expect(readFileSync(join(root, 'README.md'), 'utf8').toLowerCase()).toContain(chosen);
  for (const audience of audiences) {
    expect(documentFor(audience).info.license.name).toBe(`UNLICENSED: ${chosen}`);
  }
});

describe.each(audiences)('for %s', audience => {
  const document = openapiFor(audience);
  const { schemas, parameters } = document.components;

  it.each(
    collections,
  )('the OpenAPI document names of $name the columns that are read and written, and no others', collection => {
    const { name } = collection;
    const readable = columnsOf(collection, audience, 'select');
    const insertable = columnsOf(collection, audience, 'insert');
    const changeable = columnsOf(collection, audience, 'update');
    // The body of a change may name the row's key.
    const updatable = changeable.length > 0 ? [...new Set([collection.primaryKey, ...changeable])] : [];
    const related = relationsOf(collection, collections).filter(
      ({ to }) => columnsOf(to, audience, 'select').length > 0,
    );
    expect(Object.keys(schemas[name]?.properties ?? {})).toEqual([
      ...readable,
      ...(readable.length > 0 ? related.map(({ to }) => to.name) : []),
    ]);
    expect(Object.keys(schemas[`${name}.insert`]?.properties ?? {})).toEqual(insertable);
    expect(Object.keys(schemas[`${name}.update`]?.properties ?? {})).toEqual(updatable);
    const filters = Object.keys(parameters).filter(key => key.startsWith(`${name}.`));
    expect(filters).toEqual(readable.map(column => `${name}.${column}`));
  });

  it('the Swagger document defines the collections that this caller may use, with the columns it may read, and nothing else', () => {
    const readable = collections
      .map(collection => [collection.name, columnsOf(collection, audience, 'select')] as const)
      .filter(([, columns]) => columns.length > 0);
    const defined = Object.entries<Json>(swaggerFor(audience).definitions);
    expect(defined.map(([name, { properties }]) => [name, Object.keys(properties)])).toEqual(readable);
  });
});

/** The methods of each path. */
const methodsFor = (audience: Audience, of: Described = described) =>
  Object.fromEntries(
    Object.entries<Json>(openapiFor(audience, of).paths).map(([path, { parameters: _, ...methods }]) => [
      path,
      Object.keys(methods).join(' '),
    ]),
  );

describe('the OpenAPI document', () => {
  it('has what its audience may do with each collection', () => {
    const reads = 'get head';
    const all = 'get head post put patch delete';
    const readByAll = collections.filter(collection => columnsOf(collection, 'anon', 'select').length > 0);
    const library = Object.fromEntries(readByAll.map(({ name }) => [`/${name}`, reads]));
    expect(methodsFor('anon')).toEqual({ ...library, '/': expect.any(String) });
    const customers = { '/quotes': all, '/graphics': reads, '/notifications': 'get head patch delete' };
    expect(methodsFor('customer')).toMatchObject(customers);
    const staffs = { '/quotes': all, '/graphics': all, '/notifications': all, '/quote_events': reads };
    expect(methodsFor('staff')).toMatchObject(staffs);
  });

  it.each(audiences)('has the functions that %s may call', audience => {
    const callable = functions.filter(({ audiences }) => audiences.includes(audience));
    const described = Object.entries(methodsFor(audience)).filter(([path]) => path.startsWith('/rpc/'));
    expect(described).toEqual(callable.map(({ name }) => [`/rpc/${name}`, 'post']));
  });

  it('has only its own collection in the worker of one', () => {
    expect(Object.keys(methodsFor('staff', { collections: [graphics], functions: [] }))).toEqual([
      '/graphics',
      '/',
    ]);
    expect(Object.keys(methodsFor('customer', { collections: [quotes], functions: [] }))).not.toContain(
      '/graphics',
    );
  });
});

const { schemas } = openapiFor('staff').components;
/** As openapi-zod-client writes it, and others that escape every slash. */
const asLiteral = (pattern: string): RegExp =>
  new Function(`return /${pattern.replaceAll('/', '\\/')}/;`)() as RegExp;

/** Without the escapes of slashes, which a class may have or not. */
const sourceOf = ({ source }: RegExp): string => source.replaceAll('\\/', '/');

it('a pattern in the OpenAPI document means the same in a literal of a regular expression, with its slashes escaped', () => {
  const described = collections.flatMap(({ name, columns }) =>
    Object.entries(columns).flatMap(([column, { type }]) =>
      type.pattern ? [{ meant: type.pattern, written: schemas[name].properties[column].pattern }] : [],
    ),
  );
  expect(described.length).toBeGreaterThan(3);
  for (const { meant, written } of described) {
    expect(sourceOf(asLiteral(written))).toBe(sourceOf(meant));
  }
});

describe('the OpenAPI schema of a column', () => {
  it('has its format, its values and whether it is nullable', () => {
    expect(schemas.quotes.properties).toMatchObject({
      id: { type: 'string', format: 'uuid' },
      quote_number: { type: 'string', pattern: '^QT-[0-9]{4}-[0-9]{5}$' },
      unit_price: { type: ['number', 'null'], minimum: 0 },
      colors: { type: ['object', 'null'], additionalProperties: true },
      size_breakdown: { additionalProperties: { type: 'integer', minimum: 0 } },
      event_date: { type: ['string', 'null'], format: 'date' },
      delivery_method: { enum: ['standard', 'express', 'pickup', null] },
      created_at: { type: 'string', format: 'date-time' },
    });
    expect(schemas.notifications.properties).toMatchObject({
      id: { type: 'integer', format: 'int64' },
      type: { type: 'string', enum: ['info', 'warning', 'error'] },
    });
  });

  it('is required of a row that is read when it is never null', () => {
    for (const { name, columns } of collections) {
      const { required, properties } = schemas[name];
      const isNull = (column: string) => columns[column]?.nullable && !columns[column]?.neverNull;
      expect(required).toEqual(Object.keys(properties).filter(column => columns[column] && !isNull(column)));
    }
  });
});

it('the body of a request in the OpenAPI document may be {} where a function takes no arguments, as supabase-js sends it', () => {
  const { requestBody } = openapiFor('customer').paths['/rpc/next_quote_number'].post;
  const accepts = new Ajv().compile(requestBody.content['application/json'].schema);
  expect([{}, { year: 2026 }, []].map(body => accepts(body))).toEqual([true, false, false]);
});

it('the errors in the OpenAPI document are those of the service, each with an example, which names its limit', () => {
  const { responses } = openapiFor('staff').components;
  const statuses = '400 401 403 404 405 406 408 409 412 413 414 415 416 422 429 431 500 503 504'.split(' ');
  expect(Object.keys(responses)).toEqual(statuses.map(status => `error${status}`));
  const exampleOf = (status: number) => responses[`error${status}`].content['application/json'].example;
  for (const status of statuses) {
    expect(Object.keys(exampleOf(Number(status)))).toEqual(['code', 'message', 'details', 'hint']);
  }
  expect(exampleOf(408).details).toContain(`within ${limits.body.arrivalSeconds} seconds`);
  expect(exampleOf(504).details).toContain(`${limits.database.statementTimeout / 1000} seconds`);
});

describe('the Swagger document', () => {
  const { definitions } = swaggerFor('staff');

  it('gives a column PostgREST’s format, note and default, and its values', () => {
    const { quotes, notifications, graphics } = definitions;
    expect(quotes.properties.id).toEqual({
      type: 'string',
      format: 'uuid',
      description: 'Identifier.\n\nNote:\nThis is a Primary Key.<pk/>',
    });
    const values = expect.arrayContaining(['submitted']);
    const status = { type: 'string', format: 'text', default: 'draft', enum: values };
    expect(quotes.properties).toMatchObject({ status, customization: { format: 'jsonb' } });
    expect(quotes.properties.customization).not.toHaveProperty('type');
    const tags = { type: 'array', items: { type: 'string' }, format: 'text[]' };
    expect(graphics.properties).toMatchObject({ tags });
    expect(notifications.properties.type).toMatchObject({ format: 'builder.notification_type' });
    expect(notifications.properties.id).not.toHaveProperty('default');
  });

  it('has as defaults values of their types and no expressions, of which a generated client makes code', () => {
    const defaults = Object.values<Json>(definitions).flatMap(({ properties }) =>
      Object.values<Json>(properties).filter(property => 'default' in property),
    );
    const ajv = new Ajv({ strict: false, validateFormats: false });
    for (const { default: value, type, enum: values } of defaults) {
      expect([value, ajv.validate({ type, ...(values && { enum: values }) }, value)]).toEqual([value, true]);
      expect(String(value)).toMatch(/^[\w]+$/);
    }
    expect(defaults.map(property => property.default)).toEqual(
      expect.arrayContaining(['draft', 'USD', false, true, 0, 'info']),
    );
  });

  it.each(
    audiences,
  )('describes as a body the columns that %s may write, with an example for tools that send one', audience => {
    const { parameters } = swaggerFor(audience);
    const ajv = new Ajv({ strict: false, validateFormats: false });
    for (const collection of collections.filter(({ name }) => `body.${name}` in parameters)) {
      const { schema } = parameters[`body.${collection.name}`];
      const written = ['insert', 'update'].flatMap(one => columnsOf(collection, audience, one as Privilege));
      expect(new Set(Object.keys(schema.properties))).toEqual(new Set([collection.primaryKey, ...written]));
      expect(schema.default).toEqual(schema.example);
      expect(ajv.validate({ ...schema, additionalProperties: false }, schema.example)).toBe(true);
    }
  });
});

it('the OpenAPI document has the types of embedded rows: a list, or one row or none', () => {
  const { quotes: quote, quote_events: event } = openapiFor('customer').components.schemas;
  const schemaOf = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  expect(quote.properties.quote_events).toMatchObject({ type: 'array', items: schemaOf('quote_events') });
  expect(event.properties.quotes).toMatchObject({ anyOf: [schemaOf('quotes.embedded'), { type: 'null' }] });
});
