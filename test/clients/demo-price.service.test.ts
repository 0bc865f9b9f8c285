/**
 * An open quote on the desk of the page `/demo`, in a real browser.
 * @module-tag chromium
 */
import { describe, expect, it } from 'vitest';
import { findings, show, views } from '../setup/axe.ts';
import { use } from '../setup/use.ts';
import { startDesk } from './demo-staff.ts';

const desk = use(startDesk, 'stop');
const at = { submitted_at: '2026-11-01T10:00:00Z' };
const players = [
  { name: 'Ito', number: '00', size: 'M' },
  { name: 'Kim', number: '7', size: 'XL' },
  { name: 'Diaz', number: '12', size: 'S' },
];
const roster = {
  customization: { chest_text: 'Lions', players },
  size_breakdown: { XL: 1, M: 1, S: 1 },
  roster_count: 3,
};
const priced = { unit_price: 10, total_price: 30 };

/** Opens a new quote on the desk, and returns its id. */
async function open(quote: object): Promise<string> {
  const [id = ''] = await desk.insert({ ...at, ...roster, ...quote });
  await desk.go(`quote=${id}`);
  await desk.tab.page.waitForSelector(`.desk-open h2`);
  return id;
}

const read = async (id: string) => {
  const { sql } = desk.service;
  const [row] = await sql`
    select status, fulfillment_status, unit_price::text, total_price::text, currency, expires_at, deleted_at
    from builder.quotes where id = ${id}`;
  return row;
};
const typedIn = (name: string) => desk.tab.page.inputValue(`.desk-open [name=${name}]`);
const fill = (name: string, value: string) => desk.tab.page.fill(`.desk-open [name=${name}]`, value);
const press = (name: string) => desk.tab.page.getByRole('button', { name, exact: true }).click();
const buttons = () => desk.tab.page.locator('.desk-open .moves button').allTextContents();

