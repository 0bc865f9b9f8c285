import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseQueryString } from '../../functions/request/query-string.ts';
import { anyText } from '../setup/any-text.ts';

const parameter = (name: string, value: string) => ({ name, value });

describe('a query string', () => {
  it.each([
    ['a=1;b=2', [parameter('a', '1'), parameter('b', '2')]],
    ['=a', [parameter('', 'a')]],
    ['a=b=c', [parameter('a', 'b=c')]],
    ['a', []],
    ['&&a=1&', [parameter('a', '1')]],
  ])('is split into parameters: %j', (text, parameters) => {
    expect(parseQueryString(text)).toEqual(parameters);
  });

  it.each([
    ['a+b=c+d', parameter('a b', 'c d')],
    ['a=1%2B1', parameter('a', '1+1')],
    ['a=%26%3B%3D', parameter('a', '&;=')],
    ['a=%00', parameter('a', '\0')],
  ])('is decoded: %s', (text, decoded) => {
    expect(parseQueryString(text)).toEqual([decoded]);
  });

  it.each([
    ['a=%zz+x', '%zz x'],
    ['a=%41%', 'A%'],
    ['a=%FF', '\uFFFD'],
  ])('keeps invalid escapes, and replaces invalid UTF-8: %s', (text, value) => {
    expect(parseQueryString(text)).toEqual([parameter('a', value)]);
  });

  it('decodes any names and values that were encoded', () => {
    const text = anyText();
    fc.assert(
      fc.property(fc.array(fc.record({ name: text, value: text })), parameters => {
        const encoded = parameters.map(p => `${encodeURIComponent(p.name)}=${encodeURIComponent(p.value)}`);
        expect(parseQueryString(encoded.join('&'))).toEqual(parameters);
      }),
    );
  });
});
