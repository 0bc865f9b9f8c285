import { describe, expect, it } from 'vitest';
import { describeParseError } from '../../functions/failure/parse-error.ts';
import type { Method } from '../../functions/request/request.ts';
import { parseRequest } from './parse.ts';

function parse(method: Method, query = '', headers: Record<string, string> = {}, body = '') {
  return parseRequest({ method, query, body, header: name => headers[name] ?? null });
}

const filter = (name: string, operation: object) => ({
  is: 'filter',
  field: { name, path: [] },
  negated: false,
  operation,
});

describe('a request', () => {
  it('without parameters asks for all rows and columns', () => {
    expect(parse('GET')).toEqual({
      ok: true,
      value: {
        method: 'GET',
        select: [{ is: 'all' }],
        conditions: [],
        order: [],
        range: { offset: 0 },
        preferences: { invalid: [] },
        mediaType: { is: 'json', nullsStripped: false },
      },
    });
  });

  it('is parsed from its query string, its headers and its body', () => {
    const request = parse(
      'POST',
      'select=code&columns=code,name&on_conflict=code',
      { prefer: 'return=representation', accept: 'text/csv', 'content-profile': 'builder' },
      '{"code":"A"}',
    );
    expect(request).toMatchObject({
      value: {
        select: [{ is: 'field', field: { name: 'code', path: [] } }],
        columns: ['code', 'name'],
        onConflict: ['code'],
        preferences: { return: 'representation' },
        mediaType: { is: 'csv' },
        profile: 'builder',
        body: { json: '{"code":"A"}' },
      },
    });
  });

  it('has a condition for every parameter without a reserved name', () => {
    expect(parse('GET', 'code=eq.A&code=neq.B&or=(name.is.null,width.gt.5)&limit=3')).toMatchObject({
      value: {
        conditions: [
          filter('code', { operator: 'eq', value: 'A' }),
          filter('code', { operator: 'neq', value: 'B' }),
          { is: 'or', conditions: [filter('name', { operator: 'is', value: 'null' }), expect.anything()] },
        ],
        range: { offset: 0, limit: 3 },
      },
    });
  });

  it.each([
    'name[0]=like.a*&name[1]=like.*b',
    'name%5B0%5D=like.a*&name%5B1%5D=like.*b',
    'name[1]=like.a*&name[1]=like.*b',
    'name=like.a*&name[7]=like.*b',
    'name[0][0]=like.a*&name[0][1]=like.*b',
    'name[0][0][0]=like.a*&name[999][9]=like.*b',
  ])('has several conditions of one column, whose parameters may be numbered: %s', query => {
    expect(parse('GET', query)).toMatchObject({
      value: {
        conditions: [
          filter('name', { operator: 'like', value: 'a*' }),
          filter('name', { operator: 'like', value: '*b' }),
        ],
      },
    });
  });

  it('has no number behind a reserved name, which then is a column', () => {
    expect(parse('GET', 'select[0]=eq.a&limit[1]=eq.1')).toMatchObject({
      value: {
        select: [{ is: 'all' }],
        conditions: [
          filter('select', { operator: 'eq', value: 'a' }),
          filter('limit', { operator: 'eq', value: '1' }),
        ],
        range: { offset: 0 },
      },
    });
  });

  it.each([
    ['select=a&select=b', { select: [{ field: { name: 'a' } }] }],
    ['order=a&order=b', { order: [{ field: { name: 'a' } }] }],
    ['columns=a&columns=b', { columns: ['a'] }],
    ['on_conflict=a&on_conflict=b', { onConflict: ['a'] }],
    ['limit=1&limit=2', { range: { limit: 2 } }],
    ['offset=1&offset=2', { range: { offset: 2 } }],
  ])('uses the first of two lists, and the last of two numbers: %s', (query, expected) => {
    expect(parse('GET', query)).toMatchObject({ value: expected });
  });

  it.each([
    ['GET', { offset: 2, limit: 3 }],
    ['HEAD', { offset: 0 }],
    ['PATCH', { offset: 0 }],
    ['DELETE', { offset: 0 }],
  ] as const)('with the method %s has the range %j for Range: 2-4', (method, range) => {
    expect(parse(method, '', { range: '2-4' }, '{}')).toMatchObject({ value: { range } });
  });

  it.each(['GET', 'HEAD', 'DELETE'] as const)('with the method %s has no body', method => {
    expect(parse(method, '', { 'content-type': 'text/plain' }, 'hello')).toMatchObject({ ok: true });
  });

  it.each(['POST', 'PATCH', 'PUT'] as const)('with the method %s needs a body', method => {
    expect(parse(method)).toMatchObject({ failure: { message: 'Empty or invalid json' } });
  });
});

