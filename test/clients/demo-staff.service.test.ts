/**
 * An open quote of the staff on the page `/demo`, in a real browser.
 * @module-tag chromium
 */
import { describe, expect, it, onTestFinished } from 'vitest';
import { use } from '../setup/use.ts';
import { expectToFit, startDemo } from './demo.ts';

const demo = use(startDemo, 'stop');

const players = [
  { name: 'Ito', number: '00', size: 'M' },
  { name: 'Kim', number: '7', size: 'XL' },
  { name: 'Diaz', number: '12', size: 'S' },
];
const roster = {
  customization: { jersey: { text: 'Lions', graphics: ['TIGER-HEAD'] }, players },
  size_breakdown: { XL: 1, M: 1, S: 1 },
  roster_count: 3,
};
const priced = { unit_price: 10, total_price: 30 };
const read = async (id: string) => {
  const [row] = await demo.service.sql`
    select status, fulfillment_status, unit_price::text, total_price::text, expires_at, deleted_at
    from builder.quotes where id = ${id}`;
  return row;
};
/** Stores a quote, opens it on the desk, and returns its id. */
async function open(quote: object): Promise<string> {
  const id = await demo.insert({ status: 'submitted', ...roster, ...quote });
  await demo.go(`quote=${id}`);
  await demo.page.waitForSelector('.desk-open h2');
  return id;
}
const typed = (name: string) => demo.page.inputValue(`.desk-open [name=${name}]`);
const fill = (name: string, value: string) => demo.page.fill(`.desk-open [name=${name}]`, value);
const moves = () => demo.page.locator('.desk-open header button').allTextContents();

describe('an open quote', () => {
  it('has the focus, the design, the sizes in order, and the contact', async () => {
    await demo.go('');
    await demo.page.waitForSelector('.desk-queue');
    await open({ company: 'Harbor Club', customer_notes: 'Before <b>May</b>' });
    await expect.poll(() => demo.focused('className')).toBe('desk-open');
    const labels = () =>
      demo.page
        .locator('.desk-open .jersey')
        .evaluateAll(all => all.map(one => one.getAttribute('aria-label')));
    expect((await labels())[0]).toContain('Lions');
    await expect.poll(() => demo.page.locator('.desk-open .jersey image').count()).toBe(1);
    await demo.shows('.desk-design', /3 players 1\s×\sS, 1\s×\sM, 1\s×\sXL/);
    await demo.shows('.desk-facts', /Harbor Club.*Before <b>May<\/b>/);
  });

  it('links to the address and the phone that the customer typed, and to nothing in them', async () => {
    await open({ contact_email: 'sam+b?bcc=a&body=%41@club.example', contact_phone: '+1 555;x?y#' });
    const links = demo.page.locator('.desk-facts a');
    expect(await links.evaluateAll(all => all.map(one => one.getAttribute('href')))).toEqual([
      'mailto:sam+b%3Fbcc%3Da%26body%3D%2541@club.example',
      'tel:+1%20555%3Bx%3Fy%23',
    ]);
  });

  it('gives the focus back to its line when it is closed, or to the heading when it has left the list', async () => {
    await demo.page.waitForSelector('.desk-line[aria-current]');
    await demo.page.click('text=All quotes');
    await expect.poll(() => demo.focused('className')).toBe('desk-line');
    await open({ ...priced, status: 'quoted' });
    await demo.page.click('text=All quotes');
    await expect.poll(() => demo.focused('textContent')).toBe('Quotes');
  });
});

