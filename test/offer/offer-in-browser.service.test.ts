/**
 * The page of an offer in Chromium: by keyboard and without scripts, on a phone, in the dark and on paper.
 * @module-tag chromium
 */
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { findings, show, views } from '../setup/axe.ts';
import { foreignHosts, startChromium } from '../setup/chromium.ts';
import { useService } from '../setup/service.ts';
import { use } from '../setup/use.ts';
import { offersOf } from './shared.ts';

const service = useService();
const chromium = use(startChromium, 'stop');
const { quote, link, quoteOf, events, reprice, writeSeller } = offersOf(service);

beforeAll(async () => {
  await writeSeller();
  await writeSeller('en', 'Payment within 30 days.\n'.repeat(12), 'offer_terms');
});

const players = Array.from({ length: 70 }, (_, index) => ({
  name: index % 9 === 0 ? `Maximiliana von Hohenstein-Grafenberg the ${index}` : `Player ${index}`,
  number: index,
  size: 'M',
}));

/** Shares an offer that has everything that the page shows, with pictures that can't be loaded. */
async function shared() {
  const quoteId = await quote({
    customization: { players },
    colors: { primary: '#1f4fbf', secondary: '#ffffff' },
    expires_at: '2999-05-06T10:00:00Z',
    preview_front_url: 'https://cdn.test/front.png',
  });
  await reprice(quoteId, 300);
  const made = await link(quoteId, { roster: true });
  return { ...made, quoteId, url: service.url + made.path };
}

/** Presses Tab until the element with this id, or this text, has the focus. */
async function tabTo(page: Page, wanted: string): Promise<void> {
  for (let presses = 0; presses < 30; presses++) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate<string[]>(
      '[document.activeElement.id, document.activeElement.textContent]',
    );
    if (focused.includes(wanted)) {
      return;
    }
  }
  throw new Error(`Tab does not reach ${wanted}.`);
}

it('an offer is approved by keyboard, in a browser that runs no scripts and loads nothing from elsewhere', async () => {
  const { quoteId, url } = await shared();
  const tab = await chromium.openWithoutScripts(url);
  const { page, sent } = tab;
  await tabTo(page, 'approved-name');
  await page.keyboard.type('Ana Treasurer');
  await tabTo(page, 'Approve for $300.00');
  await page.keyboard.press('Enter');
  await page.getByText('This offer was approved.').waitFor();
  await page.getByText(/By Ana Treasurer/).waitFor();
  expect(await quoteOf(quoteId)).toMatchObject({ status: 'approved', total_price: 300 });
  expect((await events(quoteId)).at(-1)).toMatchObject({ signer: 'Ana Treasurer', said: null });
  expect(sent.filter(({ method }) => method === 'POST')).toHaveLength(1);
  expect(foreignHosts(tab).filter(host => host !== 'cdn.test')).toEqual([]);
  await page.reload();
  expect((await events(quoteId)).filter(({ event }) => event === 'quote.approved')).toHaveLength(1);
});

it('a scanner that presses every button without a name answers nothing', async () => {
  const { quoteId, url } = await shared();
  const before = await quoteOf(quoteId);
  const { page } = await chromium.open(url);
  const count = await page.locator('form').count();
  expect(count).toBe(3);
  for (let form = 0; form < count; form++) {
    await page.goto(url);
    // Past the browser's own check of the required fields.
    await page.evaluate(`document.forms[${form}].noValidate = true; document.forms[${form}].requestSubmit()`);
    await page.getByText('Please enter your name.').waitFor();
  }
  expect(await quoteOf(quoteId)).toEqual(before);
  expect(await events(quoteId)).toHaveLength(2);
});

it.each(views)('the page fits $width pixels in the $colorScheme, and Axe finds nothing', async view => {
  const { url } = await shared();
  const { page } = await chromium.open(url);
  await show(page, view);
  for (const summary of await page.locator('summary').all()) {
    await summary.click();
  }
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(view.width);
  // No heading of the table is broken.
  expect(await page.evaluate("document.querySelector('th').clientHeight")).toBeLessThan(40);
  expect(await findings(page)).toEqual([]);
});

it.each([
  ['A4', 3],
  ['Letter', 4],
] as const)('70 players are printed on %s, on at most %i pages, without buttons and without the address', async (format, pages) => {
  const { url, token } = await shared();
  const { page } = await chromium.open(url);
  const margin = { top: '20mm', bottom: '20mm', left: '20mm', right: '20mm' };
  const print = async (displayHeaderFooter: boolean) =>
    (await page.pdf({ format, margin, displayHeaderFooter })).toString('latin1');
  const [bare, withHeader] = [await print(false), await print(true)];
  expect(bare.match(/\/Type \/Page\b/g)?.length).toBeLessThanOrEqual(pages);
  // A header of the browser would need a font.
  expect(withHeader.match(/\/FontDescriptor/g)?.length).toBe(bare.match(/\/FontDescriptor/g)?.length);
  expect(withHeader.length).toBe(bare.length);
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  const printed = await page.evaluate<string>('document.body.innerText');
  expect(printed).not.toContain(token.slice(0, 8));
  expect(printed).not.toMatch(/Approve for|Decline|Your name|can be approved/);
  expect(printed).toContain('Player 69');
  expect(await page.evaluate('getComputedStyle(document.body).color')).toBe('rgb(26, 28, 32)');
  for (const unbroken of ['tr', 'dl']) {
    expect(await page.evaluate(`getComputedStyle(document.querySelector('${unbroken}')).breakInside`)).toBe(
      'avoid',
    );
  }
});
