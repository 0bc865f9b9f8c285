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
const documentFor = (audience: Audience, of = collections, url = 'https://api.test/rest/v1/'): Json =>
  JSON.parse(withServer(JSON.stringify(describeApi(of, audience)), url));
const audiences: Audience[] = ['anon', 'customer', 'staff', 'reader'];
const methodsOf = (audience: Audience, path: string): string[] =>
  Object.keys(documentFor(audience).paths[path] ?? {});
const columnsOf = ({ columns }: Collection, audience: Audience, privilege: Privilege): string[] =>
  Object.keys(columns).filter(name => columns[name]?.privileges[audience].includes(privilege));

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

  it.each(collections)('describes every column of $name', collection => {
    const described = Object.entries<{ description: string }>(schemas[collection.name]?.properties ?? {});
    for (const [name, { description }] of described) {
      expect(description.replaceAll('\\<', '<')).toContain(collection.columns[name]?.meaning);
    }
  });

  it('requires the key for every request, and takes a token', () => {
    expect(document.security).toEqual([{ apikey: [], bearer: [] }, { apikey: [] }]);
    expect(document.components.securitySchemes).toMatchObject({
      apikey: { type: 'apiKey', in: 'header', name: 'apikey' },
      bearer: { type: 'http', scheme: 'bearer' },
    });
  });
});

describe('the document', () => {
  it('has reads of graphics for anonymous callers', () => {
    expect(Object.keys(documentFor('anon').paths)).toEqual(['/graphics', '/']);
    expect(methodsOf('anon', '/graphics')).toEqual(['get', 'head']);
  });

  it('has what a customer may do with each collection', () => {
    expect(methodsOf('customer', '/quotes')).toEqual(['get', 'head', 'post', 'put', 'patch', 'delete']);
    expect(methodsOf('customer', '/graphics')).toEqual(['get', 'head']);
    expect(methodsOf('customer', '/notifications')).toEqual(['get', 'head', 'patch', 'delete']);
    expect(methodsOf('customer', '/rpc/next_quote_number')).toEqual(['post']);
  });

  it('has everything for staff', () => {
    for (const name of ['quotes', 'graphics', 'notifications']) {
      expect(methodsOf('staff', `/${name}`)).toEqual(['get', 'head', 'post', 'put', 'patch', 'delete']);
    }
    expect(methodsOf('staff', '/quote_events')).toEqual(['get', 'head']);
  });

  it('does not mention internal notes to a customer', () => {
    expect(JSON.stringify(documentFor('staff'))).toContain('internal_notes');
    expect(JSON.stringify(documentFor('customer'))).not.toContain('internal_notes');
    expect(JSON.stringify(documentFor('anon'))).not.toContain('quote_number');
  });

  it('has only its own collection in the worker of one', () => {
    expect(Object.keys(documentFor('staff', [graphics]).paths)).toEqual(['/graphics', '/']);
    expect(Object.keys(documentFor('customer', [quotes]).paths)).toEqual([
      '/quotes',
      '/',
      '/rpc/next_quote_number',
      '/rpc/duplicate_quote',
    ]);
  });
});

