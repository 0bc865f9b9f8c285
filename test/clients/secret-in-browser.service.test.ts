/** A secret key is for servers: requests with one are refused from browsers and accepted from servers. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startChromium, type Tab } from '../setup/chromium.ts';
import { type Service, startService } from '../setup/service.ts';
import { use } from '../setup/use.ts';
import { callerOf } from '../setup/wire.ts';
import { clientOf, expectData } from './supabase.ts';

type Credentials = { apikey: string; authorization?: string };

let service: Service;
/** The keys and tokens that may do everything, and those that a page may have. */
const held: Record<string, Credentials> = {};

beforeAll(async () => {
  service = await startService();
  const { publishableKey, secretKey } = service;
  const serviceRole = await new SignJWT({ role: 'service_role' })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(service.jwtSecret));
  const customer = await service.token({ account: randomUUID() });
  const staff = await service.token({ account: randomUUID(), staff: true });
  const holding = (apikey: string, bearer = apikey) => ({ apikey, authorization: `Bearer ${bearer}` });
  Object.assign(held, {
    'the secret key': holding(secretKey),
    'the secret key, in apikey alone': { apikey: secretKey },
    'the secret key, with an Authorization that is no bearer': {
      apikey: secretKey,
      authorization: 'Basic x',
    },
    'the secret key, with a customer’s token': holding(secretKey, customer),
    'the secret key, with a token that is none': holding(secretKey, 'a.b.c'),
    'a service_role token as the key': holding(serviceRole),
    'a service_role token as the key, in apikey alone': { apikey: serviceRole },
    'a service_role token, with the publishable key': holding(publishableKey, serviceRole),
    'the publishable key': holding(publishableKey),
    'the publishable key, in apikey alone': { apikey: publishableKey },
    'a customer’s token': holding(publishableKey, customer),
    'a token of staff': holding(publishableKey, staff),
  });
});
afterAll(() => service.stop());

const secrets = [
  'the secret key',
  'the secret key, in apikey alone',
  'the secret key, with an Authorization that is no bearer',
  'the secret key, with a customer’s token',
  'the secret key, with a token that is none',
  'a service_role token as the key',
  'a service_role token as the key, in apikey alone',
  'a service_role token, with the publishable key',
];

const refusal = {
  code: 'PT401',
  message: 'A secret key, or a token with role service_role, must not be used in a browser',
  details: expect.any(String),
  hint: expect.stringMatching(/Rotate it now.*publishable key/),
};

/** The response to a script of the page. */
const askFrom = ({ page }: Tab, who: string): Promise<{ status: number; body: unknown }> =>
  page.evaluate(
    async ([url, headers]) => {
      const response = await fetch(url, { headers });
      return { status: response.status, body: await response.json() };
    },
    [`${service.url}/rest/v1/graphics`, held[who] as Credentials] as const,
  );

describe('a page in Chromium', { tags: ['chromium'] }, () => {
  const chromium = use(startChromium, 'stop');
  let site: Server;
  let elsewhere: Tab;
  let reference: Tab;
  beforeAll(async () => {
    site = createServer((_, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<!doctype html><link rel="icon" href="data:,">'),
    );
    await once(site.listen(0, '127.0.0.1'), 'listening');
    elsewhere = await chromium.open(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
    reference = await chromium.open(`${service.url}/`);
  });
  afterAll(() => site.close());

  it.each(secrets)('is refused with %s and gets a hint, on another origin and on this one', async who => {
    for (const tab of [elsewhere, reference]) {
      expect(await askFrom(tab, who)).toEqual({ status: 401, body: refusal });
    }
  });

  it.each([
    'the publishable key',
    'the publishable key, in apikey alone',
    'a customer’s token',
    'a token of staff',
  ])('may use %s', async who => {
    for (const tab of [elsewhere, reference]) {
      expect(await askFrom(tab, who)).toEqual({ status: 200, body: [] });
    }
  });

  it('sees the error on the reference page too', async () => {
    const { page } = reference;
    await page.fill('[name=apikey]', service.secretKey);
    await page.click('text=Show what I may do');
    await expect.poll(() => page.textContent('#credentials output')).toBe(refusal.message);
  });
});

/** The headers of older browsers on a page of another origin, and of other clients. */
const clients: [what: string, headers: Record<string, string>, status: number][] = [
  [
    'a Safari of before 2023',
    { origin: 'https://shop.example', 'user-agent': 'Mozilla/5.0 (Macintosh)' },
    401,
  ],
  ['a server that names its origin', { origin: 'https://shop.example', 'user-agent': 'node' }, 200],
  ['PowerShell', { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0; en-US) PowerShell/7.5.0' }, 200],
  ['a client that has a mode, as Node’s fetch has', { 'sec-fetch-mode': 'cors', 'user-agent': 'node' }, 200],
  ['curl', { 'user-agent': 'curl/8.5.0' }, 200],
  ['a client without a name', {}, 200],
];

/** Sends exactly these headers. */
async function statusFor(headers: Record<string, string>): Promise<number | undefined> {
  const request = httpRequest(`${service.url}/rest/v1/graphics`, { headers }).end();
  const [response] = await once(request, 'response');
  response.resume();
  return response.statusCode;
}

describe('the secret key', () => {
  it.each(clients)('of %s', async (_, headers, status) => {
    for (const how of ['', ', in apikey alone']) {
      expect(await statusFor({ ...held[`the secret key${how}`], ...headers })).toBe(status);
      expect(await statusFor({ ...held[`the publishable key${how}`], ...headers })).toBe(200);
    }
  });

  it('is accepted from fetch and supabase-js on Node', async () => {
    expect((await callerOf(service, service.secretKey).get('/graphics')).status).toBe(200);
    expectData(await clientOf(service, service.secretKey).from('graphics').select(), []);
  });

  it('in a browser is logged, without the key', async () => {
    await statusFor({ ...held['the secret key'], 'sec-fetch-site': 'cross-site' } as Record<string, string>);
    await expect.poll(() => service.logs.join()).toContain('"code":"PT401"');
    expect(service.logs.join()).not.toContain(service.secretKey);
  });
});
