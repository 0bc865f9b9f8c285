/**
 * The CORS headers that let pages of other origins use the service
 * (https://fetch.spec.whatwg.org/#http-cors-protocol).
 */
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { createClient } from '@supabase/supabase-js';
import { describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { collections } from '../../schema/collections.ts';
import { aGraphic } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';

const service = useService();

const origin = 'https://builder.example';
const methods = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE'];
/** Headers of supabase-js, of tracing, of this service, and those that applications invent. */
const sent = [
  'apikey',
  'authorization',
  'content-type',
  'prefer',
  'accept-profile',
  'content-profile',
  'x-client-info',
  'x-retry-count',
  'range',
  'x-request-id',
  'idempotency-key',
  'if-match',
  'if-none-match',
  'traceparent',
  'sentry-trace',
  'x-supabase-api-version',
  'x-my-custom-header',
];
const listOf = (response: Response, header: string): string[] =>
  (response.headers.get(header) ?? '').split(',').map(item => item.trim().toLowerCase());

/**
 * All headers of supabase-js but a plain Accept are preflighted
 * (https://fetch.spec.whatwg.org/#cors-safelisted-request-header).
 */
const needsPreflight = (name: string, value: string): boolean =>
  name !== 'accept' || value.length > 128 || /["():<>?@[\\\]{}]/.test(value);

const preflight = (path: string, method: string, headers?: string): Promise<Response> =>
  service.fetch(path, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': method,
      ...(headers && { 'access-control-request-headers': headers }),
    },
  });

describe('a preflight', () => {
  const requests = collections.flatMap(({ name }) => methods.map(method => [method, name] as const));
  it.each(requests)('of %s %s needs no key', async (method, collection) => {
    const response = await preflight(`/rest/v1/${collection}?select=*&id=eq.1`, method, sent.join(','));
    expect(response.status).toBe(204);
    expect(await response.text()).toBe('');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-allow-methods')?.split(',')).toContain(method);
    expect(listOf(response, 'access-control-allow-headers')).toEqual(expect.arrayContaining(sent));
    expect(Number(response.headers.get('access-control-max-age'))).toBeGreaterThanOrEqual(600);
    expect(response.headers.has('access-control-allow-credentials')).toBe(false);
  });

  it('allows what supabase-js sends', async () => {
    const asked = new Set<string>();
    const client = createClient(service.url, service.publishableKey, {
      realtime: { transport: WebSocket as never },
      accessToken: () => service.token({ account: randomUUID(), staff: true }),
      global: {
        headers: { 'x-my-custom-header': 'my-app-name', 'sentry-trace': '1-1', baggage: 'a=b' },
        fetch: (input, init) => {
          new Headers(init?.headers).forEach((value, name) => {
            if (needsPreflight(name, value)) asked.add(name);
          });
          return fetch(input, init);
        },
      },
    });
    const library = () => client.from('graphics');
    const { code } = aGraphic();
    await library().select('*', { count: 'exact' }).eq('code', code).range(0, 9);
    await library()
      .insert([aGraphic({ code })], { defaultToNull: false })
      .select()
      .single();
    await library().upsert(aGraphic({ code }), { onConflict: 'code' });
    await library().update({ name: 'Tiger' }).eq('code', code).select().stripNulls();
    await library().delete().eq('code', code).rollback();
    await library().select().csv();
    await library().select().explain();
    await client.rpc('next_quote_number').csv();
    expect([...asked]).toContain('x-my-custom-header');
    const response = await preflight('/rest/v1/graphics', 'POST', [...asked].join(','));
    expect(listOf(response, 'access-control-allow-headers')).toEqual(expect.arrayContaining([...asked]));
  });

  it.each([
    '/rest/v1/graphics',
    '/rest/v1/rpc/next_quote_number',
    '/rest/v1/',
    '/nowhere',
  ])('allows the headers it asks for and no others: %s', async path => {
    const response = await preflight(path, 'POST', "x-b, A,!#$%&'*+-.^_`|~9");
    expect(response.headers.get('access-control-allow-headers')).toBe("x-b, A, !#$%&'*+-.^_`|~9");
  });

  it('allows nothing that cannot be the name of a header', async () => {
    const response = await preflight(
      '/rest/v1/graphics',
      'GET',
      'a b,,x-c ,"d",(e),f:g,h;i,\xe9,<script>, x-j',
    );
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-headers')).toBe('x-c, x-j');
  });

  it('allows no header when it asks for none, or for more than a header may hold', async () => {
    const many = (length: number) => `a,${'x'.repeat(length - 2)}`;
    for (const asked of [undefined, ',', many(8001)]) {
      const response = await preflight('/rest/v1/graphics', 'GET', asked);
      expect(response.status).toBe(204);
      expect(response.headers.has('access-control-allow-headers')).toBe(false);
    }
    const longest = await preflight('/rest/v1/graphics', 'GET', many(8000));
    expect(listOf(longest, 'access-control-allow-headers')[1]).toHaveLength(7998);
  });

  it.each([
    'a\r\n Set-Cookie: b=c',
    'a,\r\n\tSet-Cookie: b=c',
    'a\rSet-Cookie: b=c',
    'a\nSet-Cookie: b=c',
    'a%0d%0aSet-Cookie:%20b=c',
    'a\u010d\u010aSet-Cookie: b=c',
    'a\0Set-Cookie: b=c',
  ])('cannot add a header to the response: %j', async asked => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1').setEncoding('latin1');
    socket.end(
      `OPTIONS /rest/v1/graphics HTTP/1.1\r\nHost: 127.0.0.1\r\nAccess-Control-Request-Method: GET\r\nAccess-Control-Request-Headers: ${asked}\r\nConnection: close\r\n\r\n`,
    );
    const response = (await socket.toArray()).join('');
    expect(response).toMatch(/^HTTP\/1\.1 (?:204|400|500) /);
    expect(response).not.toMatch(/^set-cookie/im);
    expect(response).not.toMatch(/b=c/);
  });

  it('of an unknown path is allowed, so that the page can read the 404', async () => {
    const response = await preflight('/rest/v1/shirts', 'GET', 'apikey,authorization');
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(listOf(response, 'access-control-allow-headers')).toEqual(
      expect.arrayContaining(['apikey', 'authorization']),
    );
  });
});

