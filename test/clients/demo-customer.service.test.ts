/**
 * The customer's side of the page `/demo` in a real browser: from the first design to the approved price.
 * @module-tag chromium
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { findings, show } from '../setup/axe.ts';
import { foreignHosts } from '../setup/chromium.ts';
import { use } from '../setup/use.ts';
import { expectToFit, startDemo } from './demo.ts';

const demo = use(startDemo, 'stop');
const page = () => demo.page;
const field = (label: string | RegExp) => page().getByLabel(label, { exact: true });
const chooseCsv = (text: string, encoding?: BufferEncoding) =>
  page()
    .getByLabel('CSV file')
    .setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from(text, encoding) });
const dialog = () => page().getByRole('dialog');
async function leaveDialog(): Promise<void> {
  await page().keyboard.press('Escape');
  // One that is closed has no role, but is in the page until React removes it.
  await page().locator('dialog').waitFor({ state: 'detached' });
}
const jersey = (side: 'Front' | 'Back') => page().getByRole('img', { name: new RegExp(`^${side}`) });
const quote = async () => {
  const [row] = await demo.service.sql`
    select id, status, customization, size_breakdown, customer_notes,
      count(*) over ()::int as all
    from builder.quotes order by created_at desc limit 1`;
  return row;
};

/** Prices the quote as staff do. */
async function price(unit_price: number): Promise<void> {
  const id = (await quote())?.['id'];
  const [{ updated_at }] = (await demo.staff.get(`/quotes?id=eq.${id}&select=updated_at`)).body;
  const version = `/quotes?id=eq.${id}&updated_at=eq.${encodeURIComponent(updated_at)}`;
  const expires_at = new Date(Date.now() + 14 * 86_400_000).toISOString();
  const row = { status: 'quoted', unit_price, total_price: (30 * unit_price) / 10, expires_at };
  expect((await demo.staff.send('PATCH', version, row)).status).toBe(204);
}

const fits = () => expectToFit(demo.tab);

