/** A secret key is for servers: requests with one are refused from browsers and accepted from servers. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { startChromium } from '../setup/chromium.ts';
import { useService } from '../setup/service.ts';
import { startSite } from '../setup/site.ts';
import { use } from '../setup/use.ts';

const service = useService();
const tokens = { serviceRole: '', customer: '', staff: '' };
beforeAll(async () => {
  tokens.serviceRole = await service.token({ account: randomUUID(), claims: { role: 'service_role' } });
  tokens.customer = await service.token({ account: randomUUID() });
  tokens.staff = await service.token({ account: randomUUID(), staff: true });
});

type Credentials = { apikey: string; authorization?: string };
type Held = [who: string, credentials: () => Credentials];
const holding = (apikey: string, bearer = apikey) => ({ apikey, authorization: `Bearer ${bearer}` });

const secrets: Held[] = [
  ['the secret key', () => holding(service.secretKey)],
  ['the secret key and a customer’s token', () => holding(service.secretKey, tokens.customer)],
  ['a service_role token as the key', () => holding(tokens.serviceRole)],
  ['a service_role token', () => holding(service.publishableKey, tokens.serviceRole)],
];
const others: Held[] = [
  ['a customer’s token', () => holding(service.publishableKey, tokens.customer)],
  ['a token of staff', () => holding(service.publishableKey, tokens.staff)],
];

const refusal = {
  code: 'PT401',
  message: 'A secret key, or a token with role service_role, must not be used in a browser',
  details: expect.any(String),
  hint: expect.stringMatching(/Rotate it now.*publishable key/),
};

describe('a page in Chromium', { tags: ['chromium'] }, () => {
  const chromium = use(startChromium, 'stop');
  const site = use(startSite, 'stop');

  let pages: Page[];
  beforeAll(async () => {
    const tabs = [site.url, `${service.url}/`].map(url => chromium.open(url));
    pages = (await Promise.all(tabs)).map(({ page }) => page);
  });

  /** The status and body of a response to a script, on a page of another origin and on the reference page. */
  const responsesTo = (credentials: Credentials): Promise<unknown[]> =>
    Promise.all(
      pages.map(page =>
        page.evaluate(
          async ([url, headers]) => {
            const response = await fetch(url, { headers });
            return [response.status, await response.json()];
          },
          [`${service.url}/rest/v1/graphics`, credentials] as const,
        ),
      ),
    );

  it.each(secrets)('is refused with %s and gets a hint', async (_, credentials) => {
    const refused = [401, refusal];
    expect(await responsesTo(credentials())).toEqual([refused, refused]);
  });

  it.each(others)('may use %s', async (_, credentials) => {
    const rows = [200, []];
    expect(await responsesTo(credentials())).toEqual([rows, rows]);
  });

  it('shows the error on the reference page', async () => {
    const page = pages[1] as Page;
    await page.fill('[name=apikey]', service.secretKey);
    await page.click('text=Show what I may do');
    await expect.poll(() => page.textContent('#credentials output')).toBe(refusal.message);
  });
});

/** Sends exactly these headers. */
async function statusFor(headers: Record<string, string>): Promise<number> {
  const [response] = await once(
    httpRequest(`${service.url}/rest/v1/graphics`, { headers }).end(),
    'response',
  );
  return response.resume().statusCode;
}

const shop = 'https://shop.example';
it.each<[client: string, headers: Record<string, string>, status: number]>([
  ['Safari before 2023', { origin: shop, 'user-agent': 'Mozilla/5.0 (Macintosh)' }, 401],
  ['a server that names its origin', { origin: shop, 'user-agent': 'node' }, 200],
  ['PowerShell', { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0; en-US) PowerShell/7.5.0' }, 200],
  ['a client that sends a mode, as fetch in Node', { 'sec-fetch-mode': 'cors', 'user-agent': 'node' }, 200],
])('the secret key is judged by the headers of its sender: %s', async (_, headers, status) => {
  expect(await statusFor({ ...holding(service.secretKey), ...headers })).toBe(status);
  expect(await statusFor({ ...holding(service.publishableKey), ...headers })).toBe(200);
});

it('the secret key in a browser is logged, without the key', async () => {
  expect(await statusFor({ ...holding(service.secretKey), 'sec-fetch-site': 'cross-site' })).toBe(401);
  await expect.poll(() => service.logs.join()).toContain('"code":"PT401"');
  expect(service.logs.join()).not.toContain(service.secretKey);
});
