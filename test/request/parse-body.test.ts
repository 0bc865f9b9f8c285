import { describe, expect, it } from 'vitest';
import { fingerprintOf, parseBody } from '../../functions/request/parse-body.ts';

const invalid = (message: string) => ({ ok: false, failure: { is: 'invalid body', message } });

describe('a JSON body', () => {
  it.each([
    ...[null, '', 'application/json; charset=utf-8', 'Application/JSON', 'application/vnd.pgrst.array+json'],
  ])('is parsed for the Content-Type %j', contentType => {
    expect(parseBody(contentType, '{"a":1}')).toEqual({
      ok: true,
      value: { json: '{"a":1}', isArray: false, rows: [{ a: 1 }] },
    });
  });

  it('keeps the client’s order, spaces and numbers', () => {
    const text = ' [ {"b": 12345678901234567890,\n "a": 1.50} ] ';
    expect(parseBody(null, text)).toMatchObject({ value: { json: text, isArray: true } });
  });

  it.each([
    ['{"a":1}{"b":2}', 'Empty or invalid json'],
    ['{"a":NaN}', 'Empty or invalid json'],
    ['null', 'The body must be an object or an array of objects'],
  ])('is refused when it is malformed, or no row: %j', (text, message) => {
    expect(parseBody('application/json', text)).toMatchObject(invalid(message));
  });

  it('with an element that is not a row gets an error with its index', () => {
    expect(parseBody(null, '[{"a":1},{"a":2},[]]')).toMatchObject({
      failure: { is: 'invalid body', details: 'Element 2 of the array is not an object.' },
    });
  });

  it('treats __proto__ as an ordinary key', () => {
    const body = parseBody(null, '{"__proto__":{"a":1}}');
    expect(body.ok && Object.keys(body.value.rows[0] ?? {})).toEqual(['__proto__']);
  });
});

describe('a body of another type', () => {
  it('is refused when it is JSON with the Content-Type of a form, but may have brackets in a value', () => {
    const send = (text: string) => parseBody('application/x-www-form-urlencoded', text);
    expect(send(' [{"name":"x"}]')).toMatchObject({ failure: { details: 'Send JSON as application/json.' } });
    expect(send('name=[A]')).toMatchObject({ value: { rows: [{ name: '[A]' }] } });
  });

  it('is refused with its Content-Type, without the parameters', () => {
    for (const type of ['text/html', 'multipart/form-data', 'application/jsonx']) {
      expect(parseBody(`${type}; boundary=x`, 'hello')).toMatchObject(
        invalid(`Content-Type not acceptable: ${type}`),
      );
    }
  });

  it.each([
    null,
    'text/csv',
    'application/x-www-form-urlencoded',
  ])('cannot contain a NUL character, whatever its Content-Type: %j', contentType => {
    expect(parseBody(contentType, 'a=\0')).toEqual(invalid('The body contains a NUL character'));
  });
});

const url = 'https://api.test/rest/v1/quotes?select=id';
const headers = { prefer: 'return=minimal', accept: 'application/json', 'content-type': 'application/json' };
const of = (at = url, more: Record<string, string> = {}, body = '{"a":1}') =>
  fingerprintOf(new Request(at, { method: 'POST', headers: { ...headers, ...more } }), body);

describe('the fingerprint of a request', () => {
  it('is the same for a retry, whatever its other headers', () => {
    const retry = { 'x-retry-count': '2', authorization: 'Bearer new', 'x-request-id': 'r2' };
    expect(of('https://other-host.test/rest/v1/quotes?select=id', retry)).toBe(of());
  });

  it.each<[string, Parameters<typeof of>]>([
    ['body', [url, {}, '{"a": 1}']],
    ['query', [`${url},sport`]],
    ['path', ['https://api.test/rest/v1/graphics?select=id']],
    ['Prefer', [url, { prefer: 'return=representation' }]],
    ['Accept', [url, { accept: 'text/csv' }]],
    ['longer body', [url, {}, `{"a":1}${' '.repeat(2 ** 20)}`]],
    ['Content-Type', [url, { 'content-type': 'text/csv' }]],
    ['Content-Profile', [url, { 'content-profile': 'builder' }]],
  ])('differs for another %s', (_, request) => {
    expect(of(...request)).not.toBe(of());
  });
});
