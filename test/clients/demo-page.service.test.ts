/**
 * The page with the demo's credentials is protected from pages of other origins in a real browser.
 * @module-tag chromium
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { startChromium, type Tab } from '../setup/chromium.ts';
import { useService } from '../setup/service.ts';
import { startSite } from '../setup/site.ts';
import { use } from '../setup/use.ts';

const token = 'the-demo-token';
const service = useService({ bindings: { DEMO_TOKEN: token } });
const chromium = use(startChromium, 'stop');
const site = use(startSite, 'stop');
let elsewhere: Tab;
beforeAll(async () => {
  elsewhere = await chromium.open(site.url);
});

/** The text that a script of another origin can read. */
const readFrom = (url: string, mode: 'cors' | 'no-cors'): Promise<string> =>
  elsewhere.page.evaluate(
    `fetch('${url}', { mode: '${mode}' }).then(response => response.text(), error => error.name)`,
  );

describe('a page of another origin', () => {
  it('cannot read the page', async () => {
    expect(await readFrom(`${service.url}/`, 'cors')).toBe('TypeError');
    expect(await readFrom(`${service.url}/`, 'no-cors')).toBe('');
  });

  it('can link to the page, which then contains no key', async () => {
    const { page } = await chromium.open(elsewhere.page.url());
    await page.evaluate(`location.assign('${service.url}/')`);
    await page.waitForSelector('[name=apikey]');
    expect(await page.inputValue('[name=apikey]')).toBe('');
    expect(await page.inputValue('[name=token]')).toBe('');
  });

  it('cannot start the sweep', async () => {
    const sweep = `${service.url}/cdn-cgi/handler/scheduled`;
    expect(JSON.parse(await readFrom(sweep, 'cors'))).toMatchObject({ code: 'PT403' });
    await readFrom(sweep, 'no-cors');
    await elsewhere.page.evaluate(
      `new Promise(resolve => Object.assign(new Image(), { onerror: resolve, src: '${sweep}' }))`,
    );
    expect(service.logs.filter(line => line.includes('"code":"PT403"'))).toHaveLength(3);
    expect(service.logs.join()).not.toContain('"event":"sweep"');
  });
});

describe('the developer', () => {
  it('opens the page, which contains the demo’s key and token', async () => {
    const { page } = await chromium.open(`${service.url}/`);
    expect(await page.inputValue('[name=apikey]')).toBe(service.publishableKey);
    expect(await page.inputValue('[name=token]')).toBe(token);
  });

  it('starts the sweep by opening its URL', async () => {
    const { page } = await chromium.open(`${service.url}/cdn-cgi/handler/scheduled`);
    expect(await page.textContent('body')).toContain('The sweep ran.');
    await expect.poll(() => service.logs.join()).toContain('"event":"sweep"');
  });
});
