/**
 * The page `/demo` in a real browser: what becomes of a quote as its history, in the inbox, and for a webhook.
 * @module-tag chromium
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccessToken } from '../../functions/local/access-token.ts';
import { deliveryVariables } from '../../functions/local/delivery-variables.ts';
import { type DemoDeliveries, startDemoDeliveries } from '../../functions/local/demo-deliveries.ts';
import { type Receivers, startReceivers } from '../delivery/receivers.ts';
import { findings, show, views } from '../setup/axe.ts';
import { type Chromium, startChromium, type Tab } from '../setup/chromium.ts';
import { createDatabase } from '../setup/database.ts';
import { aNotification } from '../setup/rows.ts';
import { type Service, startService } from '../setup/service.ts';
import { callerOf } from '../setup/wire.ts';

const jwtSecret = randomUUID();
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const account = randomUUID();
let service: Service;
let deliveries: DemoDeliveries;
let receivers: Receivers;
let chromium: Chromium;
let tab: Tab;

beforeAll(async () => {
  const [database, customer, staff] = await Promise.all([
    createDatabase(),
    createAccessToken(jwtSecret, { account }),
    createAccessToken(jwtSecret, { account: randomUUID(), staff: true }),
  ]);
  deliveries = await startDemoDeliveries(database.ownerUrl);
  const bindings = {
    ...{ JWT_SECRET: jwtSecret, DEMO_TOKEN: customer, DEMO_STAFF_TOKEN: staff },
    ...deliveryVariables(8787, true, {}).variables,
    ...deliveries.variables,
  };
  [service, chromium, receivers] = await Promise.all([
    startService({ bindings, database, services: { DEMO_DELIVERIES: deliveries.answer } }),
    startChromium(),
    startReceivers(),
  ]);
  await service.sql`
    insert into builder.webhooks ${service.sql({ url: `${receivers.url}/200`, secrets: [secret] })}`;
  tab = await chromium.open(`${service.url}/demo`);
});
afterAll(async () => {
  await Promise.all([deliveries.stop(), chromium.stop(), receivers.stop()]);
  await service.stop();
});

const linesOf = (selector: string) => () => tab.page.locator(`${selector} > li`).allTextContents();
const shows = (selector: string, ...lines: RegExp[]) =>
  expect.poll(linesOf(selector), { timeout: 20_000 }).toEqual(lines.map(line => expect.stringMatching(line)));
const says = (selector: string, text: RegExp) =>
  expect.poll(() => tab.page.textContent(selector), { timeout: 20_000 }).toMatch(text);
/** What is said where a list is empty. */
const saysOfNone = (selector: string): Promise<string> =>
  tab.page.evaluate(`getComputedStyle(document.querySelector('${selector}'), '::before').content`);

describe('a quote on /demo', () => {
  it('has no history while it is a draft', async () => {
    expect(await saysOfNone('#history ol')).toContain('Save a quote');
    expect(await saysOfNone('#inbox ol')).toContain('No e-mail yet');
    await says('#builder .live', /^live$/);
    await tab.page.fill('[name=email]', 'coach@lions.example');
    await tab.page.click('[name=save]');
    await says('#history small', /^QT-/);
    expect(await saysOfNone('#history ol')).toContain('Nothing yet, but that it was saved.');
  });

  it('tells who moved it and at what price', async () => {
    await tab.page.click('[name=submit]');
    await shows('#history ol', /^Submitted by the customer, \d\d:\d\d$/);
    await tab.page.click('#queue button');
    await tab.page.fill('[name=price]', '41.25');
    await tab.page.click('#desk button[name=quote]');
    await shows('#history ol', /^Submitted/, /^Quoted at 82\.50 USD by staff, \d\d:\d\d$/);
  });

  it('has an e-mail in the inbox, which opens by the keyboard and stays open', async () => {
    await shows(
      '#inbox > ol',
      /^Your quote QT-\S+ has its price: \S+ [A-Z]{3}\. to coach@lions\.example, \d\d:\d\d/,
    );
    await tab.page.focus('#inbox summary');
    await tab.page.keyboard.press('Enter');
    await tab.page.click('[name=approve]');
    await shows('#history ol', /^Submitted/, /^Quoted/, /^Approved at 82\.50 USD by the customer/);
    const stop = tab.page.locator('#inbox details[open] a');
    expect(await stop.getAttribute('href')).toContain('http://127.0.0.1:8787/unsubscribe/');
  });

  it('has its e-mail said to who hears the page', async () => {
    await says('#news', /E-mail: Your quote QT-\S+ has its price: \S+ [A-Z]{3}\./);
  });

  it('is told to the webhook, whose secret the page does not have', async () => {
    await says('#webhooks > ol', /\/200 is told of all events.*quote\.approved: sent/);
    expect(await (await service.fetch('/demo/webhooks')).text()).not.toContain('whsec');
  });
});

it('text of a mail is no HTML', async () => {
  const body = '<img src=x onerror=alert(1)>';
  const mail = aNotification(account, { body, channel: 'email', link: 'https://a.example/b' });
  const staff = callerOf(service, service.secretKey);
  await staff.send('POST', '/notifications', mail, { prefer: 'return=minimal' });
  await says('#inbox > ol > li', /^<img src=x onerror=alert\(1\)> to coach/);
  expect(await tab.page.locator('#inbox img').count()).toBe(0);
  expect(await tab.page.locator('#inbox a').first().getAttribute('href')).toBe('https://a.example/b');
});

it('logs no error in the browser, and no line for asking what is new', () => {
  expect(tab.problems).toEqual([]);
  expect(service.logs.filter(line => /demo\/(inbox|webhooks)/.test(line))).toEqual([]);
});

describe.each(views)('at $width pixels in the $colorScheme', view => {
  it('the page fits, with an e-mail open', async () => {
    await show(tab.page, view);
    expect(await tab.page.locator('#inbox details[open]').count()).toBe(1);
    expect(await tab.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(view.width);
  });

  it('Axe finds nothing', async () => {
    expect(await findings(tab.page)).toEqual([]);
  });
});

describe.each(['/demo/inbox', '/demo/webhooks'])('%s', path => {
  it('is there for the developer alone', async () => {
    const { status, headers } = await service.fetch(path);
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, null]);
    expect((await service.fetch(path, { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(404);
  });
});
