/** The OpenAPI document of every audience is valid and agrees with the schema. */
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { limits } from '../../functions/common/limits.ts';
import { describeApi, withServer } from '../../functions/openapi/document.ts';
import type { Audience, Collection, Privilege } from '../../schema/collection.ts';
import { collections } from '../../schema/collections.ts';
import { graphics } from '../../schema/graphics.ts';
import { quotes } from '../../schema/quotes.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails when it is not there
type Json = any;
const documentFor = (audience: Audience, of: readonly Collection[] = collections): Json =>
  JSON.parse(withServer(JSON.stringify(describeApi(of, audience)), 'https://api.test/rest/v1/'));
const columnsOf = ({ columns }: Collection, audience: Audience, privilege: Privilege): string[] =>
  Object.keys(columns).filter(name => columns[name]?.privileges[audience].includes(privilege));

const audiences: Audience[] = ['anon', 'customer', 'staff', 'reader'];

describe.each(audiences)('the document of %s', audience => {
  const document = documentFor(audience);
  const { schemas, parameters } = document.components;

  it('is valid OpenAPI 3.1, without broken references', async () => {
    const validator = new Validator();
    expect(await validator.validate(structuredClone(document))).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
    expect(() => validator.resolveRefs()).not.toThrow();
    for (const [, kind = '', name = ''] of JSON.stringify(document).matchAll(
      /#\/components\/(\w+)\/([\w.-]+)/g,
    )) {
      expect(document.components[kind]).toHaveProperty([name]);
    }
  });

  it.each(
    collections,
  )('names of $name the columns this caller reads and writes, and no others', collection => {
    const { name } = collection;
    const readable = columnsOf(collection, audience, 'select');
    const insertable = columnsOf(collection, audience, 'insert');
    const changeable = columnsOf(collection, audience, 'update');
    // The body of a change may name the row's key.
    const updatable = changeable.length > 0 ? ['id', ...changeable] : [];
    expect(Object.keys(schemas[name]?.properties ?? {})).toEqual(readable);
    expect(Object.keys(schemas[`${name}.insert`]?.properties ?? {})).toEqual(insertable);
    expect(Object.keys(schemas[`${name}.update`]?.properties ?? {})).toEqual(updatable);
    const filters = Object.keys(parameters).filter(key => key.startsWith(`${name}.`));
    expect(filters).toEqual(readable.map(column => `${name}.${column}`));
  });
});

/** The methods of each path. */
const methodsFor = (audience: Audience, of: readonly Collection[] = collections) =>
  Object.fromEntries(
    Object.entries<Json>(documentFor(audience, of).paths).map(([path, { parameters: _, ...methods }]) => [
      path,
      Object.keys(methods).join(' '),
    ]),
  );

describe('the document', () => {
  it('has what its audience may do with each collection', () => {
    const reads = 'get head';
    const all = 'get head post put patch delete';
    const rpc = { '/rpc/next_quote_number': 'post', '/rpc/duplicate_quote': 'post' };
    expect(methodsFor('anon')).toEqual({ '/graphics': reads, '/': expect.any(String) });
    const customers = {
      '/quotes': all,
      '/graphics': reads,
      '/notifications': 'get head patch delete',
      ...rpc,
    };
    expect(methodsFor('customer')).toMatchObject(customers);
    const staffs = { '/quotes': all, '/graphics': all, '/notifications': all, '/quote_events': reads };
    expect(methodsFor('staff')).toMatchObject(staffs);
  });

  it('has only its own collection in the worker of one', () => {
    expect(Object.keys(methodsFor('staff', [graphics]))).toEqual(['/graphics', '/']);
    expect(Object.keys(methodsFor('customer', [quotes]))).not.toContain('/graphics');
  });
});

describe('a pattern in the document', () => {
  const { schemas } = documentFor('staff').components;
  /** As openapi-zod-client writes it, and others that escape every slash. */
  const asLiteral = (pattern: string): RegExp =>
    new Function(`return /${pattern.replaceAll('/', '\\/')}/;`)() as RegExp;

  /** Without the escapes of slashes, which a class may have or not. */
  const sourceOf = ({ source }: RegExp): string => source.replaceAll('\\/', '/');

  it('means the same in a literal of a regular expression, with its slashes escaped', () => {
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
});

describe('the schema of a column', () => {
  const { schemas } = documentFor('staff').components;

  it('has its format, its values and whether it is nullable', () => {
    expect(schemas.quotes.properties).toMatchObject({
      id: { type: 'string', format: 'uuid' },
      quote_number: { type: 'string', pattern: '^QT-[0-9]{4}-[0-9]{5}$' },
      unit_price: { type: ['number', 'null'], minimum: 0 },
      colors: { type: ['object', 'null'], additionalProperties: false },
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

  it.each(audiences)('is required of a row that %s reads when it is never null', audience => {
    const { schemas } = documentFor(audience).components;
    for (const { name, columns } of collections.filter(({ name }) => name in schemas)) {
      const { required, properties } = schemas[name];
      const isNull = (column: string) => columns[column]?.nullable && !columns[column]?.neverNull;
      expect(required).toEqual(Object.keys(properties).filter(column => !isNull(column)));
    }
  });
});

describe('the body of a request in the document', () => {
  it('may be {} where a function takes no arguments, as supabase-js sends it', () => {
    const { requestBody } = documentFor('customer').paths['/rpc/next_quote_number'].post;
    const accepts = new Ajv().compile(requestBody.content['application/json'].schema);
    expect([{}, { year: 2026 }, []].map(body => accepts(body))).toEqual([true, false, false]);
  });
});

it('the errors in the document are those of the service, each with an example, which names its limit', () => {
  const { responses } = documentFor('staff').components;
  const statuses = '400 401 403 404 405 406 408 409 412 413 414 415 416 422 429 431 500 503 504'.split(' ');
  expect(Object.keys(responses)).toEqual(statuses.map(status => `error${status}`));
  const exampleOf = (status: number) => responses[`error${status}`].content['application/json'].example;
  for (const status of statuses) {
    expect(Object.keys(exampleOf(Number(status)))).toEqual(['code', 'message', 'details', 'hint']);
  }
  expect(exampleOf(408).details).toContain(`within ${limits.body.arrivalSeconds} seconds`);
  expect(exampleOf(504).details).toContain(`${limits.database.statementTimeout / 1000} seconds`);
});
