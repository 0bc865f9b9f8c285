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

type Row<K> = [failure: Omit<Extract<Failure, { is: K }>, 'is'>, status: number, code: string];
/** A failure of every kind, with its status and code. The compiler reports a missing one. */
const every: { [K in Failure['is']]: Row<K> } = {
  unparsable: [{ error }, 400, 'PGRST100'],
  'too complex': [{ what: 'filters', limit: 200 }, 400, 'PGRST100'],
  'invalid body': [{ message: 'Empty or invalid json' }, 400, 'PGRST102'],
  'invalid fields': [{ issues: [issue] }, 400, '22P02'],
  'invalid range': [{ details: 'x' }, 416, 'PGRST103'],
  'unacceptable schema': [{ schema: 'x', exposed: ['public'] }, 406, 'PGRST106'],
  'unacceptable media type': [{ mediaTypes: ['a/b'] }, 406, 'PGRST107'],
  'nul character': [{}, 400, '22021'],
  'not embedded': [{ name: 'items' }, 400, 'PGRST108'],
  'unusable name': [{ name: 'x' }, 400, '42622'],
  'put filters': [{}, 405, 'PGRST105'],
  'put range': [{}, 400, 'PGRST114'],
  'put key mismatch': [{}, 400, 'PGRST115'],
  'not singular': [{ rows: '0' }, 406, 'PGRST116'],
  'unsupported method': [{ method: 'TRACE', allow: 'GET' }, 405, 'PGRST117'],
  'unknown path': [{}, 404, 'PGRST125'],
  'other service': [{ service: 'storage' }, 404, 'PGRST125'],
  'not own request': [{}, 403, 'PT403'],
  'unknown collection': [{ name: 'x', known: ['quotes'], nearest: [] }, 404, 'PGRST205'],
  'unknown function': [{ name: 'x', known: [], nearest: [] }, 404, 'PGRST202'],
  'function arguments': [{ name: 'x', takes: 'no arguments' }, 404, 'PGRST202'],
  'function method': [{ method: 'GET', allow: 'POST' }, 405, 'PGRST101'],
  'forbidden function': [{ name: 'x' }, 401, '42501'],
  'deleted row': [{}, 409, '23505'],
  'taken key': [{}, 409, '23505'],
  'precondition failed': [{}, 412, 'PT412'],
  'unusable header': [{ header: 'If-Match', details: 'x' }, 400, 'PT400'],
  'row not found': [{ collection: 'x' }, 404, 'PT404'],
  'rows missing': [{ found: '1' }, 404, 'PT404'],
  'invalid preferences': [{ preferences: ['x'] }, 400, 'PGRST122'],
  'max affected': [{ rows: '2' }, 400, 'PGRST124'],
  embedding: [{ collection: 'quotes', name: 'items' }, 400, 'PGRST200'],
  'unknown column': [{ collection: 'quotes', column: 'x', nearest: [] }, 400, '42703'],
  'unknown body column': [{ collection: 'quotes', column: 'x', nearest: [] }, 400, 'PGRST204'],
  'unknown configuration': [{ name: 'klingon' }, 400, '42704'],
  'unknown type': [{ name: 'x', known: ['text'] }, 400, '42704'],
  'forbidden table': [{ collection: 'quotes', authenticated: true }, 403, '42501'],
  'forbidden fields': [
    { collection: 'quotes', fields: [{ path: 'x' }], action: 'set', authenticated: true },
    403,
    '42501',
  ],
  'unreadable column': [{ collection: 'quotes', column: 'x', authenticated: true }, 403, '42501'],
  unfiltered: [{ verb: 'DELETE' }, 400, '21000'],
  'credentials missing': [{ what: 'apikey header' }, 401, 'PGRST302'],
  'credentials refused': [{ message: 'x' }, 401, 'PGRST301'],
  'claims refused': [{ message: 'JWT expired' }, 401, 'PGRST303'],
  'secret in browser': [{ kind: 'service' }, 401, 'PT401'],
  'read key': [{ refused: 'write' }, 403, '42501'],
  'rate limited': [{ reason: 'RATE_LIMIT' }, 429, 'PT429'],
  'no upgrade': [{}, 426, 'PT426'],
  'too many sockets': [{ of: 'a caller', limit: 200 }, 429, 'ConnectionRateLimitReached'],
  'too many channels': [{ limit: 100 }, 400, 'ChannelRateLimitReached'],
  'url too long': [{}, 414, 'PT414'],
  'header too long': [{}, 431, 'PT431'],
  'keys unavailable': [{ reason: 'JWKS_TIMEOUT' }, 503, 'PGRST301'],
  'encoded body': [{ encoding: 'gzip' }, 415, 'PT415'],
  'body too large': [{}, 413, 'PGRST102'],
  'body too slow': [{}, 408, 'PT408'],
  'response too large': [{ limit: '16777216' }, 400, '54000'],
  database: [{ ...refused, authenticated: true }, 403, '42501'],
  'database unavailable': [{ reason: 'ECONNREFUSED' }, 503, 'PGRST001'],
  'disk full': [{ reason: 'the disk of the database is full' }, 503, '53100'],
  'read replica': [{}, 405, '25006'],
  'too many at once': [{}, 429, 'PT429'],
  overloaded: [{ reason: 'BODIES_FULL' }, 503, 'PT503'],
  'invalid value': [{ sqlstate: '22007', message: 'x' }, 400, '22007'],
  'not set': [{ unset: { variables: ['SECRET_KEY'], local: false } }, 500, 'PGRSTX00'],
  misconfigured: [{ reason: 'neither is bound' }, 500, 'PGRSTX00'],
  crash: [{}, 500, 'PGRSTX00'],
};
const failures = Object.entries(every).map(([is, [more, status, code]]) => ({
  failure: { is, ...more } as Failure,
  is,
  status,
  code,
}));
const withStatus = (...wanted: number[]): Failure[] =>
  failures.filter(({ status }) => wanted.includes(status)).map(({ failure }) => failure);
