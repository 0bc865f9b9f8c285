import { describe, expect, it } from 'vitest';
import type { Failure } from '../../../functions/common/failure/failure.ts';
import { loggedOf, renderFailure } from '../../../functions/common/failure/render-failure.ts';
import { statusOf } from '../../../functions/common/failure/sqlstates.ts';
import { failureOf } from '../../../functions/database/failure-of.ts';

const issue = { row: 0, path: 'code', expected: 'a text', received: '5', sqlstate: '22P02' };

describe('a failure', () => {
  // Those that no service test meets.
  it.each<[Failure, status: number, code: string, headers: object]>([
    [{ is: 'nul character', name: 'a' }, 400, '22021', {}],
    [{ is: 'too many at once' }, 429, 'PT429', { 'retry-after': '1' }],
    [{ is: 'overloaded', reason: 'BODIES_FULL' }, 503, 'PT503', { 'retry-after': '1' }],
    [{ is: 'misconfigured', reason: 'neither is bound' }, 500, 'PGRSTX00', {}],
    [{ is: 'crash' }, 500, 'PGRSTX00', {}],
  ])('has a status, and a body of four fields: %j', (failure, status, code, headers) => {
    const { body, ...rendered } = renderFailure(failure);
    expect(rendered).toEqual({ status, headers });
    const { details, hint } = body;
    expect(body).toStrictEqual({ code, message: expect.stringMatching(/./), details, hint });
  });

  it.each<Failure>([
    { is: 'forbidden table', collection: 'quotes', authenticated: false },
    { is: 'unreadable column', collection: 'quotes', column: 'x', authenticated: false },
    { is: 'database', sqlstate: '42501', message: 'permission denied', authenticated: false },
  ])('that signing in may fix is 401: $is', failure => {
    const { status, headers } = renderFailure(failure);
    expect({ status, headers }).toEqual({ status: 401, headers: { 'www-authenticate': 'Bearer' } });
  });

  it('says that the database is read-only, not that it is away', () => {
    const readOnly = { is: 'refused', sqlstate: '25006', message: 'cannot execute UPDATE' } as const;
    const { status, body } = renderFailure(failureOf(readOnly, undefined));
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

it('variables that are not set are named in the log, to who asks at this machine, and to everyone by a local worker', () => {
  const variables = ['SECRET_KEY', 'JWT_SECRET or JWKS_URL'];
  const named = { details: expect.stringContaining('SECRET_KEY, JWT_SECRET or JWKS_URL') };
  for (const failure of [{ is: 'not set' }, { is: 'credentials refused', message: 'x' }] as const) {
    const deployed: Failure = { ...failure, unset: { variables, local: false } };
    expect(renderFailure(deployed).body).toMatchObject({ details: null, hint: null });
    expect(renderFailure(deployed, true).body).toMatchObject(named);
    expect(loggedOf(deployed).reason).toBe('not set: SECRET_KEY, JWT_SECRET or JWKS_URL');
    const local: Failure = { ...failure, unset: { variables, local: true } };
    expect(renderFailure(local).body).toMatchObject(named);
  }
});

describe('the response to a failure', () => {
  const body = (failure: Failure) => renderFailure(failure).body;

  const other = { path: 'width', expected: 'a whole number', received: '"x"', sqlstate: '22P02' };
  const missing = { path: 'name', expected: 'a value', received: 'nothing', sqlstate: '23502' };

  it.each([
    [[missing], 'name is required'],
    [[issue, missing, other], 'Element 0: code must be a text, and 2 more fields are invalid'],
    [Array(100).fill(other), 'width must be a whole number, and at least 99 more fields are invalid'],
  ])('names the first issue of a body in its message, and how many more there are', (issues, message) => {
    expect(body({ is: 'invalid fields', issues })).toMatchObject({ message });
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
  [403, '42501'],
  [404, '42P01 42883'],
  [409, '23503 23505 PT409'],
  [500, '25001 42P17 55000 P0002 XX000'],
  [503, '40001 40P01 57P01 53300 08006 55P03'],
  [504, '57014'],
])('the status is %i for the SQLSTATEs %s', (status, sqlstates) => {
  for (const sqlstate of sqlstates.split(' ')) {
    expect([sqlstate, statusOf(sqlstate)]).toEqual([sqlstate, status]);
  }
});