describe('a customer', () => {
  it('is invited to design a first uniform', async () => {
    await demo.press('Start designing');
    await page().getByLabel('Text on the chest').waitFor();
  });

  it('sees the text, the logo and the colors on the jersey, by their names', async () => {
    await field('Text on the chest').fill('Lions');
    const fabric = page().getByRole('group', { name: /^Fabric/ });
    await fabric.getByLabel('Forest').check();
    await field('Tiger head').check();
    await demo.shows('.preview', /Forest, White, Gold · Tiger head/);
    expect(await jersey('Front').first().textContent()).toBe('Lions');
    expect(await page().locator('.preview image').getAttribute('href')).toContain('tiger-head.svg');
  });

  it('is asked for a player and an e-mail address before the design is submitted, at the first that is missing', async () => {
    await page().getByRole('button', { name: 'Submit for a price' }).press('Enter');
    await demo.shows('.roster-actions .field-error', /^Add at least one player/);
    await expect.poll(() => demo.focused('textContent')).toBe('Add a player');
    await demo.shows('.field:has([name=contact_email]) .field-error', /^Write an e-mail address/);
    await demo.shows('.action-bar [role=alert]', /^It is not submitted yet\./);
    await demo.press(/^Write an e-mail address/);
    expect(await demo.focused('name')).toBe('contact_email');
    expect(await findings(page())).toEqual([]);
    expect(await quote()).toBeUndefined();
  });

  it('sees what each column of a list is taken for, changes it, and then adds the players', async () => {
    await chooseCsv(
      'Ime;Prezime;Dres;Velicina;Kom\nRobin;Mu\xf1oz;00;Youth M;1\nSam;"Okafor; Jr";07;2X;2',
      'latin1',
    );
    await demo.shows('dialog .field-hint', /^The file was read as Windows-1252/);
    await demo.shows('dialog .roster', /Robin00YM.*Sam072XL/);
    await demo.shows('dialog', /Not used: “Prezime”, “Kom”\./);
    await field('Ime').selectOption('First name');
    await field('Prezime').selectOption('Last name');
    await field('Kom').selectOption('Quantity');
    await demo.shows('dialog .roster', /Robin Muñoz00YM.*Sam Okafor; Jr072XL/);
    await field(/^The first row/).selectOption('is a player');
    await demo.shows('dialog [role=alert]', /^Line 1: “Kom” is not a quantity\./);
    await field(/^The first row/).selectOption('has the titles of the columns');
    await fits();
    await demo.press('Add 3 players');
    await demo.shows('.sections .card-head', /1 × YM, 2 × 2XL/);
    expect(await page().textContent('.sections')).not.toContain('More than one player');
    for (let row = 0; row < 3; row++) {
      await page().getByRole('button', { name: 'Remove player 1' }).click();
    }
  });

  it('pastes a roster from a spreadsheet: "00" stays "00", and sizes are in their order', async () => {
    await demo.press('Paste a list');
    await demo.press('Add players');
    await demo.shows('dialog [role=alert]', /^No players were found in it\./);
    await field(/^Name, number/).fill('No.\tName\tSize\n００\tRobin\tXL\n0\tSam\txs\n7\tAlex\tM');
    await leaveDialog();
    await demo.press('Paste a list');
    await demo.press('Add 3 players');
    await demo.shows('.sections .card-head', /1 × XS, 1 × M, 1 × XL/);
    expect(await jersey('Back').textContent()).toBe('ROBIN00');
    await field('Worn by').selectOption('0 Sam');
    expect(await jersey('Back').textContent()).toBe('SAM0');
  });

  it('adds and removes players by the keyboard', async () => {
    await page().getByRole('button', { name: 'Add a player' }).press('Enter');
    expect(await demo.focused('ariaLabel')).toBe('Name of player 4');
    await page().getByRole('button', { name: 'Remove player 4' }).press('Enter');
    expect(await demo.focused('ariaLabel')).toBe('Remove player 3');
  });

  it('sees an error at its field, which gets the focus', async () => {
    await field('E-mail').fill('robin@');
    await demo.press('Submit for a price');
    await demo.shows('.field-error', /^E-mail must be one e-mail address/);
    await expect.poll(() => demo.focused('name')).toBe('contact_email');
    expect(await findings(page())).toEqual([]);
  });

  it('finds what was typed after a reload, although it was never saved', async () => {
    await page().reload();
    await expect.poll(() => field('Text on the chest').inputValue()).toBe('Lions');
    expect(await field('E-mail').inputValue()).toBe('robin@');
    await page().click('a:has-text("My quotes")');
    await demo.shows('.quotes', /Lions.*not saved/);
    await page().locator('.quote-card').click();
  });

  it('saves a draft once, and goes on with it from the list', async () => {
    await field('E-mail').fill('robin@example.com');
    await page().getByRole('button', { name: 'Save' }).dblclick();
    await demo.shows('.page-head', /draftQT-\d{4}-\d{5} · 3 players/);
    await page().goto(`${demo.service.url}/demo`);
    await demo.shows('.quotes', /LionsQT-\S+ · 3 playersdraft/);
    await page().locator('.quote-card').click();
    expect(await quote()).toMatchObject({
      all: 1,
      customization: {
        jersey: { text: 'Lions', graphics: ['TIGER-HEAD'] },
        players: [{ number: '00' }, { number: '0' }, { number: '7' }],
      },
      size_breakdown: { XS: 1, M: 1, XL: 1 },
    });
  });

  it('submits it by the keyboard, and keeps the focus on the page', async () => {
    await field('Text on the chest').fill('Tigers');
    await page().getByRole('button', { name: 'Submit for a price' }).press('Enter');
    await demo.shows('.page-head', /submitted/);
    await demo.shows('.action-bar .notice', /^Submitted.*to robin@example\.com/);
    await expect.poll(() => demo.focused('textContent')).toBe('Tigers');
    const customization = { jersey: { text: 'Tigers' } };
    expect(await quote()).toMatchObject({ status: 'submitted', customization });
  });

  it('sees the price at once, and until when it holds', async () => {
    await price(41.5);
    await demo.shows('.offer', /\$124\.50.*3 × \$41\.50.*Valid until .*in 14 days/);
  });

  it('asks for another price with a note, and sees how the new one differs', async () => {
    await demo.press('Ask for changes');
    expect(await field('What should be different?').inputValue()).toBe('');
    await field('What should be different?').fill('Could it be 40?');
    await page().context().setOffline(true);
    await demo.press('Ask for it');
    await demo.shows('.action-bar [role=alert]', /can’t be reached/);
    await page().context().setOffline(false);
    await expect.poll(() => page().locator('.action-bar [role=alert]').count()).toBe(0);
    await demo.press('Ask for changes');
    expect(await field('What should be different?').inputValue()).toBe('Could it be 40?');
    await demo.press('Ask for it');
    await demo.shows('.page-head', /submitted/);
    await demo.shows('.history', /^Asked for another price/);
    expect((await quote())?.['customer_notes']).toMatch(/^\d{4}-\d\d-\d\d: Could it be 40\?$/);
    await price(40.3);
    await demo.shows('.offer', /\$120\.90.*It was \$124\.50 before, on /);
  });

  it('rejects it after a question, which can be left by Escape', async () => {
    await demo.press('More');
    await demo.press('Reject');
    await dialog().waitFor();
    await leaveDialog();
    await expect.poll(() => demo.focused('textContent')).toBe('More');
    expect((await quote())?.['status']).toBe('quoted');
    await price(40);
    await demo.shows('.offer', /\$120\.00/);
  });

  const approve = (price: string) =>
    dialog()
      .getByRole('button', { name: `Approve ${price}` })
      .click();

  it('is shown the terms and the total before it approves, and asked for an address', async () => {
    await demo.press('Approve $120.00');
    await demo.shows('dialog .facts', /^Total\$120\.00Each\$40\.00Number of players3 players.*TextTigers/);
    await approve('$120.00');
    await expect.poll(() => demo.focused('name')).toBe('shipping_address.street');
    await demo.shows('dialog .field-error', 'Write the street, or choose to pick the order up.');
    await fits();
    await dialog().getByLabel('Street').fill('1 Main St');
    await dialog().getByLabel('City').fill('Springfield');
    await dialog().getByRole('button', { name: 'Not yet' }).click();
    expect((await quote())?.['status']).toBe('quoted');
  });

  it('does not approve another price than the one that is shown, and is asked anew', async () => {
    await page().route(/quotes\?id=eq\.[^&]*&select/, async route => {
      if (route.request().method() === 'PATCH') {
        await demo.service.sql`update builder.quotes set unit_price = 50, total_price = 150`;
      }
      await route.continue();
    });
    await demo.press('Approve $120.00');
    await approve('$120.00');
    await demo.shows(
      'dialog .notice',
      /^\$120\.00 is not approved\. The offer has changed:Total: \$150\.00 instead of \$120\.00/,
    );
    await demo.shows('.action-bar [role=alert]', /^Not approved\./);
    await page().unrouteAll();
    expect(
      await dialog()
        .getByRole('button', { name: /^Approve/ })
        .count(),
    ).toBe(0);
    await demo.press('Look at the new offer');
    await demo.service.sql`update builder.quotes set expires_at = '2127-02-03T12:00:00Z'`;
    await demo.shows('dialog .notice', /^\$150\.00 is not approved.*Valid until: Feb 3, 2127/);
    await demo.press('Look at the new offer');
    await approve('$150.00');
    await demo.shows('.offer', /Approved price\$150\.00/);
    await demo.shows('.action-bar .notice', 'ApprovedWe place the order next.');
    const [row] = await demo.service.sql`select shipping_address from builder.quotes`;
    expect(row).toMatchObject({ shipping_address: { street: '1 Main St', city: 'Springfield' } });
    expect(demo.tab.problems.splice(0)).not.toEqual([]); // The browser logs the 400 and the 406 itself.
  });
});