describe('the address in the document', () => {
  const serversOf = (url: string) =>
    documentFor('anon', collections, url).servers.map((server: Json) => server.url);

  it('is that of the request, so that it means something in a file', () => {
    expect(serversOf('https://api.test/rest/v1/')).toEqual(['https://api.test/rest/v1']);
    expect(serversOf('http://127.0.0.1:8787/rest/v1?select=*')).toEqual(['http://127.0.0.1:8787/rest/v1']);
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

describe('the description of a header', () => {
  const { idempotencyKey, requestId } = documentFor('customer').components.parameters;

  it('has its longest length', () => {
    expect(idempotencyKey.schema.maxLength).toBe(limits.request.idempotencyKey);
    expect(requestId.description).toContain(`up to ${limits.request.requestId} letters`);
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

  it('is required of a row that is read when it is never null', () => {
    for (const audience of audiences) {
      const { schemas } = documentFor(audience).components;
      for (const { name, columns } of collections.filter(({ name }) => name in schemas)) {
        const neverNull = Object.keys(schemas[name].properties).filter(
          column => !columns[column]?.nullable || columns[column]?.neverNull,
        );
        expect(schemas[name].required).toEqual(neverNull);
      }
    }
  });

  it('is required in a new row when it has neither a default nor null', () => {
    expect(schemas['quotes.insert'].required).toEqual([
      'account_id',
      'quote_number',
      'product_id',
      'sport',
      'customization',
    ]);
    expect(schemas['graphics.insert'].required).toEqual(['name', 'code', 'file_url', 'file_format']);
    expect(schemas['notifications.insert'].required).toEqual(['account_id', 'body', 'dismissed']);
    expect(schemas['quotes.update'].required).toBeUndefined();
  });
});

describe('the body of a request in the document', () => {
  it('may be {} where a function takes no arguments, as supabase-js sends it', () => {
    const { requestBody } = documentFor('customer').paths['/rpc/next_quote_number'].post;
    const accepts = new Ajv().compile(requestBody.content['application/json'].schema);
    expect([{}, { year: 2026 }, []].map(body => accepts(body))).toEqual([true, false, false]);
  });

  it('has JSON as its one media type, which generated clients then name in Content-Type', () => {
    const bodies = Object.values<Json>(documentFor('staff').paths)
      .flatMap(path => Object.values<Json>(path))
      .flatMap(({ requestBody }) => requestBody ?? []);
    expect(bodies.length).toBeGreaterThan(collections.length);
    for (const { content } of bodies) {
      expect(Object.keys(content)).toEqual(['application/json']);
    }
  });
});

describe('the responses in the document', () => {
  const typesOf = (audience: Audience, method: string, status: number): string[] =>
    Object.keys(documentFor(audience).paths['/quotes'][method].responses[status].content);

  it('have JSON first, and for staff execution plans', () => {
    const plans = ['application/vnd.pgrst.plan+json', 'application/vnd.pgrst.plan+text'];
    for (const method of ['get', 'post', 'put', 'patch', 'delete']) {
      expect(typesOf('staff', method, 200)).toEqual([...typesOf('customer', method, 200), ...plans]);
      expect(typesOf('customer', method, 200)[0]).toBe('application/json');
    }
  });

  it('say which are empty without a preference', () => {
    const { 200: upserted, 201: inserted } = documentFor('customer').paths['/quotes'].post.responses;
    expect([upserted.description, inserted.description]).toEqual([
      expect.stringMatching(/is empty otherwise\.$/),
      expect.stringMatching(/is empty otherwise\.$/),
    ]);
  });

  it('have the headers of a page, also of one past the end', () => {
    const { components, paths } = documentFor('customer');
    expect(Object.keys(paths['/quotes'].get.responses[206].headers)).toEqual(
      expect.arrayContaining(['Content-Range', 'Preference-Applied', 'ETag', 'Link', 'Vary']),
    );
    expect(Object.keys(components.responses.error416.headers)).toEqual(
      expect.arrayContaining(['Content-Range', 'Preference-Applied']),
    );
  });
});

describe('the filters in the document', () => {
  it('can be combined by and, or and their negations', () => {
    const { get, patch, post } = documentFor('customer').paths['/quotes'];
    const namesOf = ({ parameters }: Json) => parameters.map(({ $ref }: Json) => $ref.split('/').at(-1));
    expect(namesOf(get)).toEqual(expect.arrayContaining(['or', 'and', 'not.or', 'not.and']));
    expect(namesOf(patch)).toContain('or');
    expect(namesOf(post)).not.toContain('or');
  });
});

describe('the errors in the document', () => {
  const { responses } = documentFor('staff').components;

  it('are those of the service, each with an example with all four fields', () => {
    expect(Object.keys(responses)).toEqual(
      [400, 401, 403, 404, 405, 406, 408, 409, 412, 413, 414, 415, 416, 422, 429, 431, 500, 503, 504].map(
        status => `error${status}`,
      ),
    );
    for (const { content } of Object.values<Json>(responses)) {
      const { example } = content['application/json'];
      expect(Object.keys(example)).toEqual(['code', 'message', 'details', 'hint']);
    }
  });

  it('include 412 and 422 where If-Match and Idempotency-Key are parameters', () => {
    const { get, post, patch } = documentFor('staff').paths['/quotes'];
    const headersOf = ({ parameters }: Json) => parameters.map(({ $ref }: Json) => $ref.split('/').at(-1));
    expect(headersOf(get)).toContain('ifNoneMatch');
    expect(get.responses).toHaveProperty('304');
    expect(headersOf(patch)).toContain('ifMatch');
    expect(patch.responses).toHaveProperty('412');
    expect(headersOf(post)).toContain('idempotencyKey');
    expect(post.responses).toHaveProperty('422');
    expect(Object.keys(patch.responses['200'].headers)).toContain('ETag');
  });

  it.each([
    [408, `within ${limits.body.arrivalSeconds} seconds`],
    [413, `At most ${limits.body.bytes} bytes`],
    [414, `At most ${limits.request.url} characters`],
    [429, `over ${limits.rate.periodSeconds} seconds`],
    [504, `${limits.database.statementTimeout / 1000} seconds`],
  ])('name the limit of this service: %i', (status, limit) => {
    expect(responses[`error${status}`].content['application/json'].example.details).toContain(limit);
  });

  it('have issues that a form can use', () => {
    const { issues } = documentFor('staff').components.schemas.error.properties;
    expect(issues.items.required).toEqual(['path', 'expected', 'received', 'message']);
  });

  it('have the headers Retry-After and WWW-Authenticate', () => {
    expect(Object.keys(responses.error503.headers)).toContain('Retry-After');
    expect(Object.keys(responses.error429.headers)).toContain('Retry-After');
    expect(Object.keys(responses.error401.headers)).toContain('WWW-Authenticate');
  });
});
