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
const documentFor = (audience: Audience): Json =>
  JSON.parse(withHost(JSON.stringify(describeSwagger(collections, audience)), 'http://api.test:87/rest/v1/'));

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
  const { definitions, parameters } = documentFor('staff');

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

  it('names parameters as PostgREST does', () => {
    const shared = ['select', 'order', 'range', 'rangeUnit', 'offset', 'limit', 'on_conflict'];
    const prefer = ['preferCount', 'preferReturn', 'preferPost'];
    const named = Object.keys(parameters);
    expect(named).toEqual(
      expect.arrayContaining([...shared, ...prefer, 'body.quotes', 'rowFilter.quotes.id']),
    );
    expect(parameters['body.quotes'].schema).toEqual({ $ref: '#/definitions/quotes' });
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
  });
});