describe('a quote that is opened', () => {
  it('has the focus, the design, the sizes in order, and the contact', async () => {
    const { page } = desk.tab;
    await open({ company: 'Harbor Club', customer_notes: 'Before <b>May</b>' });
    await expect.poll(() => page.evaluate('document.activeElement.className')).toBe('desk-open');
    expect(await page.locator('.jersey').first().getAttribute('aria-label')).toBe(
      'Front of the jersey: Lions',
    );
    await desk.shows('.desk-open', /3 players 1\s×\sS, 1\s×\sM, 1\s×\sXL/);
    await desk.shows('.desk-open dl', /Harbor Club.*Before <b>May<\/b>/);
    await press('Kim');
    expect(await page.locator('.jersey').last().getAttribute('aria-label')).toBe('Back of the jersey: Kim 7');
  });

  it('gives the focus back to its line when it is closed', async () => {
    const { page } = desk.tab;
    await page.setViewportSize({ width: 390, height: 844 });
    await page.click('text=Back to the queue');
    await expect.poll(() => page.evaluate('document.activeElement.className')).toBe('line');
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  it('that does not exist is said to be none', async () => {
    await desk.go('quote=00000000-0000-4000-8000-000000000001');
    await desk.shows('.desk-open', /There is no such quote/);
  });
});

describe('a price', () => {
  it('per unit and in total are in step, and the rounding is shown', async () => {
    await open({ currency: 'EUR' });
    await fill('unit_price', '33.35');
    expect(await typedIn('total_price')).toBe('100.05');
    await fill('total_price', '100');
    expect(await typedIn('unit_price')).toBe('33.33');
    await desk.shows('.price .hint', '3 × €33.33 = €99.99. The total that is offered is €100.00.');
  });

  it('is stored as it is shown, in the currency of the quote, until the end of the day', async () => {
    const id = await open({ currency: 'KWD' });
    await fill('unit_price', '0.105');
    await fill('expires_at', '2099-12-31');
    await press('Send the offer');
    await desk.shows('.notice.good', /KWD\s0\.315 is with the customer/);
    expect(await read(id)).toMatchObject({ status: 'quoted', unit_price: '0.105', total_price: '0.315' });
    const end = (await read(id))?.['expires_at'];
    expect(end.toString()).toContain('Dec 31 2099 23:59:59');
    await desk.shows('.history', /Quoted at KWD\s0\.315/);
    await expect.poll(() => desk.tab.page.evaluate('document.activeElement.tagName')).toBe('H2');
  });

  it('in whole units has no decimals', async () => {
    await open({ currency: 'JPY' });
    await fill('unit_price', '1200.5');
    await press('Send the offer');
    await desk.shows('.field-error', 'Write a whole amount such as 42.');
  });

  it('that is none is refused at its field, and so is what the service refuses', async () => {
    const id = await open({});
    await fill('unit_price', '1,200');
    await press('Send the offer');
    await desk.shows('.field-error', 'Write an amount such as 42.50.');
    await fill('unit_price', '12');
    await fill('expires_at', '2020-01-01');
    await press('Send the offer');
    await desk.shows('.field:has([name=expires_at]) .field-error', /expires_at must be a time in the future/);
    expect((await read(id))?.['status']).toBe('submitted');
  });

  it('survives a reload, and a change of the quote, which is shown', async () => {
    const { page } = desk.tab;
    const id = await open({});
    await fill('unit_price', '50');
    await page.reload();
    await expect.poll(() => typedIn('unit_price')).toBe('50');
    await desk.service.sql`update builder.quotes set roster_count = 5 where id = ${id}`;
    await desk.shows('.price .notice', /has changed since you began: 3 players became 5 players/);
    expect(await typedIn('total_price')).toBe('150.00');
    await press('I have checked it');
    expect(await typedIn('total_price')).toBe('250.00');
    await press('Send the offer');
    await desk.shows('.notice.good', /\$250\.00 is with the customer/);
    expect(await read(id)).toMatchObject({ unit_price: '50', total_price: '250' });
  });

  it('is not set for a version that was not read', async () => {
    const { page } = desk.tab;
    const id = await open({});
    await fill('unit_price', '20');
    await page.route(/quotes\?select=.*customization/, route => route.abort());
    await desk.service.sql`update builder.quotes set roster_count = 4 where id = ${id}`;
    await press('Send the offer');
    await desk.shows('.price .notice', /The quote has changed meanwhile/);
    await page.unroute(/quotes\?select=.*customization/);
    await desk.shows('.price .notice', /3 players became 4 players/);
    expect([await typedIn('unit_price'), (await read(id))?.['status']]).toEqual(['20', 'submitted']);
  });

  it('is kept while the service can not be reached', async () => {
    const { page } = desk.tab;
    const id = await open({});
    await fill('unit_price', '21');
    await page.context().setOffline(true);
    await press('Send the offer');
    await desk.shows('.price .notice', /can't be reached. Nothing was changed/);
    await page.context().setOffline(false);
    await press('Send the offer');
    await expect.poll(async () => (await read(id))?.['status'], { timeout: 20_000 }).toBe('quoted');
  });
});

describe('the moves', () => {
  it('lead an approved quote to its delivery', async () => {
    const id = await open({ ...priced, status: 'approved' });
    expect(await buttons()).toEqual(['Cancel the quote', 'Place the order']);
    const steps = ['Place the order', 'Start the review', 'Start preparing', 'Ship it', 'Mark as delivered'];
    for (const step of steps) {
      await press(step);
      await desk.tab.page.getByRole('button', { name: step, exact: true }).waitFor({ state: 'detached' });
    }
    await desk.shows('.desk-open header', /delivered/);
    expect(await read(id)).toMatchObject({ status: 'ordered', fulfillment_status: 'delivered' });
    expect(await buttons()).toEqual([]);
  });

  it('ask before a quote is cancelled', async () => {
    const { page } = desk.tab;
    const id = await open({ ...priced, status: 'quoted' });
    await press('Cancel the quote');
    await page.keyboard.press('Escape');
    expect((await read(id))?.['status']).toBe('quoted');
    await press('Cancel the quote');
    await page.locator('dialog').getByRole('button', { name: 'Cancel the quote' }).click();
    await desk.shows('.notice.good', 'The quote is cancelled.');
    expect((await read(id))?.['status']).toBe('cancelled');
  });

  it('restore a quote that its customer has deleted', async () => {
    const id = await open({ status: 'rejected', ...priced, deleted_at: new Date().toISOString() });
    await desk.shows('.notice.warning', /was deleted/);
    expect(await buttons()).toEqual(['Restore']);
    await press('Restore');
    await desk.shows('.notice.good', 'The quote is restored.');
    expect(await read(id)).toMatchObject({ status: 'rejected', deleted_at: null });
  });

  it('offer another price to who has rejected one', async () => {
    const id = await open({ ...priced, status: 'rejected' });
    await desk.tab.page.click('text=Make another offer');
    await fill('total_price', '27');
    await press('Send the offer');
    await desk.shows('.notice.good', /\$27\.00 is with the customer/);
    expect(await read(id)).toMatchObject({ status: 'quoted', unit_price: '9', total_price: '27' });
  });
});

describe.each([
  ...views,
  { colorScheme: 'dark', width: 320 } as const,
])('at $width pixels in the $colorScheme', view => {
  it('an open quote fits, and Axe finds nothing', async () => {
    await show(desk.tab.page, view);
    expect(await desk.tab.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
      view.width,
    );
    expect(await findings(desk.tab.page)).toEqual([]);
  });
});
