/** The reference page, as a person with a browser meets it. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aGraphic, callerOf } from '../service/wire.ts';
import { type Chromium, foreignHosts, startChromium, type Tab } from '../setup/chromium.ts';
import { type Service, startService } from '../setup/service.ts';

let service: Service;
let chromium: Chromium;
beforeAll(async () => {
  [service, chromium] = await Promise.all([startService(), startChromium()]);
  await callerOf(service, service.secretKey).send('POST', '/graphics', aGraphic({ name: 'Tiger head' }));
});
afterAll(() => Promise.all([service.stop(), chromium.stop()]));

async function enter({ page }: Tab, apikey: string, token: string): Promise<void> {
  await page.fill('[name=apikey]', apikey);
  await page.fill('[name=token]', token);
  await page.click('text=Show what I may do');
}

const collectionsOn = ({ page }: Tab): Promise<string[]> =>
  page.locator('.opblock-tag').evaluateAll(tags => tags.map(tag => tag.getAttribute('data-tag') ?? ''));

describe('the reference page', () => {
  let tab: Tab;
  beforeAll(async () => {
    tab = await chromium.open(`${service.url}/`);
  });

  it('asks for a key first, and knows none', async () => {
    expect(await tab.page.inputValue('[name=apikey]')).toBe('');
    expect(await tab.page.inputValue('[name=token]')).toBe('');
    expect(await collectionsOn(tab)).toEqual([]);
  });

  it('says why a key is refused', async () => {
    await enter(tab, 'sb_publishable_wrong', '');
    await expect
      .poll(() => tab.page.textContent('#credentials output'))
      .toBe('The apikey is not a key of this service');
    // The browser's own line about the 401.
    expect(tab.problems.splice(0)).toHaveLength(1);
  });

  it('lists the collections that the caller may use', async () => {
    await enter(tab, service.publishableKey, await service.token({ account: randomUUID() }));
    await expect.poll(() => collectionsOn(tab)).toEqual(['quotes', 'graphics', 'notifications', 'api']);
    await enter(tab, service.publishableKey, '');
    await expect.poll(() => collectionsOn(tab)).toEqual(['graphics', 'api']);
  });

  it('tries a request, and shows the rows', async () => {
    const { page } = tab;
    await page.click('#operations-graphics-get_graphics .opblock-summary-control');
    await page.fill('#operations-graphics-get_graphics [placeholder=select]', 'name,file_format');
    await page.click('#operations-graphics-get_graphics .execute');
    const answer = page.locator('#operations-graphics-get_graphics .live-responses-table');
    await answer.waitFor();
    expect(await answer.locator('.response-col_status').last().textContent()).toContain('200');
    expect(JSON.parse((await answer.locator('.highlight-code code').first().textContent()) ?? '')).toEqual([
      { name: 'Tiger head', file_format: 'svg' },
    ]);
  });

  it('breaks nothing of its content security policy, and asks nobody but this service', () => {
    expect(tab.problems).toEqual([]);
    expect(foreignHosts(tab)).toEqual([]);
    expect(new Set(tab.sent.map(({ url }) => new URL(url).origin))).toEqual(new Set([service.url, 'null']));
  });
});

describe('the files of the page', () => {
  it.each([
    ['/', 'text/html'],
    ['/reference/page.js', 'text/javascript'],
    ['/reference/page.css', 'text/css'],
    ['/reference/swagger-ui.css', 'text/css'],
    ['/reference/swagger-ui-bundle.js', 'text/javascript'],
    ['/reference/swagger-ui-bundle.js.LICENSE.txt', 'text/plain'],
    ['/reference/LICENSE', 'text/plain'],
  ])('are served without a key: %s', async (path, type) => {
    const response = await service.fetch(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(`${type}; charset=utf-8`);
    expect((await response.text()).length).toBeGreaterThan(100);
  });

  it('come with the notice of those who made Swagger UI, to which the page has a link', async () => {
    expect(await (await service.fetch('/reference/NOTICE')).text()).toMatch(/^swagger-ui\nCopyright /);
    expect(await (await service.fetch('/')).text()).toContain('href="/reference/NOTICE"');
  });

  it.each([
    '/reference/index.html',
    '/swagger-ui.css',
    '/reference/../package.json',
  ])('are no others: %s', async path => {
    expect((await service.fetch(path)).status).toBe(404);
  });

  it('are locked to this origin', async () => {
    const policy = (await service.fetch('/')).headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
  });
});

describe('the page’s fields', () => {
  const open = async (bindings: Record<string, string>) => {
    const deployment = await startService({ bindings });
    try {
      const html = await (await deployment.fetch('/')).text();
      return { html, publishableKey: deployment.publishableKey };
    } finally {
      await deployment.stop();
    }
  };

  it('hold the demo’s key and token on a developer’s machine', async () => {
    const { html, publishableKey } = await open({ DEMO_TOKEN: 'the-demo-token' });
    expect(html).toContain(`name="apikey" value="${publishableKey}"`);
    expect(html).toContain('name="token" value="the-demo-token"');
  });

  it('hold nothing anywhere else', async () => {
    const { html, publishableKey } = await open({ DEMO_TOKEN: 'the-demo-token', LOCAL: '' });
    expect(html).not.toContain(publishableKey);
    expect(html).not.toContain('the-demo-token');
  });
});

describe('REFERENCE=off', () => {
  it('leaves no page, and the document', async () => {
    const deployment = await startService({ bindings: { REFERENCE: 'off' } });
    for (const path of ['/', '/reference/page.js', '/reference/swagger-ui-bundle.js']) {
      const response = await deployment.fetch(path);
      expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([
        404,
        'PGRST125',
      ]);
    }
    expect((await deployment.fetch('/rest/v1/', { headers: deployment.headers() })).status).toBe(200);
    await deployment.stop();
  });
});
