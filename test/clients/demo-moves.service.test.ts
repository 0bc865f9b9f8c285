/**
 * The page `/demo` in a real browser: what else customer and staff may do with a quote, and what they may not.
 * @module-tag chromium
 */
import { beforeEach, describe, expect, it } from 'vitest';
import { use } from '../setup/use.ts';
import { everyone } from '../sql/roles.ts';
import { startDemo } from './demo.ts';

const demo = use(startDemo, 'stop');
const press = (name: string) => demo.tab.page.click(`button[name=${name}]`);
const rowsOf = () => demo.service.sql`
  select status, customization, total_price, roster_count from builder.quotes order by created_at desc`;

async function saveAnother(): Promise<void> {
  await press('another');
  await demo.shows('#quote', /^Not saved yet$/);
  await press('save');
  await demo.shows('#quote', /is draft$/);
}

async function submit(): Promise<void> {
  await press('submit');
  await demo.shows('#quote', /is submitted$/);
}

/** The quotes of the tests before may be in the queue still: the one at hand is opened by its name. */
async function price(): Promise<void> {
  const { page } = demo.tab;
  const [number = ''] = (await page.textContent('#quote'))?.match(/^QT-\d{4}-\d+/) ?? [];
  await page.click(`#queue [aria-label="Open ${number}"]`);
  await demo.shows('#chosen', new RegExp(`^${number} is submitted`));
  await press('quote');
  await demo.shows('#quote', /is quoted/);
}

describe('the customer', () => {
  beforeEach(saveAnother);

  it('takes a submitted quote back, and the form is open again', async () => {
    await submit();
    await press('withdraw');
    await demo.shows('#quote', /is draft$/);
    expect(await demo.tab.page.isEnabled('[name=text]')).toBe(true);
  });

  it('rejects a price', async () => {
    await submit();
    await price();
    await press('reject');
    await demo.shows('#quote', /is rejected/);
    await demo.shows('#chosen', /is rejected/);
  });

  it('cancels what is approved, before it is ordered', async () => {
    await submit();
    await price();
    await press('approve');
    await demo.shows('#quote', /is approved/);
    await press('cancel');
    await demo.shows('#chosen', /is cancelled/);
  });

  it('takes the graphic away', async () => {
    const { page } = demo.tab;
    await page.click('#graphics [title="Tiger head"]');
    expect(await page.getAttribute('#jersey image', 'href')).toContain('tiger-head.svg');
    await page.click('#graphics label:first-of-type');
    expect(await page.getAttribute('#jersey image', 'href')).toBe(null);
    await submit();
    expect((await rowsOf())[0]).toMatchObject({ customization: { jersey: { graphics: [] } } });
  });

  it('is told why a save is refused, until the next one succeeds', async () => {
    const { page } = demo.tab;
    const [number = ''] = ((await page.textContent('#quote')) ?? '').split(' ');
    await page.route(/quotes\?/, async route => {
      await demo.service.sql`update builder.quotes set company = 'Lions' where quote_number = ${number}`;
      await route.continue();
    });
    await press('save');
    await demo.shows('#builder .problem', /\S/);
    await demo.shows('#quote', /is draft$/);
    await page.unrouteAll();
    const told = page.locator('#log li', { hasText: /customer ← UPDATE quotes[\s\S]+Lions/ });
    await told.waitFor({ state: 'attached' });
    await press('save');
    await demo.shows('#builder .problem', /^$/);
    // The browser logs the 406 itself.
    expect(demo.tab.problems.splice(0)).toHaveLength(1);
  });
});

it('saving twice at once writes one quote', async () => {
  await press('another');
  const before = (await rowsOf()).length;
  await demo.tab.page.dblclick('button[name=save]');
  await demo.shows('#quote', /is draft$/);
  await demo.shows('#history small', /^QT-/);
  expect((await rowsOf()).length).toBe(before + 1);
});

it('a quote without a roster has no players yet, and gets the price of one', async () => {
  const { page } = demo.tab;
  await press('another');
  for (let left = await page.locator('#roster li').count(); left > 0; left -= 1) {
    await page.click('#roster [name=remove]');
  }
  await press('save');
  await demo.shows('#quote', /is draft$/);
  await submit();
  await demo.shows('#queue li:last-child', /no players yet/);
  await page.fill('[name=price]', '30');
  await price();
  await demo.shows('#quote', /is quoted, 30\.00 USD$/);
});

it('Enter in the message sends the message, and no price', async () => {
  const { page } = demo.tab;
  await saveAnother();
  await submit();
  await page.click('#queue li:last-child button');
  await page.fill('[name=message]', 'By Enter');
  await page.press('[name=message]', 'Enter');
  await demo.shows('#bell', /By Enter/);
  await demo.shows('#chosen', /is submitted/);
});

it('a message to a team is dismissed for its members, and one to everyone by each customer for itself', async () => {
  const dismiss = (body: string) => demo.tab.page.locator('#bell li', { hasText: body }).locator('button');
  await demo.notify(everyone, 'To everyone');
  await demo.notify(demo.team, 'To the team');
  await demo.shows('#bell', /To the team/);
  await demo.shows('#bell', /To everyone/);
  for (const body of ['To everyone', 'To the team']) {
    await dismiss(body).click();
    await expect.poll(() => dismiss(body).count()).toBe(0);
  }
});

it('a graphic that is made for dark fabrics is shown on a dark ground', async () => {
  const groundOf = (title: string) =>
    demo.tab.page.evaluate(`getComputedStyle(document.querySelector('[title="${title}"]')).backgroundColor`);
  expect(await groundOf('Tiger head')).toBe('rgb(233, 237, 242)');
  expect(await groundOf('Main logo, white')).toBe('rgb(43, 52, 66)');
});

it('logs no error in the browser', () => {
  expect(demo.tab.problems).toEqual([]);
});
