import { describe, expect, it } from 'vitest';
import { fingerprintOf, parseBody } from '../../functions/request/parse-body.ts';

const invalid = (message: string, details?: string) => ({
  ok: false,
  failure: { is: 'invalid body', message, ...(details !== undefined && { details }) },
});

describe('a JSON body', () => {
  it.each([
    null,
    '',
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON',
    'application/json ; charset=utf-8',
    'application/vnd.pgrst.array+json',
  ])('is parsed for the Content-Type %j', contentType => {
    expect(parseBody(contentType, '{"a":1}')).toEqual({
      ok: true,
      value: { json: '{"a":1}', isArray: false, rows: [{ a: 1 }] },
    });
  });

  it.each([
    '12345678901234567890',
    '1.50',
    '1.50e+99',
    '0.1000000000000000055511151231257827',
  ])('keeps %s exact', number => {
    expect(parseBody(null, `{"total_price":${number}}`)).toMatchObject({
      value: { json: `{"total_price":${number}}` },
    });
  });

  it('keeps the client’s order and spaces', () => {
    const text = ' [ {"b": 1,\n "a": 2} ] ';
    expect(parseBody(null, text)).toEqual({
      ok: true,
      value: { json: text, isArray: true, rows: [{ b: 1, a: 2 }] },
    });
  });

  it('may be an empty array', () => {
    expect(parseBody(null, '[]')).toEqual({ ok: true, value: { json: '[]', isArray: true, rows: [] } });
  });

  it.each([
    '',
    ' ',
    '{"name":',
    '{a:1}',
    "{'a':1}",
    '{"a":1}{"b":2}',
    '{"a":NaN}',
    '[{"a":1},]',
  ])('is refused when it is malformed: %j', text => {
    expect(parseBody('application/json', text)).toEqual(invalid('Empty or invalid json'));
  });

  it.each(['3', 'null', 'true', '"text"'])('must hold a row: %s', text => {
    expect(parseBody(null, text)).toEqual(invalid('The body must be an object or an array of objects'));
  });

  it.each([
    ['[3]', 0],
    ['[{"a":1},null]', 1],
    ['[{"a":1},{"a":2},[]]', 2],
  ])('with an element that is not a row gets an error with its index: %s', (text, element) => {
    expect(parseBody(null, text)).toEqual(
      invalid(
        'The body must be an object or an array of objects',
        `Element ${element} of the array is not an object.`,
      ),
    );
  });

  it.each([
    [`[${'{"a":[]},'.repeat(60_000)}{}]`, 'lists and objects in its body', 50_000],
    [`{"a":${'['.repeat(500)}`, 'levels of nesting in its body', 500],
    [`[${'{},'.repeat(20_000)}{}]`, 'rows in its body', 20_000],
  ])('is refused when it exceeds a limit: %#', (text, what, limit) => {
    expect(parseBody(null, text)).toMatchObject({ failure: { is: 'too complex', what, limit } });
  });

  it('may have as many rows as the limit says', () => {
    expect(parseBody(null, `[${'{},'.repeat(19_999)}{}]`).ok).toBe(true);
  });

  it('treats __proto__ as an ordinary key', () => {
    const body = parseBody(null, '{"__proto__":{"a":1}}');
    expect(body.ok && Object.keys(body.value.rows[0] ?? {})).toEqual(['__proto__']);
  });
});

describe('a body of another type', () => {
  it('may be CSV', () => {
    expect(parseBody('text/csv; header=present', 'a,b\n1,NULL\n')).toEqual({
      ok: true,
      value: { json: '[{"a":"1","b":null}]', isArray: true, rows: [{ a: '1', b: null }], hasCells: true },
    });
  });

  it('may be a form, which is one row of strings', () => {
    expect(parseBody('application/x-www-form-urlencoded', 'name=A+B&url=https%3A%2F%2Fx&n=1')).toEqual({
      ok: true,
      value: {
        json: '{"name":"A B","url":"https://x","n":"1"}',
        isArray: false,
        rows: [{ name: 'A B', url: 'https://x', n: '1' }],
        hasCells: true,
      },
    });
  });

  it('that is a form has at most 200 fields', () => {
    const form = (fields: number) =>
      parseBody(
        'application/x-www-form-urlencoded',
        Array.from({ length: fields }, (_, index) => `a${index}=1`).join('&'),
      );
    expect(form(200)).toMatchObject({ ok: true });
    expect(form(201)).toMatchObject({ failure: { is: 'too complex', what: 'columns in its body' } });
  });

  it('may have brackets in the value of a form', () => {
    expect(parseBody('application/x-www-form-urlencoded', 'name=[A]')).toMatchObject({
      value: { rows: [{ name: '[A]' }] },
    });
  });

  it.each([
    '{"name":"x"}',
    ' [{"name":"x"}]',
  ])('is refused when it is JSON with the Content-Type of a form: %s', text => {
    expect(parseBody('application/x-www-form-urlencoded', text)).toEqual(
      invalid('The body is JSON, but its Content-Type says it is a form', 'Send JSON as application/json.'),
    );
  });

  it.each([
    'text/plain',
    'text/html; charset=utf-8',
    'multipart/form-data; boundary=x',
    'application/jsonx',
  ])('is refused with its Content-Type: %s', contentType => {
    const type = contentType.split(';')[0];
    expect(parseBody(contentType, 'hello')).toMatchObject({
      failure: {
        message: `Content-Type not acceptable: ${type}`,
        details: expect.stringMatching(/ is application\/json, text\/csv or /),
      },
    });
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
  it('is a SHA-256', () => {
    expect(of()).toMatch(/^[0-9a-f]{64}$/);
  });

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