describe('the bell', () => {
  beforeAll(() => demo.service.sql`delete from builder.notifications`);

  it('counts what was not on the screen yet, and leads to the quote', async () => {
    const link = `/quotes/${(await quote())?.['id']}`;
    await demo.notify('May we call you?', { link });
    await demo.notify('New fabrics');
    await page().getByRole('button', { name: 'Notifications, 2 new' }).click();
    await page().getByRole('button', { name: 'Notifications', exact: true }).waitFor();
    await fits();
    await page().getByRole('link', { name: 'Open the quote' }).click();
    await page().locator('.bell-panel').waitFor({ state: 'hidden' });
    await page().reload();
    await demo.notify('More fabrics');
    await page().getByRole('button', { name: 'Notifications, 1 new' }).click();
    await demo.shows('.bell-panel ul', /^More fabrics.*New fabrics/);
  });

  it('forgets what is dismissed, one by one and all at once, also after a reload', async () => {
    await page().getByRole('button', { name: 'Dismiss: More fabrics' }).press('Enter');
    expect(await demo.focused('ariaLabel')).toBe('Dismiss: New fabrics');
    await demo.notify('Shipping soon');
    await demo.press('Dismiss all');
    await demo.shows('.bell-panel', /all caught up/);
    await page().reload();
    await page().getByRole('button', { name: 'Notifications', exact: true }).click();
    await demo.shows('.bell-panel', /all caught up/);
  });
});