describe('a request is refused', () => {
  it.each([
    ['select=a,', { is: 'unparsable', error: { parameter: 'select parameter' } }],
    ['order=a.up', { is: 'unparsable', error: { parameter: 'order' } }],
    ['columns=', { is: 'unparsable', error: { parameter: 'columns parameter' } }],
    ['on_conflict=,', { is: 'unparsable', error: { parameter: 'on_conflict parameter' } }],
    ['code=EAGLE', { is: 'unparsable', error: { parameter: 'filter' } }],
    ['or=()', { is: 'unparsable', error: { parameter: 'logic tree' } }],
    ['name[x]=eq.a', { is: 'unparsable', error: { parameter: 'tree path' } }],
    ['name[]=eq.a', { is: 'unparsable', error: { parameter: 'tree path' } }],
    ['or[0]=(name.eq.a)', { is: 'unparsable', error: { parameter: 'filter' } }],
    ['or=(name[0].eq.a)', { is: 'unparsable', error: { parameter: 'logic tree' } }],
    ['select=name[0]', { is: 'unparsable', error: { parameter: 'select parameter' } }],
    ['order=name[0]', { is: 'unparsable', error: { parameter: 'order' } }],
    ['columns=name[0]', { is: 'unparsable', error: { parameter: 'columns parameter' } }],
    ['on_conflict=name[0]', { is: 'unparsable', error: { parameter: 'on_conflict parameter' } }],
    ['a(b=eq.1', { is: 'unparsable', error: { parameter: 'tree path' } }],
    ['items.name=eq.1', { is: 'not embedded', name: 'items' }],
    ['items.or=(a.eq.1)', { is: 'not embedded', name: 'items' }],
    ['limit=-1', { is: 'invalid range' }],
    ['code=eq.%00', { is: 'nul character' }],
    ['select=%00', { is: 'nul character' }],
    ['a%00=eq.1', { is: 'nul character' }],
  ])('for its query string: %s', (query, failure) => {
    expect(parse('GET', query)).toMatchObject({ ok: false, failure });
  });

  it('for its first error', () => {
    expect(parse('GET', 'code=EAGLE&limit=-1&select=a,')).toMatchObject({
      failure: { error: { parameter: 'filter' } },
    });
  });

  it.each([
    'select=a,',
    'order=a.up',
    'columns=',
    'on_conflict=,',
    'code=in.1',
    'or=()',
    'a(b=eq.1',
  ])('with examples that are accepted: %s', query => {
    const request = parse('GET', query);
    const error = !request.ok && request.failure.is === 'unparsable' && request.failure.error;
    const hint = (error && describeParseError(error).hint) || '';
    const [, examples = '', quoted] =
      /^For example: (.*?)\.(?: Put a value with .* in double quotes: (.*)\.)?$/.exec(hint) ?? [];
    expect(examples).not.toBe('');
    for (const example of examples.split(/, | or /)) {
      expect(parse('GET', example)).toMatchObject({ ok: true });
    }
    expect(parse('GET', quoted ?? '')).toMatchObject({ ok: true });
  });

  it('for more than 200 conditions', () => {
    expect(parse('GET', Array(200).fill('a=eq.1').join('&')).ok).toBe(true);
    expect(parse('GET', Array(201).fill('a=eq.1').join('&'))).toMatchObject({
      failure: { is: 'too complex', what: 'filters', limit: 200 },
    });
  });

  it.each([
    ['select', 'columns to select', 100],
    ['order', 'columns to order by', 50],
    ['columns', 'columns in a list', 200],
    ['on_conflict', 'columns in a list', 200],
  ])('for too many columns in %s, without parsing the rest', (parameter, what, limit) => {
    expect(parse('POST', `${parameter}=${Array(limit).fill('a').join()}`, {}, '{}').ok).toBe(true);
    const columns = Array(limit + 1)
      .fill('a')
      .join();
    // The rest of the text is malformed, and is not read.
    for (const text of [columns, `${columns},,(`, `${columns},"`]) {
      expect(parse('POST', `${parameter}=${text}`, {}, '{}')).toMatchObject({
        failure: { is: 'too complex', what, limit },
      });
    }
  });

  it.each([
    [{ accept: 'text/html' }, { is: 'unacceptable media type', mediaTypes: ['text/html'] }],
    [{ 'accept-profile': 'pg_catalog' }, { is: 'unacceptable schema', schema: 'pg_catalog' }],
    [{ range: '5-2' }, { is: 'invalid range' }],
    [
      { prefer: 'handling=strict, nonsense, count=roughly' },
      { is: 'invalid preferences', preferences: ['nonsense', 'count=roughly'] },
    ],
  ])('for its headers: %j', (headers, failure) => {
    expect(parse('GET', '', headers as Record<string, string>)).toMatchObject({ ok: false, failure });
  });

  it.each(['a', '~!"', 'x'.repeat(255)])('not for the Idempotency-Key %j', key => {
    expect(parse('POST', '', { 'idempotency-key': key }, '{}')).toMatchObject({
      value: { idempotencyKey: key },
    });
  });

  it.each(['', 'a b', 'é', 'x'.repeat(256)])('for an invalid Idempotency-Key: %j', key => {
    expect(parse('POST', '', { 'idempotency-key': key }, '{}')).toMatchObject({
      failure: { is: 'unusable header', header: 'Idempotency-Key' },
    });
  });

  it('for an unknown preference only with handling=strict', () => {
    expect(parse('GET', '', { prefer: 'handling=lenient, nonsense' }).ok).toBe(true);
    expect(parse('GET', '', { prefer: 'nonsense' }).ok).toBe(true);
  });

  it.each([
    ['GET', 'accept-profile', 'content-profile'],
    ['HEAD', 'accept-profile', 'content-profile'],
    ['POST', 'content-profile', 'accept-profile'],
    ['PATCH', 'content-profile', 'accept-profile'],
    ['DELETE', 'content-profile', 'accept-profile'],
  ] as const)('%s names its schema in %s, and %s is ignored', (method, heard, ignored) => {
    expect(parse(method, '', { [heard]: 'secret' }, '{}')).toMatchObject({
      failure: { is: 'unacceptable schema' },
    });
    expect(parse(method, '', { [heard]: 'public' }, '{}')).toMatchObject({ value: { profile: 'public' } });
    expect(parse(method, '', { [ignored]: 'secret' }, '{}').ok).toBe(true);
  });
});
