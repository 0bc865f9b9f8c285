/**
 * A small app as somebody writes it with the recipes, in React and built by Vite (app/), in a real browser: from sign-in to
 * approval, a customer and staff each in a tab, and while connections break.
 * @module-tag chromium
 */
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { build, type PreviewServer, preview } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Link, startLink } from '../faults/link.ts';
import { findings } from '../setup/axe.ts';
import { type Chromium, foreignHosts, startChromium, type Tab } from '../setup/chromium.ts';
import { aGraphic, aQuote } from '../setup/rows.ts';
import { type Service, startService } from '../setup/service.ts';
import { makeTemporaryDirectory } from '../setup/temporary-directory.ts';
import { callerOf } from '../setup/wire.ts';

const account = randomUUID();
let service: Service;
let chromium: Chromium;
let link: Link;
let site: PreviewServer;
let directory: Awaited<ReturnType<typeof makeTemporaryDirectory>>;
let customer: Tab;
let staff: Tab;

beforeAll(async () => {
  [service, chromium, directory] = await Promise.all([
    startService(),
    startChromium(),
    makeTemporaryDirectory(),
  ]);
  link = await startLink(Number(new URL(service.url).port));
  const options = {
    root: fileURLToPath(new URL('app', import.meta.url)),
    logLevel: 'error',
    build: { outDir: directory.path, emptyOutDir: true },
    define: {
      'import.meta.env.VITE_SERVICE': JSON.stringify(`http://127.0.0.1:${link.port}`),
      'import.meta.env.VITE_KEY': JSON.stringify(service.publishableKey),
      // React's strict mode mounts each component twice then, as while an app is developed.
      'process.env.NODE_ENV': '"development"',
    },
    preview: { host: '127.0.0.1', port: 0 },
  } as const;
  await build(options);
  site = await preview(options);
  const file_url = `${site.resolvedUrls?.local[0]}tiger-head.svg`;
  const tiger = aGraphic({ code: 'TIGER-HEAD', name: 'Tiger head', file_url, is_active: true });
  await callerOf(service, service.secretKey).send('POST', '/graphics', tiger);
});
afterAll(async () => {
  await Promise.all([site?.close(), chromium.stop(), link.stop()]);
  await Promise.all([service.stop(), directory.remove()]);
});

/** Opens the app in a tab, where the holder of a token signs in. */
async function signIn(token: string): Promise<Tab> {
  const tab = await chromium.open(site.resolvedUrls?.local[0] ?? '');
  await tab.page.getByLabel('Access token').fill(token);
  await tab.page.getByRole('button', { name: 'Sign in' }).click();
  return tab;
}

/** The page of a tab. One in the background would draw a frame a second, and be clicked at as slowly. */
async function frontOf({ page }: Tab): Promise<Page> {
  await page.bringToFront();
  return page;
}

const click = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();
const textsOf = (page: Page, selector: string) => () => page.locator(selector).allTextContents();
const shows = (page: Page, selector: string, ...texts: (string | RegExp)[]) =>
  expect
    .poll(textsOf(page, selector), { timeout: 20_000 })
    .toEqual(texts.map(text => expect.stringMatching(text)));

describe('the app', () => {
  it('shows both their own page when they sign in', async () => {
    customer = await signIn(await service.token({ account }));
    staff = await signIn(await service.token({ account: randomUUID(), staff: true }));
    await shows(customer.page, 'h1', 'Your quotes');
    await shows(staff.page, 'h1', 'Quotes');
    const signedOut = await chromium.open(site.resolvedUrls?.local[0] ?? '');
    await shows(signedOut.page, 'h1', 'Sign in');
    expect(await findings(signedOut.page)).toEqual([]);
    await signedOut.page.close();
  });

  it('says at each field what is wrong with it, and keeps what was typed', async () => {
    const page = await frontOf(customer);
    await page.getByLabel('Text').fill('Lions');
    await page.getByLabel('Tiger head').check();
    await page.getByLabel('size M').fill('-1');
    await page.getByLabel('size L').fill('3');
    await page.getByLabel('Needed on').fill('in May');
    await click(page, 'Save');
    await shows(page, '[aria-invalid=true]', '', '');
    await shows(
      page,
      'div > [role=alert]:not(:empty)',
      /^size_breakdown\.M must be a whole number that is not negative; it is -1\.$/,
      /^event_date must be a date in the form YYYY-MM-DD; it is "in May"\.$/,
    );
    expect(await page.getByLabel('Text').inputValue()).toBe('Lions');
    expect(await findings(page)).toEqual([]);
  });

  it('saves a draft with a jersey and a graphic, and changes it', async () => {
    const page = await frontOf(customer);
    await page.getByLabel('size M').fill('0');
    await page.getByLabel('Needed on').fill('2027-05-01');
    await click(page, 'Save');
    await shows(page, 'h2', /^QT-/);
    await shows(page, 'li', /^QT-\S+ “Lions” is draft/);
    await page.getByLabel('Text').fill('Tigers');
    await click(page, 'Save');
    const design = async () =>
      (await service.sql`select customization, size_breakdown, roster_count from builder.quotes`)[0];
    await expect.poll(design).toEqual({
      customization: { jersey: { text: 'Tigers', graphics: ['TIGER-HEAD'] } },
      size_breakdown: { S: 0, M: 0, L: 3 },
      roster_count: 3,
    });
    await shows(page, 'li', /^QT-\S+ “Tigers” is draft/);
  });

  it('opens the draft again as it was saved', async () => {
    const page = await frontOf(customer);
    await click(page, 'New quote');
    expect(await page.getByLabel('Text').inputValue()).toBe('');
    await click(page, /^Open QT-/);
    expect(await page.getByLabel('Text').inputValue()).toBe('Tigers');
    expect(await page.getByLabel('Tiger head').isChecked()).toBe(true);
  });

  it('brings what is submitted to the desk, which counts it', async () => {
    await shows(staff.page, 'tr', /^draft1/);
    await click(await frontOf(customer), 'Submit');
    await shows(staff.page, 'tr', /^submitted1/);
    await shows(staff.page, 'li', /^QT-\S+: 3 × “Tigers”/);
    expect(await findings(staff.page)).toEqual([]);
  });

  it('shows the customer a price as soon as staff have sent it', async () => {
    const page = await frontOf(staff);
    await page.getByLabel('USD each').fill('41.5');
    await click(page, /^Price QT-/);
    await shows(customer.page, 'li', /is quoted for 124\.50 USD/);
    await shows(staff.page, 'tr', /^quoted1124\.50 USD/);
    await shows(staff.page, 'li');
  });

  it('refuses to approve another price than the one that is shown', async () => {
    await service.sql`update builder.quotes set unit_price = 40, total_price = 120`;
    // What is shown here does not wait for the live update: the request is changed to the old total.
    await customer.page.route(/total_price=eq/, route =>
      route.continue({
        url: route
          .request()
          .url()
          .replace(/total_price=eq\.[\d.]+/, 'total_price=eq.124.5'),
      }),
    );
    await shows(customer.page, 'li', /is quoted for 120\.00 USD/);
    await click(await frontOf(customer), 'Approve 120.00 USD');
    await shows(customer.page, 'li [role=alert]', /./);
    await customer.page.unrouteAll();
    expect(await service.sql`select status from builder.quotes`).toEqual([{ status: 'quoted' }]);
  });

  it('approves the price that was seen, which the desk is told of', async () => {
    await click(await frontOf(customer), 'Approve 120.00 USD');
    await shows(customer.page, 'li', /is approved for 120\.00 USD/);
    await shows(staff.page, 'tr', /^approved1120\.00 USD/);
  });
});

