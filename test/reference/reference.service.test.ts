/** The reference page in a browser. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collections } from '../../schema/collections.ts';
import { foreignHosts, startChromium, type Tab } from '../setup/chromium.ts';
import { may } from '../setup/collection-rows.ts';
import { aGraphic } from '../setup/rows.ts';
import { type Service, startService } from '../setup/service.ts';
import { use } from '../setup/use.ts';
import { callerOf } from '../setup/wire.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
  await callerOf(service, service.secretKey).send('POST', '/graphics', aGraphic({ name: 'Tiger head' }));
});
afterAll(() => service.stop());

async function enter({ page }: Tab, apikey: string, token: string): Promise<void> {
  await page.fill('[name=apikey]', apikey);
  await page.fill('[name=token]', token);
  await page.click('text=Show what I may do');
}

const collectionsOn = ({ page }: Tab): Promise<string[]> =>
  page.locator('.opblock-tag').evaluateAll(tags => tags.map(tag => tag.getAttribute('data-tag') ?? ''));

describe('the reference page', { tags: ['chromium'] }, () => {
  const chromium = use(startChromium, 'stop');
  let tab: Tab;
  beforeAll(async () => {
    tab = await chromium.open(`${service.url}/`);
  });

  it('asks for a key, and contains none', async () => {
    expect(await tab.page.inputValue('[name=apikey]')).toBe('');
    expect(await tab.page.inputValue('[name=token]')).toBe('');
    expect(await collectionsOn(tab)).toEqual([]);
  });

  it('shows why a key is refused', async () => {
    await enter(tab, 'sb_publishable_wrong', '');
    await expect.poll(() => tab.page.textContent('#credentials output')).toMatch(/not a key of this service/);
    // The browser logs the 401 itself.
    expect(tab.problems.splice(0)).toHaveLength(1);
  });

  it('lists the collections that the caller may use', async () => {
    await enter(tab, service.publishableKey, await service.token({ account: randomUUID() }));
    const readByCustomers = collections.filter(collection => may(collection, 'customer', 'select'));
    await expect.poll(() => collectionsOn(tab)).toEqual([...readByCustomers.map(({ name }) => name), 'api']);
    await enter(tab, service.publishableKey, '');
    await expect.poll(() => collectionsOn(tab)).toEqual(['graphics', 'api']);
  });

  it('sends a request and shows the rows', async () => {
    const { page } = tab;
    await page.click('#operations-graphics-get_graphics .opblock-summary-control');
    await page.fill('#operations-graphics-get_graphics [placeholder=select]', 'name,file_format');
    await page.click('#operations-graphics-get_graphics .execute');
    const response = page.locator('#operations-graphics-get_graphics .live-responses-table');
    await response.waitFor();
    expect(await response.locator('.response-col_status').last().textContent()).toContain('200');
    expect(JSON.parse((await response.locator('.highlight-code code').first().textContent()) ?? '')).toEqual([
      { name: 'Tiger head', file_format: 'svg' },
    ]);
  });

  it('keeps to its content security policy, and sends requests to this service only', () => {
    expect(tab.problems).toEqual([]);
    expect(foreignHosts(tab)).toEqual([]);
    expect(new Set(tab.sent.map(({ url }) => new URL(url).origin))).toEqual(new Set([service.url, 'null']));
  });
});

describe('the files of the page', () => {
  it.each([
    ['/', 'text/html'],
    ['/reference/page.js', 'text/javascript'],
    ['/reference/swagger-ui.css', 'text/css'],
    ['/reference/swagger-ui-bundle.js', 'text/javascript'],
    ['/reference/LICENSE', 'text/plain'],
  ])('are served without a key: %s', async (path, type) => {
    const response = await service.fetch(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(`${type}; charset=utf-8`);
    expect((await response.text()).length).toBeGreaterThan(100);
  });

  it('include the notice of Swagger UI, linked from the page', async () => {
    expect(await (await service.fetch('/reference/NOTICE')).text()).toMatch(/^swagger-ui\nCopyright /);
    expect(await (await service.fetch('/')).text()).toContain('href="/reference/NOTICE"');
  });

  it('do not include others of the package', async () => {
    for (const path of ['/reference/index.html', '/swagger-ui.css', '/reference/../package.json']) {
      expect([path, (await service.fetch(path)).status]).toEqual([path, 404]);
    }
  });

  it('can only be used by this origin', async () => {
    const policy = (await service.fetch('/')).headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
  });
});

/** The response at `/` to exactly these headers; fetch can't send another Host. */
async function pageFor(service: Service, sent: Record<string, string> = {}) {
  const [response] = await once(request(`${service.url}/`, { headers: sent }).end(), 'response');
  expect(response.statusCode).toBe(200);
  return { html: await text(response), headers: response.headers as IncomingHttpHeaders };
}

