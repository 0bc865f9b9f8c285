/**
 * The page with the demo's credentials is protected from pages of other origins in a real browser.
 * @module-tag chromium
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Chromium, startChromium, type Tab } from '../setup/chromium.ts';
import { type Service, startService } from '../setup/service.ts';

const token = 'the-demo-token';
let service: Service;
let chromium: Chromium;
let site: Server;
let elsewhere: Tab;

beforeAll(async () => {
  site = createServer((_, response) =>
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<!doctype html><link rel="icon" href="data:,">'),
  );
  await once(site.listen(0, '127.0.0.1'), 'listening');
  [service, chromium] = await Promise.all([
    startService({ bindings: { DEMO_TOKEN: token } }),
    startChromium(),
  ]);
  elsewhere = await chromium.open(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
});
afterAll(async () => {
  await Promise.all([service.stop(), chromium.stop()]);
  site.close();
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
