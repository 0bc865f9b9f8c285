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
  it.each([
    ...['name%5B0%5D=like.a*&name%5B1%5D=like.*b', 'name[1]=like.a*&name[1]=like.*b'],
    ...['name=like.a*&name[7]=like.*b', 'name[0][0][0]=like.a*&name[999][9]=like.*b'],
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
});

describe('a request is refused', () => {
  it.each([
    ['select=a,', 'select parameter'],
    ['select=name[0]', 'select parameter'],
    ['order=a.up', 'order'],
    ['order=name[0]', 'order'],
    ['columns=', 'columns parameter'],
    ['on_conflict=name[0]', 'on_conflict parameter'],
    ['code=EAGLE&limit=-1&select=a,', 'filter'],
    ['or=(name[0].eq.a)', 'logic tree'],
    ['name[x]=eq.a', 'tree path'],
    ['a(b=eq.1', 'tree path'],
  ])('at its first error, which names the parameter: %s', (query, parameter) => {
    expect(parse('GET', query)).toMatchObject({ failure: { is: 'unparsable', error: { parameter } } });
  });

  it.each([
    ['items.name=eq.1', { is: 'not embedded', name: 'items' }],
    ['items.or=(a.eq.1)', { is: 'not embedded', name: 'items' }],
    ['limit=-1', { is: 'invalid range' }],
    ['code=eq.%00', { is: 'nul character' }],
    ['select=%00', { is: 'nul character' }],
    ['a%00=eq.1', { is: 'nul character' }],
  ])('for its query string: %s', (query, failure) => {
    expect(parse('GET', query)).toMatchObject({ ok: false, failure });
  });

  it.each([
    ...['select=a,', 'order=a.up', 'columns=', 'on_conflict=,', 'code=in.1', 'or=()', 'a(b=eq.1'],
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

  it.each([
    ['GET', 'accept-profile', 'content-profile'],
    ['POST', 'content-profile', 'accept-profile'],
    ['DELETE', 'content-profile', 'accept-profile'],
  ] as const)('%s names its schema in %s, and %s is ignored', (method, heard, ignored) => {
    expect(parse(method, '', { [heard]: 'secret' }, '{}')).toMatchObject({
      failure: { is: 'unacceptable schema' },
    });
    expect(parse(method, '', { [heard]: 'public' }, '{}')).toMatchObject({ value: { profile: 'public' } });
    expect(parse(method, '', { [ignored]: 'secret' }, '{}').ok).toBe(true);
  });
});
