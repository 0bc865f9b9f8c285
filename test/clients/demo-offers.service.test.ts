/**
 * The offers of a quote on the page `/demo`, on both sides, in a real browser: from the first price on.
 * @module-tag chromium
 */
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { foreignHosts } from '../setup/chromium.ts';
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
  await demo.shows('.notice.good', /is with the customer/);
}

/** Polls the rows of the comparison, but for the pictures: the label, and then both texts. */
const compared = () =>
  expect.poll(() =>
    page().evaluate<string[][]>(`[...document.querySelectorAll('.offers-table tbody')]
      .map(rows => [...rows.querySelectorAll('th, td')].map(cell => cell.textContent))
      .filter(([label]) => label !== 'Picture')`),
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

  it('two offers are compared side by side: only what differs has a row', async () => {
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
      ['Total', '$30.00', '$37.50'],
      ['Each', '$10.00', '$12.50'],
      ['Sizes', '1 × S, 1 × M, 1 × XL', '1 × S, 1 × M, 1 × L'],
      ['Fabric', 'Navy', 'Red'],
      ['Players', '7 Kim, XL', '7 Kim, L', '12 Diaz, S', '–', '–', '3 Lee, S'],
    ]);
    await demo.shows(
      'dialog',
      /The same in both: number of players, rush order, sport, text, logo, letters and trim/,
    );
    expect(await dialog().locator('.jersey').count()).toBe(4);
    await expectToFit(demo.tab);
    await dialog().getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => demo.focused('textContent')).toBe('Offer 2 · $37.50');
  });

  it('the comparison of offers shows what other builders have changed in the design', async () => {
    const { customization } = designOf('Tigers', [ito]);
    const jersey = { ...customization.jersey, fabric: 'knit' };
    await change({ customization: { ...customization, jersey }, total_price: 40 });
    await open('customer');
    await demo.shows('.history li:nth-child(1)', /^Changed by/);
    await demo.shows('.history li:nth-child(2)', /^Price changed Offer 3 · \$40\.00/);
    await demo.press('Offer 3 · $40.00');
    await compared().toEqual([
      ['Total', '$37.50', '$40.00'],
      ['Sizes', '1 × S, 1 × M, 1 × L', '1 × M'],
      ['Text', 'Lions', 'Tigers'],
      ['Players', '7 Kim, L', '–', '3 Lee, S', '–'],
      ['Other details of the design', 'design.jersey.fabric: mesh', 'design.jersey.fabric: knit'],
    ]);
    await page().keyboard.press('Escape');
  });

  it('a change of the contact is no new offer, and the history says who made it', async () => {
    await page().getByLabel('Phone').fill('+1 555 0100');
    await demo.press('Save');
    await demo.shows('.history li:first-child', /^Changed by the customer, /);
    await open('staff');
    await demo.shows('.history li:first-child', /^Changed by the customer, /);
  });
});

it.each([
  'customer',
  'staff',
] as const)('a quote, its history and its offers are one request: %s', async side => {
  const requests: URL[] = [];
  const note = (request: { url(): string }) => void requests.push(new URL(request.url()));
  page().on('request', note);
  onTestFinished(() => void page().off('request', note));
  await page().goto(`${demo.service.url}/demo#${side}?quote=${id}`);
  await page().reload();
  await demo.shows('.history', /Offer 3 · \$40\.00/);
  const reads = requests.filter(({ pathname }) => /^\/rest\/v1\/quote_/.test(pathname));
  expect(reads).toEqual([]);
  const selects = requests.map(({ searchParams }) => searchParams.get('select'));
  expect(selects).toContainEqual(expect.stringMatching(/^id,.*,quote_events\(.*,quote_offers\(/));
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
