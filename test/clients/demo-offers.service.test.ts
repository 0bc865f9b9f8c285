/**
 * The offers of a quote on the page `/demo`, on both sides, in a real browser: from the first price on.
 * @module-tag chromium
 */
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { foreignHosts, type Tab } from '../setup/chromium.ts';
import { use } from '../setup/use.ts';
import { expectToFit, startDemo } from './demo.ts';

const demo = use(startDemo, 'stop');
const page = () => demo.page;
const dialog = () => page().getByRole('dialog');
let id = '';

const ito = { name: 'Ito', number: '00', size: 'M' };
const kim = { name: 'Kim', number: '7', size: 'XL' };
const diaz = { name: 'Diaz', number: '12', size: 'S' };
const designOf = (text: string, players: (typeof ito)[]) => ({
  customization: { jersey: { text, graphics: ['TIGER-HEAD'], fabric: 'mesh' }, players },
  size_breakdown: Object.fromEntries(players.map(({ size }) => [size, 1])),
  roster_count: players.length,
});
const navy = { primary: '#14284b', secondary: '#ffffff', accent: '#f0b323' };

/** Changes the quote as staff's own program does, which names the version that it read. */
async function change(row: object): Promise<void> {
  const [{ updated_at }] = (await demo.staff.get(`/quotes?id=eq.${id}&select=updated_at`)).body;
  const version = `/quotes?id=eq.${id}&updated_at=eq.${encodeURIComponent(updated_at)}`;
  expect((await demo.staff.send('PATCH', version, row)).status).toBe(204);
}

async function open(side: 'customer' | 'staff'): Promise<void> {
  await page().evaluate(`location.hash = '#${side}?quote=${id}'`);
  await page().waitForSelector('.history li');
}

/** Prices the quote at the desk. */
async function offer(unit: string): Promise<void> {
  await open('staff');
  await page().fill('[name=unit_price]', unit);
  await demo.press('Send the offer');
  await demo.confirm('Send the offer');
  await demo.shows('.notice.good', /is with the customer/);
}

/** Polls the rows of what differs: the label, and then what is and what was. */
const compared = () =>
  expect.poll(() =>
    page().evaluate<string[]>(`[...document.querySelectorAll('dialog .facts > div:has(mark)')]
      .map(row => row.innerText.replaceAll(/\\s*\\n/g, ' | '))`),
  );

beforeAll(async () => {
  id = await demo.insert({ status: 'submitted', ...designOf('Lions', [ito, kim, diaz]), colors: navy });
});

describe('the offers of a quote', () => {
  it('the history lists the offers, and shows the first one whole', async () => {
    await offer('10');
    await open('customer');
    await demo.shows('.history li:first-child', /^Priced Offer 1 · \$30\.00by the staff, /);
    await demo.press('Offer 1 · $30.00');
    await demo.shows('dialog .facts', /Total\$30\.00Each\$10\.00.*Sizes1 × S, 1 × M, 1 × XL.*FabricNavy/);
    await demo.shows('dialog details', /00 Ito, M\n7 Kim, XL\n12 Diaz, S/);
    await page().keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await expect.poll(() => demo.focused('textContent')).toBe('Offer 1 · $30.00');
  });

  it('an offer is shown with what differs from the one before', async () => {
    await demo.press('Ask for changes');
    await page().getByLabel('What should be different?').fill('Kim wears L, and Lee comes for Diaz. In red?');
    await demo.press('Ask for it');
    await demo.shows('.page-head', /submitted/);
    const players = [ito, { ...kim, size: 'L' }, { name: 'Lee', number: '3', size: 'S' }];
    await change({ ...designOf('Lions', players), colors: { ...navy, primary: '#c2202e' } });
    await offer('12.50');
    await open('customer');
    await demo.press('Offer 2 · $37.50');
    await compared().toEqual([
      'Total | $37.50 | instead of $30.00',
      'Each | $12.50 | instead of $10.00',
      'Sizes | 1 × S, 1 × M, 1 × L | instead of 1 × S, 1 × M, 1 × XL',
      'Fabric | Red | instead of Navy',
      'Players | 7 Kim, L | 3 Lee, S | instead of 7 Kim, XL | 12 Diaz, S',
    ]);
    await demo.shows('dialog', /Number of players3 players/);
    await expectToFit(demo.tab);
    await dialog().getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => demo.focused('textContent')).toBe('Offer 2 · $37.50');
  });
});

