/**
 * What was sent, on the page `/demo` in a real browser: below the page, for developers.
 * @module-tag chromium
 */
import { describe, expect, it } from 'vitest';
import { startDemoDeliveries } from '../../functions/local/inbox.ts';
import { deliveryVariables } from '../../functions/local/variables.ts';
import { offersOf } from '../offer/shared.ts';
import { useDatabase } from '../setup/database.ts';
import { use } from '../setup/use.ts';
import { startDemo } from './demo.ts';

const database = useDatabase();
const deliveries = use(() => startDemoDeliveries(), 'stop');
const demo = use(() => {
  const bindings = { ...deliveryVariables(8787, true, {}).variables, ...deliveries.variables };
  const services = { DEMO_DELIVERIES: deliveries.answer };
  return startDemo({ bindings, database: { ...database, drop: async () => {} }, services });
}, 'stop');
const mails = '[aria-label="E-mails"]';

describe('a quote that gets a price', () => {
  it('has its e-mail in the inbox, with the link that stops further ones', async () => {
    const contact_email = 'coach@lions.example';
    const id = await demo.insert({ contact_email, status: 'submitted' });
    await demo.page.goto(`${demo.service.url}/demo#staff?quote=${id}`);
    await demo.page.fill('.desk-open [name=unit_price]', '41.25');
    await demo.press('Send the offer');
    await demo.confirm('Send the offer');
    await demo.shows('.notice.good', /is with the customer/);
    expect(await demo.page.locator(mails).count()).toBe(0);
    await demo.page.focus('.developer > details > summary');
    await demo.page.keyboard.press('Enter');
    await demo.shows(mails, /^Your quote \S+ has its price: \$41\.25\. to coach@lions\.example/);
    await demo.page.locator(`${mails} summary`).first().click();
    const stop = demo.page.locator(`${mails} a:has-text("Unsubscribe")`);
    expect(await stop.getAttribute('href')).toContain('http://127.0.0.1:8787/unsubscribe/');
    const link = demo.page.locator(`${mails} a:has-text("/quotes/")`);
    const place = new URL((await link.getAttribute('href')) ?? '').hash;
    await demo.page.evaluate(`location.hash = ${JSON.stringify(place)}`);
    await demo.shows('main', /\$41\.25/);
  });
});

it('the text of a mail is never HTML', async () => {
  const body = '<img src=x onerror=alert(1)>';
  await demo.notify(body, { channel: 'email', link: 'https://a.example/b' });
  await demo.shows(mails, /^<img src=x onerror=alert\(1\)> to coach/);
  expect(await demo.page.locator(`${mails} img`).count()).toBe(0);
  expect(await demo.page.locator(`${mails} a`).first().getAttribute('href')).toBe('https://a.example/b');
});

it('an offer is approved from its mail, by the link of the login’s address', async () => {
  await offersOf(demo.service).writeSeller();
  await demo.service.sql.unsafe(`create or replace function builder.email_of(account uuid, out address text, out language text)
    language sql stable security definer as $$ select 'robin@lions.example', 'en' $$`);
  const id = await demo.insert({ status: 'submitted', roster_count: 3 });
  await demo.go(`quote=${id}`);
  await demo.page.fill('.desk-open [name=unit_price]', '40');
  await demo.press('Send the offer');
  await demo.confirm('Send the offer');
  await demo.shows(mails, /^Your quote \S+ has its price: \$120\.00\. to robin@lions\.example/);
  await demo.page.locator(`${mails} summary`).first().click();
  const link = demo.page.locator(`${mails} a:has-text("/offer?token=")`);
  const { pathname, search } = new URL((await link.getAttribute('href')) ?? '');
  const { page } = await demo.chromium.openWithoutScripts(demo.service.url + pathname + search);
  await page.locator('form.approve').getByLabel('Your name').fill('Robin Diaz');
  await page.getByRole('button', { name: 'Approve for $120.00' }).click();
  await page.getByText('This offer was approved.').waitFor();
  await demo.shows('.desk-open .history', /Approved Offer 1 · \$120\.00by Robin Diaz, by a link/);
});

it('logs no error in the browser, and no line for polling', () => {
  expect(demo.tab.problems).toEqual([]);
  expect(demo.service.logs.filter(line => /demo\/inbox/.test(line))).toEqual([]);
});

it('/demo/inbox is served to the developer only', async () => {
  const { status, headers } = await demo.service.fetch('/demo/inbox');
  expect([status, headers.get('access-control-allow-origin')]).toEqual([200, null]);
  const elsewhere = { headers: { 'sec-fetch-site': 'cross-site' } };
  expect((await demo.service.fetch('/demo/inbox', elsewhere)).status).toBe(404);
});