describe('an offer', () => {
  const priced = { unit_price: 10, total_price: 30, status: 'quoted' };
  const customization = {
    players: Array.from({ length: 18 }, (_, at) => ({ name: `Player ${at}`, number: `${at}`, size: 'M' })),
  };
  const openOffer = async (more: object = {}) => {
    const id = await demo.insert({ ...priced, customization, ...more });
    await page().goto(`${demo.service.url}/demo#customer?quote=${id}`);
    await page().locator('.offer').waitFor();
    return id;
  };

  it('is first in the list, as “Price ready” until it ends', async () => {
    await openOffer({ quote_number: 'QT-2026-80001', created_at: '2020-01-01' });
    await openOffer({ quote_number: 'QT-2026-80002', expires_at: '2020-01-01', created_at: '2020-01-01' });
    await demo.insert({ status: 'submitted', quote_number: 'QT-2026-80003' });
    await page().click('a:has-text("My quotes")');
    await demo.shows('.quotes li:first-child', /QT-2026-80001.*price ready/);
    await demo.shows('.quotes li:has-text("80002")', /price ended/);
    await demo.shows('.quotes li:has-text("80003")', /submitted/);
  });

  // A phone, a laptop, the same enlarged to 200 %, and a phone on its side.
  it.each([
    [390, 844],
    [1280, 800],
    [640, 400],
    [844, 390],
  ])('is approved by buttons that are in sight at %i×%i, and the bar covers no price', async (width, height) => {
    await page().setViewportSize({ width, height });
    await openOffer();
    const box = (selector: string) => page().locator(selector).boundingBox();
    await page().locator('.offer-total').scrollIntoViewIfNeeded();
    const [total, bar] = [await box('.offer-total'), await box('.action-bar')];
    expect((total?.y ?? 0) + (total?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0);
    await demo.press('Approve $30.00');
    await dialog().waitFor();
    const buttons = await box('dialog .actions');
    expect((buttons?.y ?? height) + (buttons?.height ?? 0)).toBeLessThanOrEqual(height);
    expect(buttons?.y).toBeGreaterThan(height / 2);
    await leaveDialog();
    await page().setViewportSize({ width: 1280, height: 900 });
  });

  it('that is cancelled while its dialog is open is not approved, which the dialog says', async () => {
    const id = await openOffer();
    await demo.press('Approve $30.00');
    await demo.staff.send('PATCH', `/quotes?id=eq.${id}`, { status: 'cancelled' });
    await demo.shows('dialog .notice', '$30.00 is not approved. The state is now “cancelled”.');
    await dialog().getByRole('button', { name: 'Close' }).click();
    const other = await openOffer();
    await demo.press('Approve $30.00');
    await demo.staff.send('PATCH', `/quotes?id=eq.${other}`, { status: 'approved' });
    await demo.shows('dialog .notice', 'It is approved already.');
    await leaveDialog();
  });

  it('keeps what was typed into its dialogs through Escape, Back, Forward and a reload', async () => {
    const id = await openOffer();
    await demo.press('Ask for changes');
    await field('What should be different?').fill('Blue');
    await leaveDialog();
    await demo.press('Approve $30.00');
    await dialog().getByLabel('City').fill('Springfield');
    await page().goBack();
    await page().goForward();
    await demo.press('Approve $30.00');
    expect(await dialog().getByLabel('City').inputValue()).toBe('Springfield');
    await page().reload();
    await demo.press('Ask for changes');
    expect(await field('What should be different?').inputValue()).toBe('Blue');
    await leaveDialog();
    expect(await demo.service.sql`select status from builder.quotes where id = ${id}`).toEqual([
      { status: 'quoted' },
    ]);
  });

  it('keeps a list of players that is not added yet, with the columns that were chosen', async () => {
    await page().goto(`${demo.service.url}/demo#customer?new=${crypto.randomUUID()}`);
    await chooseCsv('Ime;Dres\nRobin;07');
    await field('Ime').selectOption('Last name');
    await leaveDialog();
    await demo.press('Paste a list');
    await field(/^Name, number/).fill('Sam\t7');
    await page().goBack();
    await page().goForward();
    await demo.press('Continue with a.csv');
    expect(await field('Ime').inputValue()).toBe('last');
    await leaveDialog();
    await demo.press('Paste a list');
    expect(await field(/^Name, number/).inputValue()).toBe('Sam\t7');
    await leaveDialog();
  });
});

describe('a quote that is given up', () => {
  const open = async (status: string): Promise<string> => {
    const id = await demo.insert({ status });
    await page().goto(`${demo.service.url}/demo#customer?quote=${id}`);
    await page().reload();
    return id;
  };
  const stateOf = async (id: string) => {
    const [row] = await demo.service.sql`select status from builder.quotes where id = ${id}`;
    return row?.['status'];
  };

  it('is withdrawn to edit it with what was typed, which is no change from elsewhere', async () => {
    const id = await open('submitted');
    await field('Phone').fill('+1 555 0100');
    await demo.press('Withdraw to edit');
    await page().getByRole('button', { name: 'Submit for a price' }).waitFor();
    await demo.shows('.action-bar', /^Changes are not saved yet/);
    expect(await stateOf(id)).toBe('draft');
    expect(await page().textContent('.page')).not.toContain('changed elsewhere');
    await demo.press('Save');
    await demo.shows('.action-bar', /^Saved/);
    const [row] = await demo.service.sql`select contact_phone from builder.quotes where id = ${id}`;
    expect(row).toEqual({ contact_phone: '+1 555 0100' });
  });

  it('ends after a question', async () => {
    const id = await open('submitted');
    await demo.press('More');
    await demo.press('Cancel the quote');
    await dialog().getByRole('button', { name: 'Keep it' }).click();
    expect(await stateOf(id)).toBe('submitted');
    await demo.press('More');
    await demo.press('Cancel the quote');
    await dialog().getByRole('button', { name: 'Cancel the quote' }).click();
    await expect.poll(() => stateOf(id)).toBe('cancelled');
  });

  it.each([
    ['submitted', 'rejected', /^We rejected this quote\. Ask again/],
    ['submitted', 'expired', /^This quote has ended\. Ask again/],
    ['draft', 'expired', /^This draft has ended\. Change the design/],
  ])('without a price, as %s → %s, speaks of no price', async (before, after, text) => {
    const id = await open(before);
    await demo.staff.send('PATCH', `/quotes?id=eq.${id}`, { status: after });
    await demo.shows('.standing', text);
    expect(await page().textContent('.page')).not.toMatch(/price|offer/i);
  });
});

it('long words stay in the page, on both sides', async () => {
  const word = 'W'.repeat(200);
  const customization = { jersey: { text: word }, players: [{ name: word, number: '7', size: 'M' }] };
  const id = await demo.insert({ status: 'submitted', company: word, contact_name: word, customization });
  await show(page(), { colorScheme: 'light', width: 390 });
  for (const side of [`customer?quote=${id}`, `staff?quote=${id}`]) {
    await page().goto(`${demo.service.url}/demo#${side}`);
    await page().locator('h3:text-matches("^(Contact|History)")').first().waitFor();
    expect(await page().evaluate('document.documentElement.scrollWidth')).toBe(390);
  }
});

it('a page that stays open says when the price has ended, and how long ago things were', async () => {
  const prices = { unit_price: 41, total_price: 41, currency: 'USD' };
  const expires_at = new Date(Date.now() + 3_600_000);
  const id = await demo.insert({ status: 'quoted', ...prices, expires_at });
  const tab = await demo.chromium.open(`${demo.service.url}/demo#customer?quote=${id}`);
  const text = (selector: string) => expect.poll(() => tab.page.textContent(selector));
  await tab.page.clock.install();
  await tab.page.reload();
  await text('.offer').toContain('Valid until');
  await tab.page.clock.fastForward('01:00:30');
  await text('.offer').toContain('It was valid until');
  await text('.action-bar').toContain('Saved 1 hour ago');
  const actions = () => tab.page.locator('.action-bar .actions').innerText();
  expect(await actions()).toMatch(/^More\s+Ask again$/);
  await demo.service.sql`update builder.quotes set status = 'expired', expires_at = now() where id = ${id}`;
  await text('.standing').toContain('The offer has ended');
  await tab.page.close();
});

it('logs no error in the browser, and asks nobody else', () => {
  expect(demo.tab.problems).toEqual([]);
  expect(foreignHosts(demo.tab)).toEqual([]);
});
