/** What a request's query string and headers mean where test/conformance has no recorded answer. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeParseError } from '../../../functions/common/failure/parse-error.ts';
import { contentType, type MediaType, negotiate } from '../../../functions/rest/request/media-type.ts';
import { parsePreferences } from '../../../functions/rest/request/preferences.ts';
import { parseQueryString } from '../../../functions/rest/request/query-string.ts';
import { parseRange } from '../../../functions/rest/request/range.ts';
import type { Method } from '../../../functions/rest/request/request.ts';
import { anyText } from '../../setup/any-text.ts';
import { parseRequest } from './parse.ts';

function parse(method: Method, query = '', headers: Record<string, string> = {}, body = '') {
  return parseRequest({ method, query, body, header: name => headers[name] ?? null });
}

const like = (value: string) => ({ field: { name: 'name' }, operation: { operator: 'like', value } });

describe('a request', () => {
  it.each([
    ...['name%5B0%5D=like.a*&name%5B1%5D=like.*b', 'name[1]=like.a*&name[1]=like.*b'],
    ...['name=like.a*&name[7]=like.*b', 'name[0][0][0]=like.a*&name[999][9]=like.*b'],
  ])('has several conditions of one column, whose parameters may be numbered: %s', query => {
    expect(parse('GET', query)).toMatchObject({ value: { conditions: [like('a*'), like('*b')] } });
  });

  it.each([
    ['select=a&select=b', { select: [{ field: { name: 'a' } }] }],
    ['columns=a&columns=b', { columns: ['a'] }],
    ['offset=1&offset=2', { range: { offset: 2 } }],
  ])('uses the first of two lists, and the last of two numbers: %s', (query, expected) => {
    expect(parse('GET', query)).toMatchObject({ value: expected });
  });
});

describe('a request is refused', () => {
  it.each([
    ['select=a,', 'select'],
    ['select=name[0]', 'select'],
    ['order=a.up', 'order'],
    ['columns=', 'columns'],
    ['code=EAGLE&limit=-1&select=a,', 'filter'],
    ['or=(name[0].eq.a)', 'conditions'],
    ['name[x]=eq.a', 'name'],
  ])('at its first error: %s', (query, grammar) => {
    expect(parse('GET', query)).toMatchObject({ failure: { is: 'unparsable', error: { grammar } } });
  });

  it.each([
    ['limit=-1', { is: 'invalid range' }],
    ['code=eq.%00', { is: 'nul character', name: 'code' }],
    ['select=%00', { is: 'nul character', name: 'select' }],
    ['a%00=eq.1', { is: 'nul character', name: 'a\0' }],
  ])('for its query string: %s', (query, failure) => {
    expect(parse('GET', query)).toMatchObject({ ok: false, failure });
  });

  it.each([
    ...['select=a,', 'order=a.up', 'columns=', 'on_conflict=,', 'code=in.1', 'or=()', 'a(b=eq.1'],
  ])('with examples that are accepted: %s', query => {
    const request = parse('GET', query);
    const error = !request.ok && request.failure.is === 'unparsable' && request.failure.error;
    const hint = (error && describeParseError('', error).hint) || '';
    const [, examples = '', quoted] =
      /^For example: (.*?)\.(?: Put a value with .* in double quotes: (.*)\.)?$/.exec(hint) ?? [];
    expect(examples).not.toBe('');
    for (const example of examples.split(/, | or /)) {
      expect(parse('GET', example)).toMatchObject({ ok: true });
    }
    expect(parse('GET', quoted ?? '')).toMatchObject({ ok: true });
  });

  it.each([
    ['GET', 'accept-profile', 'content-profile'],
    ['POST', 'content-profile', 'accept-profile'],
  ] as const)('%s names its schema in %s, and %s is ignored', (method, heard, ignored) => {
    const unacceptable = { failure: { is: 'unacceptable schema' } };
    expect(parse(method, '', { [heard]: 'secret' }, '{}')).toMatchObject(unacceptable);
    expect(parse(method, '', { [heard]: 'public' }, '{}')).toMatchObject({ value: { profile: 'public' } });
    expect(parse(method, '', { [ignored]: 'secret' }, '{}').ok).toBe(true);
  });
});

describe('a query string', () => {
  it.each([
    ['a=1;b=2', 'a:1|b:2'],
    ['=a', ':a'],
    ['a=b=c&&a', 'a:b=c'],
    ['a+b=c+d', 'a b:c d'],
    ['a=%zz+x', 'a:%zz x'],
    ['a=%41%', 'a:A%'],
    ['a=%FF', 'a:\uFFFD'],
  ])('is split and decoded, with invalid escapes kept: %s', (text, parameters) => {
    const read = parseQueryString(text).map(({ name, value }) => `${name}:${value}`);
    expect(read.join('|')).toBe(parameters);
  });

  it('has any names and values that were encoded', () => {
    const text = anyText();
    fc.assert(
      fc.property(fc.array(fc.record({ name: text, value: text })), parameters => {
        const encoded = parameters.map(p => `${encodeURIComponent(p.name)}=${encodeURIComponent(p.value)}`);
        expect(parseQueryString(encoded.join('&'))).toEqual(parameters);
      }),
    );
  });
});

describe('the range of a page', () => {
  const page = (offset: number, limit?: number) => ({ offset, ...(limit !== undefined && { limit }) });
  it.each([
    [' 3 ', undefined, undefined, page(0, 3)],
    [undefined, undefined, '-5', page(0)],
    [undefined, undefined, '0-2,4-6', page(0)],
    ['5', undefined, '2-', page(2, 3)],
    [undefined, '4', '9-', page(9)],
  ])('is the intersection of limit=%s, offset=%s and Range: %s', (limit, offset, header, value) => {
    expect(parseRange(limit, offset, header)).toEqual({ ok: true, value });
  });

  it('is refused when limit and header have no row in common', () => {
    const details = 'Limit, offset and the Range header have no row in common.';
    const failure = { is: 'invalid range', details };
    expect(parseRange('2', undefined, '5-9')).toEqual({ ok: false, failure });
  });
});

describe('the Prefer header', () => {
  it.each([
    ['return=minimal,count=exact ,, tx=rollback', { return: 'minimal', count: 'exact', tx: 'rollback' }],
    ['count=exact, count=planned', { count: 'exact' }],
    ['max-affected=1, max-affected=2', { maxAffected: 1 }],
    ['max-affected=1.5, timezone=UTC, timezone=Asia/Tokyo', { timezone: 'UTC' }],
  ])('may have several preferences, of which the first of two counts: %s', (header, preferences) => {
    expect(parsePreferences(header)).toEqual({ ...preferences, invalid: [] });
  });

  it.each([
    ...['count=roughly', 'Return=minimal', 'constructor=x', '__proto__=x', 'invalid=x', 'timezone'],
  ])('keeps an unknown preference as it was written: %s', preference => {
    expect(parsePreferences(`${preference}, count=exact`)).toEqual({ count: 'exact', invalid: [preference] });
  });
});

describe('the Accept header', () => {
  const json: MediaType = { is: 'json', nullsStripped: false };
  const csv: MediaType = { is: 'csv' };
  const plan: MediaType = { is: 'plan', format: 'text', options: [], rows: json };

  it.each<[string, MediaType]>([
    ['application/vnd.pgrst.object+json; nulls="stripped"', { is: 'object', nullsStripped: true }],
    ['*/*, text/csv', csv],
    ['application/json;q=0, text/csv;q=0.1', csv],
    ['text/csv;q=high, application/json;q=0.9', csv],
    ['text/html;title="a,b;c", text/csv', csv],
    ['application/vnd.pgrst.plan; for="text/csv"', { ...plan, rows: csv }],
    ['application/vnd.pgrst.plan+text; options=wal|analyze|x', { ...plan, options: ['analyze', 'wal'] }],
  ])('means the best of the available media types: %s', (accept, mediaType) => {
    expect(negotiate(accept)).toEqual({ ok: true, value: mediaType });
  });

  it.each([
    ['text/html, image/png;q=0.5', ['text/html', 'image/png']],
    ['application/json;q=0', ['application/json']],
    ['application/vnd.pgrst.plan+json; for="text/html, image/png"', ['application/vnd.pgrst.plan+json']],
  ])('is refused when none of its media types is available: %s', (accept, mediaTypes) => {
    expect(negotiate(accept)).toEqual({ ok: false, failure: { is: 'unacceptable media type', mediaTypes } });
  });

  it('of a plan is answered with the explained media type', () => {
    expect(contentType({ ...plan, options: ['analyze', 'wal'], rows: csv })).toBe(
      'application/vnd.pgrst.plan+text; for="text/csv"; options=analyze|wal; charset=utf-8',
    );
  });
});
