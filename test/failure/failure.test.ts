import { describe, expect, it } from 'vitest';
import type { Failure } from '../../functions/failure/failure.ts';
import { loggedOf, renderFailure } from '../../functions/failure/render.ts';
import { statusOf } from '../../functions/failure/service-rows.ts';

const error = {
  parameter: 'filter' as const,
  input: 'x',
  column: 1,
  unexpected: '"x"',
  expecting: ['"not"'],
};
const issue = { row: 0, path: 'code', expected: 'a text', received: '5', sqlstate: '22P02' };
const refused = { sqlstate: '42501', message: 'permission denied for table quotes' };

/** A failure of every kind, with its status and code. The compiler reports a missing one. */
const every: { [K in Failure['is']]: [failure: Extract<Failure, { is: K }>, status: number, code: string] } =
  {
    unparsable: [{ is: 'unparsable', error }, 400, 'PGRST100'],
    'too complex': [{ is: 'too complex', what: 'filters', limit: 200 }, 400, 'PGRST100'],
    'invalid body': [{ is: 'invalid body', message: 'Empty or invalid json' }, 400, 'PGRST102'],
    'invalid fields': [{ is: 'invalid fields', issues: [issue] }, 400, '22P02'],
    'invalid range': [{ is: 'invalid range', details: 'x' }, 416, 'PGRST103'],
    'unacceptable schema': [{ is: 'unacceptable schema', schema: 'x', exposed: ['public'] }, 406, 'PGRST106'],
    'unacceptable media type': [{ is: 'unacceptable media type', mediaTypes: ['a/b'] }, 406, 'PGRST107'],
    'nul character': [{ is: 'nul character' }, 400, '22021'],
    'not embedded': [{ is: 'not embedded', name: 'items' }, 400, 'PGRST108'],
    'unusable name': [{ is: 'unusable name', name: 'x' }, 400, '42622'],
    'put filters': [{ is: 'put filters' }, 405, 'PGRST105'],
    'put range': [{ is: 'put range' }, 400, 'PGRST114'],
    'put key mismatch': [{ is: 'put key mismatch' }, 400, 'PGRST115'],
    'not singular': [{ is: 'not singular', rows: '0' }, 406, 'PGRST116'],
    'unsupported method': [{ is: 'unsupported method', method: 'TRACE', allow: 'GET' }, 405, 'PGRST117'],
    'unknown path': [{ is: 'unknown path' }, 404, 'PGRST125'],
    'other service': [{ is: 'other service', service: 'storage' }, 404, 'PGRST125'],
    'not own request': [{ is: 'not own request' }, 403, 'PT403'],
    'unknown collection': [
      { is: 'unknown collection', name: 'x', known: ['quotes'], nearest: [] },
      404,
      'PGRST205',
    ],
    'unknown function': [{ is: 'unknown function', name: 'x', known: [], nearest: [] }, 404, 'PGRST202'],
    'function arguments': [{ is: 'function arguments', name: 'x', takes: 'no arguments' }, 404, 'PGRST202'],
    'function method': [{ is: 'function method', method: 'GET', allow: 'POST' }, 405, 'PGRST101'],
    'forbidden function': [{ is: 'forbidden function', name: 'x' }, 401, '42501'],
    'deleted row': [{ is: 'deleted row' }, 409, '23505'],
    'taken key': [{ is: 'taken key' }, 409, '23505'],
    'precondition failed': [{ is: 'precondition failed' }, 412, 'PT412'],
    'unusable header': [{ is: 'unusable header', header: 'If-Match', details: 'x' }, 400, 'PT400'],
    'row not found': [{ is: 'row not found', collection: 'x' }, 404, 'PT404'],
    'rows missing': [{ is: 'rows missing', found: '1' }, 404, 'PT404'],
    'invalid preferences': [{ is: 'invalid preferences', preferences: ['x'] }, 400, 'PGRST122'],
    'max affected': [{ is: 'max affected', rows: '2' }, 400, 'PGRST124'],
    embedding: [{ is: 'embedding', collection: 'quotes', name: 'items' }, 400, 'PGRST200'],
    'unknown column': [
      { is: 'unknown column', collection: 'quotes', column: 'x', nearest: [] },
      400,
      '42703',
    ],
    'unknown body column': [
      { is: 'unknown body column', collection: 'quotes', column: 'x', nearest: [] },
      400,
      'PGRST204',
    ],
    'unknown configuration': [{ is: 'unknown configuration', name: 'klingon' }, 400, '42704'],
    'unknown type': [{ is: 'unknown type', name: 'x', known: ['text'] }, 400, '42704'],
    'forbidden table': [{ is: 'forbidden table', collection: 'quotes', authenticated: true }, 403, '42501'],
    'forbidden fields': [
      {
        is: 'forbidden fields',
        collection: 'quotes',
        fields: [{ path: 'x' }],
        action: 'set',
        authenticated: true,
      },
      403,
      '42501',
    ],
    'unreadable column': [
      { is: 'unreadable column', collection: 'quotes', column: 'x', authenticated: true },
      403,
      '42501',
    ],
    unfiltered: [{ is: 'unfiltered', verb: 'DELETE' }, 400, '21000'],
    'credentials missing': [{ is: 'credentials missing', what: 'apikey header' }, 401, 'PGRST302'],
    'credentials refused': [{ is: 'credentials refused', message: 'x' }, 401, 'PGRST301'],
    'claims refused': [{ is: 'claims refused', message: 'JWT expired' }, 401, 'PGRST303'],
    'secret in browser': [{ is: 'secret in browser', kind: 'service' }, 401, 'PT401'],
    'read key': [{ is: 'read key', refused: 'write' }, 403, '42501'],
    'rate limited': [{ is: 'rate limited', reason: 'RATE_LIMIT' }, 429, 'PT429'],
    'no upgrade': [{ is: 'no upgrade' }, 426, 'PT426'],
    'too many sockets': [
      { is: 'too many sockets', of: 'a caller', limit: 200 },
      429,
      'ConnectionRateLimitReached',
    ],
    'too many channels': [{ is: 'too many channels', limit: 100 }, 400, 'ChannelRateLimitReached'],
    'url too long': [{ is: 'url too long' }, 414, 'PT414'],
    'header too long': [{ is: 'header too long' }, 431, 'PT431'],
    'keys unavailable': [{ is: 'keys unavailable', reason: 'JWKS_TIMEOUT' }, 503, 'PGRST301'],
    'encoded body': [{ is: 'encoded body', encoding: 'gzip' }, 415, 'PT415'],
    'body too large': [{ is: 'body too large' }, 413, 'PGRST102'],
    'body too slow': [{ is: 'body too slow' }, 408, 'PT408'],
    'response too large': [{ is: 'response too large', limit: '16777216' }, 400, '54000'],
    database: [{ is: 'database', ...refused, authenticated: true }, 403, '42501'],
    'database unavailable': [{ is: 'database unavailable', reason: 'ECONNREFUSED' }, 503, 'PGRST001'],
    'disk full': [{ is: 'disk full', reason: 'the disk of the database is full' }, 503, '53100'],
    'read replica': [{ is: 'read replica' }, 405, '25006'],
    'too many at once': [{ is: 'too many at once' }, 429, 'PT429'],
    overloaded: [{ is: 'overloaded', reason: 'BODIES_FULL' }, 503, 'PT503'],
    'invalid value': [{ is: 'invalid value', sqlstate: '22007', message: 'x' }, 400, '22007'],
    'not set': [{ is: 'not set', unset: { variables: ['SECRET_KEY'], local: false } }, 500, 'PGRSTX00'],
    misconfigured: [{ is: 'misconfigured', reason: 'neither is bound' }, 500, 'PGRSTX00'],
    crash: [{ is: 'crash' }, 500, 'PGRSTX00'],
  };

