import { describe, expect, it } from 'vitest';
import { fingerprintOf } from '../../functions/request/fingerprint.ts';

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