it('a quote, its history and its offers are one request', async () => {
  const requests: URL[] = [];
  const note = (request: { url(): string }) => void requests.push(new URL(request.url()));
  page().on('request', note);
  onTestFinished(() => void page().off('request', note));
  await page().goto(`${demo.service.url}/demo#customer?quote=${id}`);
  await page().reload();
  await demo.shows('.history', /Offer 2 · \$37\.50/);
  const reads = requests.filter(({ pathname }) => /^\/rest\/v1\/quote_/.test(pathname));
  expect(reads).toEqual([]);
  const selects = requests.map(({ searchParams }) => searchParams.get('select'));
  expect(selects).toContainEqual(expect.stringMatching(/^id,.*,quote_events\(.*,quote_offers\(/));
});

describe('in browsers of two countries', () => {
  /** The tabs of somebody in Los Angeles, and of somebody in Tokyo whose browser is German. */
  let [west, east] = [] as unknown as [Tab, Tab];
  beforeAll(async () => {
    const url = `${demo.service.url}/demo`;
    west = await demo.chromium.openAs(url, 'en-US', 'America/Los_Angeles');
    east = await demo.chromium.openAs(url, 'de-DE', 'Asia/Tokyo');
  });
  const shows = (tab: Tab, selector: string, text: string | RegExp) =>
    expect.poll(() => tab.page.textContent(selector)).toMatch(text);
  const openIn = async (tab: Tab, side: 'customer' | 'staff', quote: string) => {
    await tab.page.evaluate(`location.hash = '#${side}?quote=${quote}'`);
    await tab.page.waitForSelector(side === 'staff' ? '.desk-open h2' : '.page-head .muted:has-text("QT-")');
  };
  const press = (tab: Tab, name: string | RegExp) => tab.page.getByRole('button', { name }).click();
  const confirm = (tab: Tab, name: string) =>
    tab.page.getByRole('dialog').getByRole('button', { name }).click();

  it('a day of arrival is the same in every zone, and saving it unchanged leaves it as it is', async () => {
    const prices = { unit_price: 10, total_price: 30, roster_count: 3 };
    const quote = await demo.insert({ ...prices, status: 'ordered' });
    const stored = async () =>
      (await demo.staff.get(`/quotes?id=eq.${quote}&select=estimated_delivery_at`)).body[0];
    await openIn(west, 'staff', quote);
    await west.page.fill('.desk-open [name=estimated_delivery_at]', '2099-12-06');
    await press(west, 'Save');
    await confirm(west, 'Save the day');
    await shows(west, '.desk-open header', /due Dec 6, 2099/);
    const before = await stored();
    await openIn(east, 'staff', quote);
    await expect.poll(() => east.page.inputValue('[name=estimated_delivery_at]')).toBe('2099-12-06');
    await press(east, 'Save');
    await confirm(east, 'Save the day');
    await shows(east, '.notice.good', /sees the day of arrival/);
    expect(await stored()).toEqual(before);
    await openIn(east, 'customer', quote);
    await shows(east, '.offer', /Expected on 06\.12\.2099/);
  });

  it('an amount that reads two ways is asked about, and written as the reader writes it', async () => {
    const quote = await demo.insert({ status: 'submitted', roster_count: 3 });
    await openIn(east, 'staff', quote);
    await east.page.fill('.desk-open [name=unit_price]', '1.500');
    await shows(east, '.desk-form .notice', /Which amount is 1\.500\?/);
    await press(east, 'Send the offer');
    await shows(east, '.field-error', /Choose which amount you mean/);
    await press(east, /^1\.500,00\s\$/);
    expect(await east.page.inputValue('[name=total_price]')).toBe('4500,00');
    await press(east, 'Send the offer');
    await confirm(east, 'Send the offer');
    await shows(east, '.notice.good', /4\.500,00\s\$ is with the customer/);
  });

  it('the customer reads with the quote what the staff answer, in the bell and after it was dismissed', async () => {
    await demo.service.sql`delete from builder.notifications`;
    await openIn(east, 'staff', await demo.insert({ status: 'submitted', customer_notes: 'In red?' }));
    await east.page.fill('.desk-open [name=body]', 'Red is sold out until May.');
    await press(east, 'Send the message');
    await shows(east, '.messages', /^Red is sold out until May\./);
    await west.page.evaluate("location.hash = '#customer'");
    await west.page.getByRole('button', { name: 'Notifications, 1 new' }).click();
    await west.page.getByRole('link', { name: 'Open the quote' }).click();
    await shows(west, '.standing .messages', /^Red is sold out until May\./);
    await west.page.getByRole('button', { name: 'Notifications', exact: true }).waitFor();
  });
});

it('a quote opens without its offers where they are too large to be read with it', async () => {
  const customization = { jersey: { text: 'Bears' }, notes: 'x'.repeat(1_000_000) };
  const prices = { unit_price: 10, total_price: 100 };
  const quote = await demo.insert({ status: 'quoted', customization, ...prices });
  for (const number of [2, 3, 4]) {
    await demo.service.sql`insert into builder.quote_offers
      (quote_id, account_id, number, unit_price, total_price, currency, product_id, sport, customization, created_as)
      select quote_id, account_id, ${number}, unit_price, total_price, currency, product_id, sport, customization, created_as
      from builder.quote_offers where quote_id = ${quote} and number = 1`;
  }
  await demo.go(`quote=${quote}`);
  await demo.shows('.history li', /^Priced by/);
  demo.tab.problems.length = 0; // The browser logs the request that was refused.
});

it('offers that are shown log no error in the browser, and ask nobody else', () => {
  expect(demo.tab.problems).toEqual([]);
  expect(foreignHosts(demo.tab)).toEqual([]);
});
