/**
 * The page `/demo` and its files, as they are served.
 * @module-tag chromium
 */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Tab } from '../setup/chromium.ts';
import { startService } from '../setup/service.ts';
import { startSite } from '../setup/site.ts';
import { use } from '../setup/use.ts';
import { startDemo } from './demo.ts';

const demo = use(startDemo, 'stop');
/** The paths of the script and the stylesheet. */
const files = async () =>
  [...(await (await demo.service.fetch('/demo')).text()).matchAll(/"(\/demo\/[^"]+\.(?:js|css))"/g)].map(
    ([, path = '']) => path,
  );

/** Opens a page that leads to `/`, whose documents are not shown: that takes most of the time. */
async function openBeforeReference(url: string): Promise<Tab['page']> {
  const { page } = await demo.chromium.open(url);
  await page.route('**/swagger-ui-bundle.js', route => route.abort());
  return page;
}

describe('/demo', () => {
  it('is small: under 150 KB with React, supabase-js and its styles', async () => {
    const texts = await Promise.all(
      (await files()).map(async path => (await demo.service.fetch(path)).text()),
    );
    expect(texts).toHaveLength(2);
    expect(texts.reduce((sum, text) => sum + gzipSync(text).length, 0)).toBeLessThan(150_000);
  });

  it('has files that are sent compressed, and kept by browsers until they change', async () => {
    for (const path of await files()) {
      const { status, headers } = await demo.service.fetch(path, { headers: { 'accept-encoding': 'gzip' } });
      expect([status, headers.get('content-encoding')]).toEqual([200, 'gzip']);
      expect(headers.get('cache-control')).toBe('private, max-age=31536000, immutable');
    }
    expect((await demo.service.fetch('/demo')).headers.get('cache-control')).toBe('private, no-store');
  });

  it('is there for the developer alone', async () => {
    for (const path of ['/demo', '/demo/session.json', ...(await files())]) {
      expect((await demo.service.fetch(path)).status).toBe(200);
      const elsewhere = { headers: { 'sec-fetch-site': 'cross-site' } };
      expect((await demo.service.fetch(path, elsewhere)).status).toBe(404);
    }
  });

  it('and the page at / lead to each other, with one name and one icon', async () => {
    const page = await openBeforeReference('about:blank');
    await page.goto(`${demo.service.url}/`);
    const icon = () => page.getAttribute('link[rel=icon]', 'href');
    const reference = [await icon(), await page.title()];
    await page.click('header a');
    await page.waitForSelector('h2:text("My quotes")');
    expect(await page.textContent('h1')).toBe('Uniform Builder');
    expect([await icon(), 'API reference · Uniform Builder']).toEqual(reference);
    await page.getByRole('link', { name: 'API reference' }).click();
    await page.waitForSelector('#credentials');
  });

  it('is not there in a deployment, whatever is bound, and nothing leads to it', async () => {
    const deployed = await startService({
      worker: 'all',
      bindings: { DEMO_TOKEN: 'a-token', DEMO_STAFF_TOKEN: 'another', LOCAL: '' },
    });
    for (const path of ['/demo', '/demo/session.json', ...(await files())]) {
      expect((await deployed.fetch(path)).status).toBe(404);
    }
    expect(await (await deployed.fetch('/')).text()).not.toContain('/demo');
    await deployed.stop();
  });
});

describe('the credentials of the demo', () => {
  const site = use(startSite, 'stop');

  it('are not in the page at / when a page of another origin leads there', async () => {
    const page = await openBeforeReference(site.url);
    await page.evaluate(`location.assign('${demo.service.url}/')`);
    await page.waitForSelector('[name=apikey]');
    expect([await page.inputValue('[name=apikey]'), await page.inputValue('[name=token]')]).toEqual(['', '']);
    const own = await openBeforeReference('about:blank');
    await own.goto(`${demo.service.url}/`);
    expect(await own.inputValue('[name=apikey]')).toBe(demo.service.publishableKey);
  });
});
