import { describe, expect, it } from 'vitest';
import { renderFailure } from '../../../functions/common/failure/render-failure.ts';
import { statusOf } from '../../../functions/common/failure/sqlstates.ts';

describe('a failure', () => {
  it('cannot inject text into WWW-Authenticate, nor expose the reason of a failure of the service', () => {
    const { headers } = renderFailure({ is: 'credentials refused', message: 'a"b\\c' });
    expect(headers['www-authenticate']).toBe('Bearer error="invalid_token", error_description="abc"');
    const reason = 'connect ECONNREFUSED postgres://builder_api:pw@10.0.0.5';
    for (const is of ['database unavailable', 'misconfigured'] as const) {
      expect(JSON.stringify(renderFailure({ is, reason }))).not.toMatch(/ECONNREFUSED|postgres|10\.0\.0\.5/);
    }
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