const withStatus = (wanted: number): Failure[] =>
  Object.values(every).flatMap(([failure, status]) => (status === wanted ? [failure] : []));

describe('a failure', () => {
  it.each(
    Object.entries(every),
  )('has a status, and a body of four fields, with its issues if there are any: %s', (_, [
    failure,
    status,
    code,
  ]) => {
    const rendered = renderFailure(failure);
    expect(rendered.status).toBe(status);
    expect(rendered.body).toStrictEqual({
      code,
      message: expect.stringMatching(/./),
      details: rendered.body.details ?? null,
      hint: rendered.body.hint ?? null,
      ...(failure.is.endsWith(' fields') && { issues: expect.any(Array) }),
    });
  });

  it.each(withStatus(401))('of the credentials has WWW-Authenticate: $is', failure => {
    expect(renderFailure(failure).headers['www-authenticate']).toMatch(
      /^Bearer( error="invalid_token", .*)?$/,
    );
  });

  it.each([...withStatus(503), ...withStatus(429)])('that is temporary has Retry-After: $is', failure => {
    expect(renderFailure(failure).headers['retry-after']).toMatch(/^\d+$/);
  });

  it.each([
    every['forbidden table'][0],
    every['unreadable column'][0],
    every.database[0],
  ])('that signing in may fix is 401: $is', failure => {
    const { status, headers } = renderFailure({ ...failure, authenticated: false });
    expect({ status, headers }).toEqual({ status: 401, headers: { 'www-authenticate': 'Bearer' } });
  });

  it('cannot inject text into WWW-Authenticate', () => {
    const { headers } = renderFailure({ is: 'credentials refused', message: 'a"b\\c' });
    expect(headers['www-authenticate']).toBe('Bearer error="invalid_token", error_description="abc"');
  });

  it.each<Failure>([
    { is: 'database unavailable', reason: 'connect ECONNREFUSED postgres://builder_api:pw@10.0.0.5' },
    { is: 'misconfigured', reason: 'postgres://builder_api:pw@10.0.0.5' },
  ])('of the service does not expose its reason: $is', failure => {
    expect(JSON.stringify(renderFailure(failure))).not.toMatch(/ECONNREFUSED|postgres|10\.0\.0\.5/);
  });
});

