/**
 * Links of an offer on the page `/demo`, in a real browser: copied, printed, answered without a session, and revoked.
 * @module-tag chromium
 */
import { beforeAll, expect, it } from 'vitest';
import { offersOf } from '../offer/shared.ts';
import { foreignHosts } from '../setup/chromium.ts';
import { use } from '../setup/use.ts';
import { expectToFit, startDemo } from './demo.ts';

const demo = use(startDemo, 'stop');
const page = () => demo.page;
const dialog = () => page().getByRole('dialog');
let id = '';

async function open(side: 'customer' | 'staff', quote = id): Promise<void> {
  await page().evaluate(`location.hash = '#${side}?quote=${quote}'`);
  await page().waitForSelector(side === 'staff' ? '.desk-open .history li' : '.builder .history li');
}

const quoted = () => {
  const customization = { jersey: { text: 'Lions' }, players: [{ name: 'Ito', number: '00', size: 'M' }] };
  return demo.insert({ status: 'quoted', unit_price: 40, total_price: 120, roster_count: 3, customization });
};
const linkOf = () => page().inputValue('dialog [name=url]');
const statusOf = async (url: string) => (await fetch(url)).status;

beforeAll(async () => {
  await offersOf(demo.service).writeSeller();
  await page().context().grantPermissions(['clipboard-read', 'clipboard-write']);
  id = await quoted();
});

it('what is typed for a link stays through Escape and a reload', async () => {
  await open('customer');
  await demo.press('Copy a link');
  await page().getByLabel('For whom it is').fill('Treasurer');
  await page().getByLabel('Show the names and numbers').check();
  await page().keyboard.press('Escape');
  await dialog().waitFor({ state: 'detached' });
  await expect.poll(() => demo.focused('textContent')).toBe('Copy a link');
  await page().reload();
  await demo.press('Copy a link');
  expect(await page().getByLabel('For whom it is').inputValue()).toBe('Treasurer');
  expect(await page().getByLabel('Show the names and numbers').isChecked()).toBe(true);
});

it('a link is copied, and the list says what it is for and that nobody has opened it', async () => {
  await demo.confirm('Copy the link');
  await demo.shows('dialog .notice', /^Copied: it opens the offer until /);
  expect(await page().evaluate('navigator.clipboard.readText()')).toBe(await linkOf());
  await demo.shows('dialog .links', /^Treasurer may answer, sees names, never opened, until .*Revoke$/);
  await expectToFit(demo.tab);
});

it('its buttons stay in sight on a phone', async () => {
  await page().setViewportSize({ width: 390, height: 844 });
  const box = await dialog().getByRole('button', { name: 'Copy the link' }).boundingBox();
  expect((box?.y ?? 844) + (box?.height ?? 0)).toBeLessThan(844);
  await page().setViewportSize({ width: 1280, height: 900 });
});

it('an offer is approved by its link without a session and scripts, and both sides say by whom', async () => {
  const guest = await demo.chromium.openWithoutScripts(await linkOf());
  expect(await guest.page.textContent('body')).toMatch(/Ito/);
  const form = guest.page.locator('form.approve');
  await form.getByLabel('Your name').fill('Ana Ruiz');
  await form.getByLabel(/message/i).fill('For the spring season.');
  await form.getByRole('button').click();
  await guest.page.getByText('This offer was approved.').waitFor();
  await dialog().getByRole('button', { name: 'Close' }).click();
  await demo.shows('.offer', /Approved price\$120\.00.*by Ana Ruiz, by a link/);
  const approved = /^Approved Offer 1 · \$120\.00For the spring season\.by Ana Ruiz, by a link, /;
  await demo.shows('.history li:first-child', approved);
  await demo.press('Copy a link');
  await demo.shows('dialog .links', /^Treasurer may answer, sees names, last opened /);
  await page().keyboard.press('Escape');
  await open('staff');
  await demo.shows('.desk-open .history li:first-child', approved);
});

it('staff read what was asked for by a link where they price, and the customer who declined', async () => {
  const [asked, declined] = [await quoted(), await quoted()];
  const { link, post } = offersOf(demo.service);
  const answer = { offer: '1', total: '120', name: 'Ana Ruiz' };
  for (const [quote, status, said] of [
    [asked, 'submitted', 'In red?'],
    [declined, 'rejected', 'Too late for us.'],
  ] as const) {
    const { path } = await link(quote, { account_id: demo.account });
    expect((await post(path, { ...answer, status, said })).status).toBe(303);
  }
  await open('staff', asked);
  await demo.shows('.desk-form', /^Ana Ruiz writes by a link: In red\?/);
  await open('customer', declined);
  await demo.shows('.standing', /^Ana Ruiz rejected this price, by a link\. Ask again/);
});

it('a long word as a name, an answer or a label stays in the page, on both sides', async () => {
  const quote = await quoted();
  const { link, post } = offersOf(demo.service);
  const word = 'W'.repeat(200);
  const { path } = await link(quote, { account_id: demo.account, label: word });
  await post(path, { offer: '1', total: '120', name: word, status: 'approved', said: word });
  await page().setViewportSize({ width: 390, height: 844 });
  for (const side of ['customer', 'staff'] as const) {
    await open(side, quote);
    await demo.press('Copy a link');
    await demo.shows('dialog .links', new RegExp(`^${word} may answer`));
    expect(await page().evaluate('document.documentElement.scrollWidth')).toBe(390);
    const body = `document.querySelector('.dialog-body')`;
    expect(await page().evaluate(`${body}.scrollWidth - ${body}.clientWidth`)).toBe(0);
    await page().keyboard.press('Escape');
  }
  await page().setViewportSize({ width: 1280, height: 900 });
});

it('staff copy a link that only reads, and one that is revoked is not found', async () => {
  await open('staff', await quoted());
  await demo.press('Copy a link');
  expect(await dialog().getByLabel('Whoever has the link').count()).toBe(0);
  await demo.confirm('Copy the link');
  await demo.shows('dialog .links', /^For anybody only reads, never opened/);
  const url = await linkOf();
  expect(await statusOf(url)).toBe(200);
  await dialog().getByRole('button', { name: 'Revoke: For anybody' }).click();
  await demo.shows('dialog .links', /^$/);
  await expect.poll(() => demo.focused('className')).toBe('links');
  expect(await statusOf(url)).toBe(404);
  await dialog().getByRole('button', { name: 'Close' }).click();
});

it('both sides print the offer by the same link, which only reads and has the roster', async () => {
  const quote = await quoted();
  const opened: string[] = [];
  for (const side of ['customer', 'staff'] as const) {
    await open(side, quote);
    const [tab] = await Promise.all([page().context().waitForEvent('page'), demo.press('Print the offer')]);
    await tab.getByText('Ito').waitFor();
    expect(await tab.locator('form').count()).toBe(0);
    opened.push(tab.url());
    await tab.close();
  }
  expect(new Set(opened).size).toBe(1);
  expect(opened[0]).toContain('/offer?token=');
});

it('links log no error in the browser, and ask nobody else', () => {
  expect(demo.tab.problems).toEqual([]);
  expect(foreignHosts(demo.tab)).toEqual([]);
});
