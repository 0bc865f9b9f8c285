/** The Swagger document is valid, says what PostgREST's says, and is what its readers look for. */
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { describeSwagger, withHost } from '../../functions/openapi/swagger.ts';
import type { Audience } from '../../schema/collection.ts';
import { collections } from '../../schema/collections.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails when it is not there
type Json = any;
const audiences: Audience[] = ['anon', 'customer', 'staff', 'reader'];
const documentFor = (audience: Audience, url = 'https://api.test/rest/v1/'): Json =>
  JSON.parse(withHost(JSON.stringify(describeSwagger(collections, audience)), url));

describe.each(audiences)('the Swagger document of %s', audience => {
  const document = documentFor(audience);

  it('is valid Swagger 2.0, without broken references', async () => {
    const validator = new Validator();
    expect(await validator.validate(structuredClone(document))).toEqual({ valid: true });
    expect(validator.version).toBe('2.0');
    expect(() => validator.resolveRefs()).not.toThrow();
  });

  it('defines the collections that this caller may use, with the columns it may read, and nothing else', () => {
    const readable = collections
      .map(({ name, columns }) => [
        name,
        Object.keys(columns).filter(column => columns[column]?.privileges[audience].includes('select')),
      ])
      .filter(([, columns]) => columns?.length);
    const defined = Object.entries<Json>(document.definitions);
    expect(defined.map(([name, { properties }]) => [name, Object.keys(properties)])).toEqual(readable);
  });
});

describe('the Swagger document', () => {
  const { definitions, paths, parameters } = documentFor('staff');

  it('has the host and the scheme by which it was requested', () => {
    const { host, basePath, schemes } = documentFor('anon', 'http://127.0.0.1:8787/rest/v1');
    expect({ host, basePath, schemes }).toEqual({
      host: '127.0.0.1:8787',
      basePath: '/rest/v1',
      schemes: ['http'],
    });
  });

  it('gives a column PostgREST’s format, note and default, and its values', () => {
    const { quotes, notifications, graphics } = definitions;
    expect(quotes.properties.id).toEqual({
      type: 'string',
      format: 'uuid',
      description: 'Identifier.\n\nNote:\nThis is a Primary Key.<pk/>',
    });
    expect(quotes.properties).toMatchObject({
      status: {
        type: 'string',
        format: 'text',
        default: 'draft',
        enum: expect.arrayContaining(['submitted']),
      },
      customization: { format: 'jsonb' },
      unit_price: { type: 'number', format: 'numeric' },
      created_at: { type: 'string', format: 'timestamp with time zone' },
      rush_order: { type: 'boolean', format: 'boolean', default: false },
    });
    expect(quotes.properties.customization).not.toHaveProperty('type');
    expect(graphics.properties).toMatchObject({
      tags: { type: 'array', items: { type: 'string' }, format: 'text[]' },
      sort_order: { type: 'integer', format: 'integer', default: 0 },
    });
    expect(notifications.properties.type).toMatchObject({
      format: 'builder.notification_type',
      enum: ['info', 'warning', 'error'],
    });
    expect(notifications.properties.id).not.toHaveProperty('default');
    expect(notifications.required).toEqual([
      'id',
      'account_id',
      'type',
      'body',
      'channel',
      'dismissed',
      'created_at',
    ]);
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

  it('allows {} in the call of a function without arguments, as supabase-js sends it', () => {
    const [args] = paths['/rpc/next_quote_number'].post.parameters;
    expect([args.in, args.required]).toEqual(['body', true]);
    expect([{}, { year: 1 }].map(body => new Ajv().validate(args.schema, body))).toEqual([true, false]);
  });

  it('names parameters as PostgREST does', () => {
    const shared = ['select', 'order', 'range', 'rangeUnit', 'offset', 'limit', 'on_conflict'];
    const prefer = ['preferCount', 'preferReturn', 'preferPost'];
    const named = Object.keys(parameters);
    expect(named).toEqual(
      expect.arrayContaining([...shared, ...prefer, 'body.quotes', 'rowFilter.quotes.id']),
    );
    expect(parameters['body.quotes'].schema).toEqual({ $ref: '#/definitions/quotes' });
    expect(parameters['rowFilter.quotes.sport']).toMatchObject({
      name: 'sport',
      in: 'query',
      type: 'string',
    });
  });

  it('lets ra-supabase find each collection’s screens, and the columns that its list is filtered by', () => {
    for (const audience of audiences) {
      const document = documentFor(audience);
      for (const [resource, { properties }] of Object.entries<Json>(document.definitions)) {
        // As its ListGuesser does, which takes every parameter of a GET for a reference.
        const filters = document.paths[`/${resource}`].get.parameters
          .filter((parameter: Json) => parameter['$ref'].includes('rowFilter'))
          .map((parameter: Json) => parameter['$ref'].split('.').pop());
        expect(filters).toEqual(Object.keys(properties));
      }
    }
    const methodsOf = (audience: Audience, path: string) =>
      Object.keys(documentFor(audience).paths[path] ?? {}).join();
    const some = ['/', '/quotes', '/graphics', '/notifications', '/rpc/duplicate_quote'];
    expect(some.map(path => methodsOf('anon', path))).toEqual(['get', '', 'get', '', '']);
    expect(some.map(path => methodsOf('customer', path))).toEqual([
      'get',
      'get,post,patch,delete',
      'get',
      'get,patch,delete',
      'post',
    ]);
    expect(Object.keys(paths)).toEqual([
      '/',
      ...collections.map(({ name }) => `/${name}`),
      '/rpc/next_quote_number',
      '/rpc/duplicate_quote',
      '/rpc/redeliver',
    ]);
  });

  it('does not mention internal notes to a customer', () => {
    expect(JSON.stringify(documentFor('staff'))).toContain('internal_notes');
    expect(JSON.stringify(documentFor('customer'))).not.toContain('internal_notes');
    expect(JSON.stringify(documentFor('anon'))).not.toContain('quote');
  });
});
