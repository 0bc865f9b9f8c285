import { describe, expect, it } from 'vitest';
import { fingerprintOf, parseBody } from '../../../functions/rest/request/parse-body.ts';

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

  it('with an element that is not a row gets an error with its index', () => {
    expect(parseBody(null, '[{"a":1},{"a":2},[]]')).toMatchObject({
      failure: { is: 'invalid body', details: 'Element 2 of the array is not an object.' },
    });
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
      expect(parseBody(`${type}; boundary=x`, 'hello'), type).toMatchObject(
        invalid(`Content-Type not acceptable: ${type}`),
      );
    }
  });

  it('cannot contain a NUL character, whatever its Content-Type', () => {
    for (const contentType of [null, 'text/csv', 'application/x-www-form-urlencoded']) {
      expect(parseBody(contentType, 'a=\0'), `${contentType}`).toEqual(
        invalid('The body contains a NUL character'),
      );
    }
  });
});

it('the fingerprint of a request differs for another path, query or end of a long body', () => {
  const url = 'https://api.test/rest/v1/quotes?select=id';
  const of = (at: string, body: string) => fingerprintOf(new Request(at, { method: 'POST' }), body);
  const long = `{"a":1}${' '.repeat(2 ** 20)}`;
  const same = [of(url, '{}'), of(url.replace('api', 'other'), '{}')];
  const others = [
    of(url.replace('quotes', 'graphics'), '{}'),
    of(`${url},sport`, '{}'),
    of(url, long),
    of(url, `${long} `),
  ];
  expect(new Set([...same, ...others]).size).toBe(1 + others.length);
});
