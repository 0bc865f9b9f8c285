/** The security and caching headers of every kind of response. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aGraphic } from '../../setup/rows.ts';
import { type Service, startService } from '../../setup/service.ts';

const account = randomUUID();

interface Open {
  over: 'http' | 'https';
  service: Service;
}
const open: Open[] = [];
beforeAll(async () => {
  const bindings = { GRAPHICS_CACHE_SECONDS: '60' };
  const rateLimits = { ACCOUNT_LIMIT: 1 };
  for (const over of ['http', 'https'] as const) {
    const service = await startService({ bindings, rateLimits, https: over === 'https' });
    open.push({ over, service });
    await service.sql`insert into builder.graphics ${service.sql([aGraphic({ is_active: true }), aGraphic({ is_active: true })])}`;
  }
});
afterAll(() => Promise.all(open.map(({ service }) => service.stop())));

/** Node's fetch would refuse the certificate. */
async function ask({ over, service }: Open, path: string, options: RequestOptions, body = '') {
  const request = over === 'https' ? httpsRequest : httpRequest;
  const all: RequestOptions & { rejectUnauthorized: boolean } = { ...options, rejectUnauthorized: false };
  const [response] = await once(request(service.url + path, all).end(body), 'response');
  response.resume();
  return { status: response.statusCode as number, headers: response.headers as IncomingHttpHeaders };
}

type Who = 'anon' | 'secret' | 'customer' | 'nobody';

interface More {
  headers?: Record<string, string>;
  body?: object;
  /** Who may cache the response; by default nobody. */
  keeper?: 'this browser' | 'anybody';
}

const json = { 'content-type': 'application/json' };
const row = { headers: { ...json, prefer: 'return=representation' }, body: aGraphic() };
const mine = { keeper: 'this browser' } as const;
const oneOfAll = { prefer: 'count=exact', range: '0-0' };
const isFresh = { ...mine, headers: { 'if-none-match': '*' } };
const preflight = { headers: { 'access-control-request-method': 'GET' } };
const fromPage = { headers: { 'sec-fetch-site': 'cross-site' } };

/** Paths without a slash are below /rest/v1/. */
const kinds: [status: number, what: string, who: Who, asks: string, more?: More][] = [
  [200, 'rows', 'secret', 'GET graphics?order=id'],
  [206, 'a page', 'secret', 'GET graphics', { headers: oneOfAll }],
  [200, 'rows that may be cached', 'anon', 'GET graphics', mine],
  [200, 'the same again', 'anon', 'GET graphics', mine],
  [304, 'rows that are known', 'anon', 'GET graphics', isFresh],
  [200, 'a plan', 'secret', 'GET graphics', { headers: { accept: 'application/vnd.pgrst.plan' } }],
  [201, 'a new row', 'secret', 'POST graphics', row],
  [200, 'the OpenAPI document', 'anon', 'GET /rest/v1/'],
  [204, 'a preflight', 'nobody', 'OPTIONS quotes', preflight],
  [200, 'health', 'nobody', 'GET /health'],
  [200, 'the reference page', 'nobody', 'GET /'],
  [200, 'a file of Swagger UI', 'nobody', 'GET /reference/swagger-ui.css', { keeper: 'anybody' }],
  [400, 'a query not understood', 'anon', 'GET graphics?select=colour'],
  [401, 'no key', 'nobody', 'GET graphics'],
  [401, 'nobody signed in', 'anon', 'GET quotes'],
  [401, 'a secret in a browser', 'secret', 'GET graphics', fromPage],
  [404, 'no such path', 'nobody', 'GET /nowhere'],
  [405, 'no such method', 'anon', 'REPORT graphics'],
  [413, 'a body too large', 'secret', 'POST graphics', { ...row, body: { name: 'x'.repeat(2 ** 20) } }],
  [416, 'no such page', 'secret', 'GET graphics?offset=99', { headers: { prefer: 'count=exact' } }],
  [429, 'too many requests', 'customer', 'GET quotes'],
];

function headersOf(who: Who, service: Service): Record<string, string> | Promise<Record<string, string>> {
  const { secretKey } = service;
  return {
    nobody: () => ({}),
    anon: () => service.headers(),
    secret: () => ({ apikey: secretKey, authorization: `Bearer ${secretKey}` }),
    customer: async () => service.headers(await service.token({ account })),
  }[who]();
}

/** Headers that a browser lets a page of any origin read. */
const exposed = [
  ...['Content-Range', 'Content-Location', 'Location', 'ETag', 'Link', 'Preference-Applied'],
  ...['Proxy-Status', 'Retry-After', 'Server-Timing', 'X-Request-Id'],
];

const cacheControl = {
  nobody: /^private, no-store$/,
  'this browser': /^private, max-age=\d{1,2}$/,
  anybody: /^public, max-age=86400$/,
};

async function responseTo(deployment: Open, who: Who, asks: string, { headers, body }: More) {
  const [method = '', path = ''] = asks.split(' ');
  const all = { ...(await headersOf(who, deployment.service)), ...headers };
  const full = path.startsWith('/') ? path : `/rest/v1/${path}`;
  return ask(deployment, full, { method, headers: all }, body && JSON.stringify(body));
}

describe('a response', () => {
  it.each(
    kinds,
  )('of %i, %s, is not sniffed, not cached by others, stays on https, and can be read by any page', async (status, _, who, asks, more = {}) => {
    for (const deployment of open) {
      let response = await responseTo(deployment, who, asks, more);
      // The first request is below the rate limit. So is the second, if a new period has begun.
      for (let time = 0; time < 2 && status === 429 && response.status !== status; time++) {
        response = await responseTo(deployment, who, asks, more);
      }
      expect(response.status).toBe(status);
      expect(response.headers['x-content-type-options']).toBe('nosniff');
      expect(response.headers['cache-control']).toMatch(cacheControl[more.keeper ?? 'nobody']);
      expect(response.headers['strict-transport-security']).toBe(
        deployment.over === 'https' ? 'max-age=31536000' : undefined,
      );
      expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
      expect(response.headers['set-cookie']).toBeUndefined();
      expect(response.headers['proxy-status']).toEqual(
        status < 400 ? undefined : expect.stringMatching(/^PostgREST; error=[A-Z0-9]{5,8}$/),
      );
      expect(response.headers['content-profile']).toBeUndefined();
      if (!/^\w+ \/(?:$|reference)/.test(asks)) {
        expect(response.headers['access-control-allow-origin']).toBe('*');
      }
      if (!/^(?:OPTIONS|\w+ \/(?:$|reference))/.test(asks)) {
        const told = String(response.headers['access-control-expose-headers']).split(/, ?/);
        expect(told).toEqual(expect.arrayContaining(exposed));
      }
      if (more.keeper === 'this browser') {
        expect(response.headers['vary']).toBe('Accept, Accept-Profile, Prefer, Range, apikey, Authorization');
      }
    }
  });

  it('that is a page cannot be framed, sends no Referer, and loads nothing from other origins', async () => {
    for (const deployment of open) {
      const { headers } = await ask(deployment, '/', {});
      expect(headers).toMatchObject({ 'x-frame-options': 'DENY', 'referrer-policy': 'no-referrer' });
      const policy = headers['content-security-policy'];
      expect(policy).toMatch(/^default-src 'none'; .*frame-ancestors 'none'$/);
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
    }
  });
});