describe('variables that are not set', () => {
  const failures = (local: boolean): Failure[] => {
    const unset = { variables: ['SECRET_KEY', 'JWT_SECRET or JWKS_URL'], local };
    return [
      { is: 'not set', unset },
      { is: 'credentials refused', message: 'x', unset },
    ];
  };
  const sentence = 'These variables are not set: SECRET_KEY, JWT_SECRET or JWKS_URL.';

  it.each(failures(false))('are named to who asks at this machine: $is', failure => {
    expect(renderFailure(failure, true).body).toMatchObject({
      details: sentence,
      hint: expect.stringContaining('npm run setup:dev'),
    });
  });

  it.each(failures(true))('are named to everyone by a worker on a developer’s machine: $is', failure => {
    expect(renderFailure(failure).body.details).toBe(sentence);
  });

  it.each(failures(false))('are named to nobody else: $is', failure => {
    expect(renderFailure(failure).body).toMatchObject({ details: null, hint: null });
  });

  it.each(failures(false))('are named in the log: $is', failure => {
    expect(loggedOf(failure).reason).toBe('not set: SECRET_KEY, JWT_SECRET or JWKS_URL');
  });
});

describe('the response to a failure', () => {
  const body = (failure: Failure) => renderFailure(failure).body;

  const other = { path: 'width', expected: 'a whole number', received: '"x"', sqlstate: '22P02' };
  const missing = { path: 'name', expected: 'a value', received: 'nothing', sqlstate: '23502' };
  const empty = { path: 'sport', expected: 'a value', received: 'null', sqlstate: '23502' };

  it('names every issue of a body in its details', () => {
    expect(body({ is: 'invalid fields', issues: [issue, other, missing] })).toMatchObject({
      code: '22P02',
      details:
        'Element 0: code must be a text; it is 5. width must be a whole number; it is "x". name is required.',
      hint: null,
    });
  });

  it.each([
    [[other], 'width must be a whole number'],
    [[missing], 'name is required'],
    [[empty], 'sport must not be null'],
    [[issue], 'Element 0: code must be a text'],
    [[missing, other], 'name is required, and 1 more field is invalid'],
    [[issue, missing, other], 'Element 0: code must be a text, and 2 more fields are invalid'],
    [Array(99).fill(other), 'width must be a whole number, and 98 more fields are invalid'],
    [Array(100).fill(other), 'width must be a whole number, and at least 99 more fields are invalid'],
  ])('names the first issue of a body in its message, and how many more there are', (issues, message) => {
    expect(body({ is: 'invalid fields', issues })).toMatchObject({ message });
  });

  it('has the path, the expected and the received value and a sentence for every invalid field', () => {
    const deep = { ...empty, row: 12, path: 'size_breakdown.M' };
    expect(body({ is: 'invalid fields', issues: [issue, deep] }).issues).toEqual([
      { path: '0.code', expected: 'a text', received: '5', message: 'code must be a text; it is 5.' },
      {
        path: '12.size_breakdown.M',
        expected: 'a value',
        received: 'null',
        message: 'size_breakdown.M must not be null.',
      },
    ]);
    expect(body({ is: 'unknown path' })).not.toHaveProperty('issues');
  });

  it('offers the nearest name of a function or collection, or else all of them', () => {
    const some = { name: 'x', known: ['quotes', 'graphics'], nearest: ['quotes'] };
    expect(body({ is: 'unknown collection', ...some }).hint).toBe('Perhaps you meant "quotes".');
    expect(body({ is: 'unknown function', ...some }).hint).toBe('Perhaps you meant "quotes".');
    const far = { ...some, nearest: [] };
    expect(body({ is: 'unknown collection', ...far }).hint).toBe('Known collections: quotes, graphics.');
    expect(body({ is: 'unknown function', ...far }).hint).toBe('Known functions: quotes, graphics.');
    expect(body({ is: 'unknown function', ...far, known: [] }).hint).toBeNull();
  });

  it('offers the nearest names', () => {
    const unknown = { collection: 'graphics', column: 'cod', nearest: ['code', 'name'] };
    expect(body({ is: 'unknown column', ...unknown }).hint).toBe(
      'Perhaps you meant the column "graphics.code" or the column "graphics.name".',
    );
    expect(body({ is: 'unknown body column', ...unknown }).hint).toBe("Perhaps you meant 'code' or 'name'.");
  });

  it("passes on the messages of the database's own rules", () => {
    const said = { message: 'draft → ordered', details: 'From here: submitted', hint: 'x' };
    const rendered = renderFailure({ is: 'database', sqlstate: 'PT409', ...said, authenticated: true });
    expect(rendered).toEqual({ status: 409, headers: {}, body: { code: 'PT409', ...said } });
  });

  it('has the headers of an unsatisfiable range', () => {
    const headers = { 'content-range': '*/10' };
    expect(renderFailure({ is: 'invalid range', details: 'x', headers }).headers).toEqual(headers);
  });

  it('names the methods that are allowed', () => {
    expect(renderFailure(every['unsupported method'][0]).headers).toEqual({ allow: 'GET' });
  });
});

describe('the status of an SQLSTATE', () => {
  it.each([
    ['23502', 400],
    ['23514', 400],
    ['22P02', 400],
    ['22003', 400],
    ['42703', 400],
    ['42P10', 400],
    ['P0001', 400],
    ['23503', 409],
    ['23505', 409],
    ['42P01', 404],
    ['42883', 404],
    ['25006', 405],
    ['25001', 500],
    ['28P01', 403],
    ['40001', 503],
    ['40P01', 503],
    ['40002', 500],
    ['42P17', 500],
    ['54001', 400],
    ['21000', 400],
    ['57014', 504],
    ['57P01', 503],
    ['53300', 503],
    ['53400', 500],
    ['08006', 503],
    ['55P03', 503],
    ['55000', 500],
    ['P0002', 500],
    ['XX000', 500],
    ['PT409', 409],
    ['PT402', 402],
    ['PT999', 400],
    ['PT40', 400],
  ])('%s is %i', (sqlstate, status) => {
    expect(statusOf(sqlstate)).toBe(status);
  });
});
