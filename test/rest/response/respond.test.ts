/** What becomes of a plan and the rows of its statement: status, headers and body. */
import { describe, expect, it } from 'vitest';
import { respond } from '../../../functions/rest/response/response.ts';
import type { StatementRow } from '../../../functions/rest/statement/statement-row.ts';
import { quotes } from '../../../schema/quotes.ts';
import { id, planned, quote, staff, type TestRequest } from '../plan/plan-of.ts';

/** The response to a request whose statement returns these rows, or the failure. */
function responseTo(request: Partial<TestRequest>, ...rows: StatementRow[]) {
  const plan = planned({ as: staff, of: quotes, ...request });
  const url = `https://api.test/rest/v1/quotes?${request.query ?? ''}`;
  const response = respond(plan, rows, url);
  return response.ok ? response.value : response.failure;
}

const prefer = (...preferences: string[]) => ({ headers: { prefer: preferences.join(', ') } });
const counted = prefer('count=exact');
const byKey = `id=eq.${id}`;

describe('the response to a read', () => {
  it('fails behind the end, and says where that is', () => {
    expect(responseTo({ ...counted, query: 'offset=6' }, { page_total: '0', total: '5' })).toEqual({
      is: 'invalid range',
      details: 'An offset of 6 was requested, but there are only 5 rows.',
      headers: { 'content-range': '*/5', 'preference-applied': 'count=exact' },
    });
  });

  it('has no body for no rows of CSV', () => {
    const request = { query: byKey, headers: { accept: 'text/csv' } };
    expect(responseTo(request, { page_total: '0' })).toMatchObject({ body: '' });
  });

  it('names the preferences that its method takes', () => {
    const values = 'missing=default, return=minimal, count=exact, tx=commit, handling=strict, max-affected=5';
    const appliedTo = (request: Partial<TestRequest>) =>
      responseTo({ ...prefer(values), ...request }, { page_total: '1' });
    const headers = (applied: string) => ({ headers: { 'preference-applied': applied } });
    expect(appliedTo({})).toMatchObject(headers('count=exact, tx=commit, handling=strict'));
    const patch = { method: 'PATCH', query: byKey, body: { sport: 'x' } } as const;
    expect(appliedTo(patch)).toMatchObject(headers(values));
    expect(appliedTo({ ...patch, ...prefer('max-affected=5') })).not.toHaveProperty(
      'headers.preference-applied',
    );
  });
});

describe('the response to a write', () => {
  const post = { method: 'POST', body: quote } as const;
  const patch = { method: 'PATCH', query: 'sport=eq.golf', body: { sport: 'polo' } } as const;
  const rows = 'return=representation';

  it('names the new row in a Location where headers alone were asked for', () => {
    const headersOnly = { ...post, ...prefer('return=headers-only') };
    expect(responseTo(headersOnly, { key: 'a&b' })).toMatchObject({
      headers: { location: '/quotes?id=eq.a%26b' },
    });
    expect(responseTo(headersOnly, { key: null })).not.toHaveProperty('headers.location');
    expect(responseTo({ ...post, ...prefer(rows) }, { key: 'a' })).not.toHaveProperty('headers.location');
  });

  it('has a body and its schema only where rows were asked for', () => {
    const profile = { 'content-profile': 'builder' };
    const row = { body: '[{}]', page_total: '1' };
    expect(responseTo({ ...patch, headers: { ...profile, prefer: rows } }, row)).toMatchObject({
      headers: profile,
      body: '[{}]',
    });
    const silent = { status: 204, headers: { 'content-range': '0-0/*' }, body: null, rows: 1 };
    expect(responseTo({ ...patch, headers: profile }, row)).toEqual(silent);
  });
});

describe('the link to the next page', () => {
  function linkOf(query: string, last: string | null, more = 'true'): string | undefined {
    const response = responseTo({ query }, { page_total: '2', more, last });
    const link = 'headers' in response ? response.headers?.['link'] : undefined;
    return link && decodeURIComponent(/^<\/rest\/v1\/quotes\?(.*)>; rel="next"$/.exec(link)?.[1] ?? link);
  }
  const behind = (sport: string) => `and=(sport.gte."${sport}",or(sport.gt."${sport}",id.gt."5"))`;

  it('has every parameter once, and those of the client as they were', () => {
    const filters = 'id=lt.9&sport=eq.limit=3&or=(sport.eq.a,id.is.null)';
    expect(linkOf(`order=id&id=gt.1&${filters}&limit=2`, '["5"]')).toBe(
      `order=id&${filters}&id=gt.5&limit=2`,
    );
    const earlier = encodeURIComponent(behind('a"b').slice(4).replaceAll('a"b', 'a\\"b'));
    expect(linkOf(`order=sport&and=${earlier}&or=(sport.eq.a,id.is.null)&limit=2`, '["golf","5"]')).toBe(
      `order=sport&or=(sport.eq.a,id.is.null)&${behind('golf')}&limit=2`,
    );
    expect(linkOf('order=id;;%6Cimit=2;offset=3', '["5"]')).toBe('order=id&id=gt.5&limit=2');
  });

  it('is not there behind the last row, nor for pages without rows', () => {
    expect(linkOf('order=id&limit=2', '["5"]', 'false')).toBeUndefined();
    expect(linkOf('order=id&limit=0', null)).toBeUndefined();
  });
});