describe('a roster of sixty players', () => {
  const many = Array.from({ length: 60 }, (_, at) => ({
    ...{
      name: `Player ${at}`,
      number: String(at).padStart(2, '0'),
      size: ['Youth M', 'LG', 'Large', '2X'][at % 4],
    },
  }));
  const job = {
    customization: { ...roster.customization, players: many },
    roster_count: 60,
    size_breakdown: { LG: 60 },
  };
  const dates = { event_date: '2099-05-02', estimated_delivery_at: '2099-04-20T12:00:00Z' };
  const lines = () => demo.page.locator('.desk-design tbody tr');

  it('is shown without a box to scroll in, and with one spelling of each size', async () => {
    const notes = { customer_notes: 'A C for the captain', company: 'Harbor Club' };
    await open({ ...job, ...dates, ...notes, ...priced, status: 'approved' });
    await demo.shows('.desk-design h3', /60 players 15\s×\sYM, 30\s×\sL, 15\s×\s2XL/);
    await demo.shows('.desk-design tbody tr:last-child', 'Player 59592XL');
    const scrolls = `[...document.querySelectorAll('.desk-open *')].filter(({ scrollHeight, clientHeight }) =>
      clientHeight > 100 && scrollHeight > clientHeight).length`;
    expect(await demo.page.evaluate(scrolls)).toBe(0);
  });

  it('is printed in full, with number, dates, notes, pictures and sizes, and without what is only for the screen', async () => {
    onTestFinished(async () => {
      await demo.page.emulateMedia({ media: null });
      await demo.page.setViewportSize({ width: 1280, height: 900 });
    });
    await demo.page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await lines().last().isVisible()).toBe(true);
    const printed = await demo.page.innerText('body');
    expect(printed).toMatch(/QT-\d{4}-\d{5}/);
    for (const part of [
      'Harbor Club',
      'event May 2, 2099',
      'due Apr 20, 2099',
      'A C for the captain',
      '60 players',
    ]) {
      expect(printed).toContain(part);
    }
    expect(printed).toMatch(/Price\s+\$30\.00 60 players, \$10\.00 each/);
    expect(printed).not.toMatch(
      /Customer\n|All quotes|State|History|Print|Send the offer|Valid until|developers/,
    );
    await demo.page.setViewportSize({ width: 1032, height: 703 }); // A4 on its side
    expect((await demo.page.locator('.desk-open h2').boundingBox())?.y).toBeLessThan(20);
    expect(await demo.page.locator('.desk-list').isVisible()).toBe(false);
    expect(await demo.page.locator('.desk-open .jersey:visible').count()).toBe(2);
    // On a dark screen, too, the letters are dark on paper.
    expect(await demo.page.evaluate('getComputedStyle(document.body).color')).toBe('rgb(20, 23, 31)');
  });
});

describe('a price', () => {
  it('that is not there yet has no heading in print, and labels in print are bold', async () => {
    onTestFinished(() => demo.page.emulateMedia({ media: null }));
    await open({ company: 'Harbor Club' });
    await demo.page.emulateMedia({ media: 'print' });
    await expect.poll(() => demo.page.innerText('.desk-open')).not.toContain('Price');
    const weight = `getComputedStyle(document.querySelector('.desk-facts dt')).fontWeight`;
    await expect.poll(() => demo.page.evaluate(weight)).toBe('600');
  });

  it('is stored as it was shown, in the quote’s currency, until the end of the day', async () => {
    const id = await open({ currency: 'KWD' });
    await fill('unit_price', '0.105');
    await fill('expires_at', '2099-12-31');
    await demo.press('Send the offer');
    await demo.confirm('Send the offer');
    await demo.shows('.notice.good', /KWD\s0\.315 is with the customer/);
    expect(await read(id)).toMatchObject({ status: 'quoted', unit_price: '0.105', total_price: '0.315' });
    expect(String((await read(id))?.['expires_at'])).toContain('Dec 31 2099 23:59:59');
    await demo.shows('.history', /Offer 1 · KWD\s0\.315/);
    await expect.poll(() => demo.focused('tagName')).toBe('H2');
  });

  it('shows what the service refuses at its field', async () => {
    const id = await open({});
    await fill('unit_price', '12');
    await fill('expires_at', '2020-01-01');
    await demo.press('Send the offer');
    await demo.confirm('Send the offer');
    await demo.shows('.field:has([name=expires_at])', /must be a time in the future/);
    expect((await read(id))?.['status']).toBe('submitted');
  });

  it('that was typed stays while another quote is open, and when the quote changes, which is shown', async () => {
    const id = await open({});
    await fill('unit_price', '50');
    await open({});
    await demo.go(`quote=${id}`);
    await expect.poll(() => typed('unit_price')).toBe('50');
    await demo.service.sql`update builder.quotes set roster_count = 5 where id = ${id}`;
    await demo.shows('.desk-form .notice', /has changed since you began: 3 players became 5 players/);
    expect(await typed('total_price')).toBe('150.00');
    await demo.press('I have checked it');
    await demo.press('Send the offer');
    await demo.confirm('Send the offer');
    await demo.shows('.notice.good', /\$250\.00 is with the customer/);
    expect(await read(id)).toMatchObject({ unit_price: '50', total_price: '250' });
  });
});