const insert = (quote_number: string) =>
  service.sql`insert into builder.quotes ${service.sql(aQuote(account, { quote_number }))}`;
const removeAll = () => service.sql`delete from builder.quotes`;

describe('live rows', () => {
  it('have what is written while they are read', async () => {
    const page = await frontOf(customer);
    await removeAll();
    await shows(page, 'li');
    await insert('QT-2026-90001');
    await shows(page, 'li', /^QT-2026-90001/);
    let release = () => {};
    const released = new Promise<void>(resolve => {
      release = resolve;
    });
    let held = 0;
    await page.route(/\/rest\/v1\/quotes/, async route => {
      const response = await route.fetch();
      held += 1;
      await released;
      await route.fulfill({ response });
    });
    await page.reload();
    await expect.poll(() => held).toBeGreaterThan(0);
    await removeAll();
    await insert('QT-2026-90002');
    await shows(staff.page, 'tr', /^draft1/);
    release();
    await shows(page, 'li', /^QT-2026-90002/);
    await page.unrouteAll();
  });

  it('are read again when the service says that changes were missed', async () => {
    const { page } = await signIn(await service.token({ account }));
    let dropped = 0;
    let sayMissed = () => {};
    await page.routeWebSocket(/\/realtime\//, socket => {
      socket.connectToServer().onMessage(frame => {
        const text = String(frame);
        if (/"type":"(INSERT|DELETE)"/.test(text)) {
          dropped += 1;
          return;
        }
        if (text.includes('"system"')) {
          sayMissed = () => socket.send(text.replace('"status":"ok"', '"status":"error"'));
        }
        socket.send(frame);
      });
    });
    await page.reload();
    await shows(page, 'li', /^QT-2026-90002/);
    await expect.poll(() => `${sayMissed}`).toContain('error');
    await removeAll();
    await insert('QT-2026-90003');
    await expect.poll(() => dropped).toBeGreaterThan(1);
    await shows(page, 'li', /^QT-2026-90002/);
    sayMissed();
    await shows(page, 'li', /^QT-2026-90003/);
    await page.close();
  });

  it('are read again when a read has failed, which is said meanwhile', async () => {
    const page = await frontOf(customer);
    await shows(page, 'li', /^QT-2026-90003/);
    let failed = 0;
    await page.route(/\/rest\/v1\/quotes/, route => {
      failed += 1;
      return route.fulfill({
        status: 400,
        headers: { 'access-control-allow-origin': '*' },
        json: { message: 'No.' },
      });
    });
    await service.sql`update builder.quotes set company = 'Lions'`;
    await shows(page, 'main > [role=alert]', 'No.');
    await shows(page, 'li', /^QT-2026-90003/);
    await expect.poll(() => failed).toBeGreaterThan(2);
    await page.unrouteAll();
    await shows(page, 'main > [role=alert]', '');
  });

  it('have what was written while the connection was broken', async () => {
    await link.refuse();
    await removeAll();
    await insert('QT-2026-90004');
    await link.resume();
    await shows(customer.page, 'li', /^QT-2026-90004/);
  });
});

it('asks nobody else', () => {
  expect([...foreignHosts(customer), ...foreignHosts(staff)]).toEqual([]);
});