describe('the page’s fields, where a demo token is bound', () => {
  const token = 'the-demo-token';
  let demo: Service;
  beforeAll(async () => {
    demo = await startService({ bindings: { DEMO_TOKEN: token } });
  });
  afterAll(() => demo.stop());
  const hostOf = (name: string): string => `${name}:${new URL(demo.url).port}`;

  const [none, same] = [{ 'sec-fetch-site': 'none' }, { 'sec-fetch-site': 'same-origin' }];
  const rebound = () => ({ host: hostOf('rebound.example') });
  it.each<[who: string, headers: () => Record<string, string>]>([
    ['whoever asks', () => ({})],
    ['a browser, by the name localhost', () => ({ host: hostOf('localhost'), ...none })],
    ['a browser, by the name [::1]', () => ({ host: hostOf('[::1]'), ...none })],
    ['a page of the service', () => ({ origin: demo.url, ...same })],
  ])('contain its key and token for %s on the developer’s machine', async (_, sent) => {
    const { html } = await pageFor(demo, sent());
    expect(html).toContain(`name="apikey" value="${demo.publishableKey}"`);
    expect(html).toContain(`name="token" value="${token}"`);
  });

  it.each<[who: string, headers: () => Record<string, string>]>([
    ['a page of another site', () => ({ 'sec-fetch-site': 'cross-site' })],
    ['a page of another port of this machine', () => ({ 'sec-fetch-site': 'same-site' })],
    ['a page of an older browser', () => ({ origin: 'https://elsewhere.example' })],
    ['a name that was made to lead here (DNS rebinding)', rebound],
    ['such a name, that says it is the same', () => ({ ...rebound(), ...same })],
  ])('are empty for %s', async (_, sent) => {
    const { html } = await pageFor(demo, sent());
    expect(html).toContain('name="apikey" value=""');
    expect(html).not.toContain(demo.publishableKey);
    expect(html).not.toContain(token);
  });

  it('cannot be read by other origins', async () => {
    const { headers } = await pageFor(demo);
    expect(Object.keys(headers).filter(name => name.startsWith('access-control-'))).toEqual([]);
  });

  it('are empty for everyone else', async () => {
    const deployed = await startService({ bindings: { DEMO_TOKEN: token, LOCAL: '' } });
    const { html } = await pageFor(deployed);
    expect(html).not.toContain(deployed.publishableKey);
    expect(html).not.toContain(token);
    await deployed.stop();
  });
});

describe('REFERENCE=off', () => {
  it('removes the page, but not the document', async () => {
    const deployment = await startService({ bindings: { REFERENCE: 'off' } });
    for (const path of ['/', '/reference/page.js', '/reference/swagger-ui-bundle.js']) {
      const response = await deployment.fetch(path);
      expect([response.status, await response.json()]).toMatchObject([404, { code: 'PGRST125' }]);
    }
    expect((await deployment.fetch('/rest/v1/', { headers: deployment.headers() })).status).toBe(200);
    await deployment.stop();
  });
});