describe('plain OPTIONS', () => {
  it.each(collections)('of $name names the methods', async ({ name }) => {
    const response = await service.fetch(`/rest/v1/${name}`, { method: 'OPTIONS' });
    expect(response.status).toBe(200);
    expect(listOf(response, 'allow')).toEqual(
      expect.arrayContaining(['options', ...methods.map(name => name.toLowerCase())]),
    );
  });
});

describe('x-request-id', () => {
  const ask = async (path: string, id?: string): Promise<string | null> => {
    const response = await service.fetch(path, {
      headers: { ...service.headers(), ...(id && { 'x-request-id': id }) },
    });
    await response.body?.cancel();
    return response.headers.get('x-request-id');
  };
  const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
  const paths = [
    '/rest/v1/graphics',
    '/rest/v1/graphics?select=colour',
    '/rest/v1/quotes',
    '/rest/v1/shirts',
    '/nowhere',
  ];

  it.each(paths)('is kept when well-formed, of %s', async path => {
    expect(await ask(path, 'page-7_of.9')).toBe('page-7_of.9');
  });

  it.each(paths)('is generated when absent, of %s', async path => {
    const [first, second] = [await ask(path), await ask(path)];
    expect(first).toMatch(uuid);
    expect(second).toMatch(uuid);
    expect(second).not.toBe(first);
  });

  it.each([
    ['with spaces', 'a b'],
    ['with quotes', '"a"'],
    ['with other letters', 'é'],
    ['too long', 'x'.repeat(129)],
  ])('is replaced %s', async (_, id) => {
    expect(await ask('/rest/v1/graphics', id)).toMatch(uuid);
  });

  it('is in the log', async () => {
    const id = `page-${Date.now()}`;
    await ask('/rest/v1/graphics', id);
    await expect.poll(() => service.logs.some(line => line.includes(id))).toBe(true);
  });
});
