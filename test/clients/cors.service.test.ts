/** CORS headers, for pages of other origins: https://fetch.spec.whatwg.org/#http-cors-protocol */
import { describe, expect, it } from 'vitest';
import { useService } from '../setup/service.ts';

const service = useService();

const methods = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE'];
/** Headers of supabase-js, of tracing, of this service, and those that applications invent. */
const sent = [
  ...['apikey', 'authorization', 'content-type', 'prefer', 'accept-profile', 'content-profile', 'range'],
  ...['x-client-info', 'x-retry-count', 'x-request-id', 'idempotency-key', 'if-match', 'if-none-match'],
  ...['traceparent', 'sentry-trace', 'x-supabase-api-version', 'x-my-custom-header'],
];
const listOf = (response: Response, header: string): string[] =>
  (response.headers.get(header) ?? '').split(',').map(item => item.trim().toLowerCase());

const preflight = (path: string, method: string, headers?: string): Promise<Response> =>
  service.fetch(path, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://builder.example',
      'access-control-request-method': method,
      ...(headers && { 'access-control-request-headers': headers }),
    },
  });

const allowed = async (path: string, headers?: string): Promise<string | null> =>
  (await preflight(path, 'POST', headers)).headers.get('access-control-allow-headers');

describe('a preflight', () => {
  it('needs no key, and allows every method and header', async () => {
    for (const method of methods) {
      const response = await preflight('/rest/v1/quotes?select=*&id=eq.1', method, sent.join(','));
      expect([response.status, await response.text()]).toEqual([204, '']);
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(response.headers.get('access-control-allow-methods')?.split(',')).toContain(method);
      expect(listOf(response, 'access-control-allow-headers')).toEqual(expect.arrayContaining(sent));
      expect(Number(response.headers.get('access-control-max-age'))).toBeGreaterThanOrEqual(600);
      expect(response.headers.has('access-control-allow-credentials')).toBe(false);
    }
  });

  it('allows the headers it asks for and no others, on every path', async () => {
    for (const path of ['/rest/v1/graphics', '/rest/v1/rpc/next_quote_number', '/rest/v1/', '/nowhere']) {
      expect(await allowed(path, "x-b, A,!#$%&'*+-.^_`|~9")).toBe("x-b, A, !#$%&'*+-.^_`|~9");
    }
  });

  it('allows nothing that cannot be the name of a header', async () => {
    expect(await allowed('/', 'a b,,x-c ,"d",(e),f:g,h;i,\xe9,<script>, x-j')).toBe('x-c, x-j');
  });

  it('allows no header when it asks for none, or for more than a header may hold', async () => {
    const many = (length: number) => `a,${'x'.repeat(length - 2)}`;
    for (const asked of [undefined, ',', many(8001)]) {
      expect(await allowed('/rest/v1/graphics', asked)).toBeNull();
    }
    expect(await allowed('/rest/v1/graphics', many(8000))).toHaveLength(8001);
  });
});

it('OPTIONS of a collection names the methods', async () => {
  const response = await service.fetch('/rest/v1/graphics', { method: 'OPTIONS' });
  expect(response.status).toBe(200);
  const names = methods.map(method => method.toLowerCase());
  expect(listOf(response, 'allow')).toEqual(expect.arrayContaining(['options', ...names]));
});

it('the request id of a response is the one that was sent, or a new one where it cannot be', async () => {
  const ask = async (path: string, id: string): Promise<string | null> => {
    const response = await service.fetch(path, { headers: { ...service.headers(), 'x-request-id': id } });
    await response.body?.cancel();
    return response.headers.get('x-request-id');
  };
  for (const path of ['/rest/v1/graphics', '/rest/v1/quotes', '/nowhere']) {
    expect(await ask(path, 'page-7_of.9')).toBe('page-7_of.9');
  }
  for (const id of ['a b', '"a"', 'é', 'x'.repeat(129)]) {
    expect(await ask('/rest/v1/graphics', id)).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  }
});