/** Returns the first line of the newest message to the customer. */
const lastMessage = async () => {
  const [row] = await demo.service.sql`select body from builder.notifications order by id desc limit 1`;
  return String(row?.['body']).split('\n')[0];
};

it.each([
  ['submitted', 'quote', { unit_price: '50' }, 'Send the offer'],
  ['quoted', 'Change the offer', { unit_price: '51' }, 'Send the offer'],
  ['quoted', 'Change the offer', { expires_at: '2099-12-31' }, 'Send the offer'],
  ['approved', 'Offer another price', { unit_price: '52' }, 'Send the offer'],
  ['ordered', 'order', { estimated_delivery_at: '2099-12-06' }, 'Save'],
])('of a quote that is %s, what is sent is what the dialog showed: %s', async (status, summary, values, button) => {
  await open(status === 'submitted' ? { status } : { ...priced, status });
  if (summary.includes(' ')) {
    await demo.page.getByText(summary, { exact: true }).click();
  }
  for (const [name, value] of Object.entries(values)) {
    await fill(name, value);
  }
  await demo.press(button);
  const announced = await demo.page.textContent('dialog blockquote');
  await demo.confirm(button === 'Save' ? 'Save the day' : button);
  await demo.shows('.notice.good', /customer/);
  expect(announced).toMatch(new RegExp(`^${(await lastMessage())?.replaceAll(/[$.]/g, '\\$&')}`));
});

describe('the moves', () => {
  it('lead an approved quote to its delivery, and ask before it is ordered without an address', async () => {
    const id = await open({ ...priced, status: 'approved' });
    expect(await moves()).toEqual(['Cancel the quote', 'Place the order']);
    await demo.press('Place the order');
    await demo.shows('dialog h2', 'Order without an address?');
    await demo.confirm('Place the order');
    for (const step of ['Start the review', 'Start preparing', 'Ship it', 'Mark as delivered']) {
      await demo.press(step);
      const announced = await demo.page.textContent('dialog blockquote');
      await demo.confirm(step);
      await expect.poll(lastMessage).toBe(announced);
    }
    await demo.shows('.desk-open .badge', 'delivered');
    expect(await read(id)).toMatchObject({ status: 'ordered', fulfillment_status: 'delivered' });
    expect(await moves()).toEqual([]);
  });

  it('restore a quote that its customer has deleted', async () => {
    const id = await open({ ...priced, status: 'rejected', deleted_at: new Date().toISOString() });
    expect(await moves()).toEqual(['Restore']);
    await demo.press('Restore');
    await demo.confirm('Restore');
    await demo.shows('.notice.good', 'The quote is restored.');
    expect(await read(id)).toMatchObject({ status: 'rejected', deleted_at: null });
  });
});

it('the states beside an open quote are a list to choose from, of which nothing is cut off', async () => {
  await open({});
  await demo.page.selectOption('.desk-list [name=state]', 'approved');
  await expect.poll(() => demo.page.url()).toMatch(/state=approved&quote=/);
  await demo.shows('.desk-list [name=state] option:checked', /^To order \d+$/);
  const cut = `[...document.querySelectorAll('.desk-list, .desk-list *')].filter(
    ({ scrollWidth, clientWidth, className }) => clientWidth > 0 && scrollWidth > clientWidth &&
      !/^desk-(who|what|number)$/.test(className)).length`;
  expect(await demo.page.evaluate(cut)).toBe(0);
});

it('what the staff typed is kept through Back, Forward and a reload, and Escape from what asks', async () => {
  const id = await open({ ...priced, status: 'quoted' });
  await demo.page.getByText('Change the offer').click();
  await fill('unit_price', '77');
  await fill('body', 'Red is sold out');
  await demo.press('Send the offer');
  await demo.page.keyboard.press('Escape');
  await demo.go('');
  await demo.page.goBack();
  await demo.page.goBack();
  await demo.page.goForward();
  await demo.page.reload();
  await demo.page.waitForSelector(`.desk-line[id="line ${id}"], .desk-open h2`);
  await demo.go(`quote=${id}`);
  await demo.page.getByText('Change the offer').click();
  expect([await typed('unit_price'), await typed('body')]).toEqual(['77', 'Red is sold out']);
});

it('an open quote fits from 1280 to 320 pixels, in the light and in the dark, and Axe finds nothing', () =>
  expectToFit(demo.tab));