const failureOf = (is: Failure['is']): Failure => failures.find(one => one.is === is)?.failure as Failure;

describe('a failure', () => {
  it.each(failures)('has a status, and a body of four fields, with its issues if there are any: $is', ({
    failure,
    status,
    code,
  }) => {
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

  it.each(withStatus(503, 429))('that is temporary has Retry-After: $is', failure => {
    expect(renderFailure(failure).headers['retry-after']).toMatch(/^\d+$/);
  });

  it.each([
    'forbidden table',
    'unreadable column',
    'database',
  ] as const)('that signing in may fix is 401: %s', is => {
    const failure = failureOf(is);
    const { status, headers } = renderFailure({ ...failure, authenticated: false } as Failure);
    expect({ status, headers }).toEqual({ status: 401, headers: { 'www-authenticate': 'Bearer' } });
  });

  it('says that the database is read-only, not that it is away', () => {
    const { status, body } = renderFailure({ is: 'database unavailable', reason: '25006' });
    expect(status).toBe(503);
    expect(body).toMatchObject({ code: 'PGRST001', message: expect.stringContaining('read-only') });
  });

  it('cannot inject text into WWW-Authenticate, nor expose the reason of a failure of the service', () => {
    const { headers } = renderFailure({ is: 'credentials refused', message: 'a"b\\c' });
    expect(headers['www-authenticate']).toBe('Bearer error="invalid_token", error_description="abc"');
    const reason = 'connect ECONNREFUSED postgres://builder_api:pw@10.0.0.5';
    for (const is of ['database unavailable', 'misconfigured'] as const) {
      expect(JSON.stringify(renderFailure({ is, reason }))).not.toMatch(/ECONNREFUSED|postgres|10\.0\.0\.5/);
    }
  });
});

it("an error of the grammar has PostgREST's words", () => {
  const { message, details } = renderFailure({ is: 'unparsable', error }).body;
  expect([message, details]).toEqual([
    '"failed to parse filter (x)" (line 1, column 1)',
    'unexpected "x" expecting "not"',
  ]);
});

describe('variables that are not set', () => {
  const failures = (local: boolean): Failure[] => {
    const unset = { variables: ['SECRET_KEY', 'JWT_SECRET or JWKS_URL'], local };
    return [
      { is: 'not set', unset },
      { is: 'credentials refused', message: 'x', unset },
    ];
  };
  const named = { details: expect.stringContaining('SECRET_KEY, JWT_SECRET or JWKS_URL') };

  it('are named in the log, to who asks at this machine, and to everyone by a local worker, but to nobody else', () => {
    for (const failure of failures(false)) {
      expect(renderFailure(failure).body).toMatchObject({ details: null, hint: null });
      expect(renderFailure(failure, true).body).toMatchObject(named);
      expect(loggedOf(failure).reason).toBe('not set: SECRET_KEY, JWT_SECRET or JWKS_URL');
    }
    for (const failure of failures(true)) {
      expect(renderFailure(failure).body).toMatchObject(named);
    }
  });
});

describe('the response to a failure', () => {
  const body = (failure: Failure) => renderFailure(failure).body;

  const other = { path: 'width', expected: 'a whole number', received: '"x"', sqlstate: '22P02' };
  const missing = { path: 'name', expected: 'a value', received: 'nothing', sqlstate: '23502' };
  const empty = { path: 'sport', expected: 'a value', received: 'null', sqlstate: '23502' };

  it.each([
    [[missing], 'name is required'],
    [[empty], 'sport must not be null'],
    [[issue], 'Element 0: code must be a text'],
    [[issue, missing, other], 'Element 0: code must be a text, and 2 more fields are invalid'],
    [Array(99).fill(other), 'width must be a whole number, and 98 more fields are invalid'],
    [Array(100).fill(other), 'width must be a whole number, and at least 99 more fields are invalid'],
  ])('names the first issue of a body in its message, and how many more there are', (issues, message) => {
    expect(body({ is: 'invalid fields', issues })).toMatchObject({ message });
  });

  it('has the path, the expected and the received value and a sentence for every invalid field', () => {
    const deep = { ...empty, row: 12, path: 'size_breakdown.M' };
    const { issues, details } = body({ is: 'invalid fields', issues: [issue, deep] });
    expect(issues).toEqual([
      { path: '0.code', expected: 'a text', received: '5', message: 'code must be a text; it is 5.' },
      { path: '12.size_breakdown.M', expected: 'a value', received: 'null', message: expect.any(String) },
    ]);
    expect(details).toMatch(
      /^Element 0: code must be a text; it is 5\. .*size_breakdown\.M must not be null\.$/,
    );
  });

  it('offers the nearest name of a function, collection or column, or else all that there are', () => {
    const some = { name: 'x', known: ['quotes', 'graphics'], nearest: ['quotes'] };
    const far = { ...some, nearest: [] };
    for (const is of ['unknown collection', 'unknown function'] as const) {
      expect(body({ is, ...some }).hint).toContain('"quotes"');
      expect(body({ is, ...far }).hint).toContain('quotes, graphics');
    }
    const unknown = { collection: 'graphics', column: 'cod', nearest: ['code', 'name'] };
    expect(body({ is: 'unknown column', ...unknown }).hint).toMatch(/"graphics.code".*"graphics.name"/);
    expect(body({ is: 'unknown body column', ...unknown }).hint).toMatch(/'code' or 'name'/);
  });

  it("passes on the messages of the database's own rules", () => {
    const said = { message: 'draft → ordered', details: 'From here: submitted', hint: 'x' };
    const rendered = renderFailure({ is: 'database', sqlstate: 'PT409', ...said, authenticated: true });
    expect(rendered).toEqual({ status: 409, headers: {}, body: { code: 'PT409', ...said } });
  });
});

it.each([
  [400, '23502 22P02 42P10 P0001 54001 21000 PT999 PT40'],
  [402, 'PT402'],
  [403, '28P01'],
  [404, '42P01 42883'],
  [405, '25006'],
  [409, '23503 23505 PT409'],
  [500, '25001 40002 42P17 53400 55000 P0002 XX000'],
  [503, '40001 40P01 57P01 53300 08006 55P03'],
  [504, '57014'],
])('the status is %i for the SQLSTATEs %s', (status, sqlstates) => {
  for (const sqlstate of sqlstates.split(' ')) {
    expect([sqlstate, statusOf(sqlstate)]).toEqual([sqlstate, status]);
  }
});
