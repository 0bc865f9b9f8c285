/**
 * The queue of the staff on the page `/demo`, in a real browser.
 * @module-tag chromium
 */
import { describe, expect, it } from 'vitest';
import { use } from '../setup/use.ts';
import { expectToFit, startDemo } from './demo.ts';

const demo = use(startDemo, 'stop');
const priced = { unit_price: 10, total_price: 30 };
const numberOf = (index: number) => `QT-2026-${String(index).padStart(5, '0')}`;
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
const insert = (quote: object) => demo.insert({ status: 'submitted', submitted_at: hoursAgo(0), ...quote });
const removeAll = () => demo.service.sql`delete from builder.quotes`;
const lists = (...numbers: string[]) =>
  expect.poll(() => demo.page.locator('.desk-line strong').allTextContents()).toEqual(numbers);
const count = (state: string) => demo.page.locator(`.desk-states a:has-text("${state}") span`).textContent();

describe('the queue', () => {
  it('says that nothing waits', async () => {
    await demo.go('');
    await demo.shows('.empty', /No quote waits for a price/);
  });

  it('shows those that wait longest first, page by page, also after a reload', async () => {
    const indexes = Array.from({ length: 60 }, (_, index) => index + 1);
    await Promise.all(indexes.map(n => insert({ quote_number: numberOf(n), submitted_at: hoursAgo(n) })));
    await demo.shows('.desk-queue [role=status]', '1–25 of 60');
    await lists(...indexes.slice(35).reverse().map(numberOf));
    await expect.poll(() => count('To price')).toBe('60');
    await demo.page.click('text=Next');
    await demo.page.click('text=Next');
    await demo.page.reload();
    await lists(...indexes.slice(0, 10).reverse().map(numberOf));
    await demo.page.goBack();
    await demo.shows('.desk-queue [role=status]', '26–50 of 60');
  });

  it('finds a text of the company, the address or the number, and nothing that only looks like it', async () => {
    await removeAll();
    const companies = ['50% off', 'o_o', 'a\\b', 'Smith, "Jo" (Ltd.)', 'Tigers', '500 ooo ab'];
    for (const [index, company] of companies.entries()) {
      const contact_email = company === 'Tigers' ? 'coach@tigers.example' : null;
      await insert({ company, contact_email, quote_number: numberOf(index + 1) });
    }
    await demo.go('');
    for (const [text, found] of [
      ['50%', 1],
      ['a\\b', 3],
      ['Smith, "Jo" (Ltd.)', 4],
      ['TIGERS.example', 5],
    ] as const) {
      await demo.page.fill('[name=q]', text);
      await lists(numberOf(found));
      await expect.poll(() => count('To price')).toBe('1');
    }
  });

  it('shows the jersey and the team of each quote, and finds it by the name of the team', async () => {
    await removeAll();
    const teams = [
      { customization: { jersey: { text: 'Night Owls' } }, company: 'City Sports' },
      { customization: { team: 'Day Larks' }, colors: { primary: '#c2202e' }, company: 'Day Larks' },
    ];
    for (const [index, team] of teams.entries()) {
      await insert({ quote_number: numberOf(index), submitted_at: hoursAgo(9 - index), ...team });
    }
    await demo.go('');
    await lists(numberOf(0), numberOf(1));
    expect(await demo.page.locator('.desk-who').allTextContents()).toEqual([
      'Night Owls · City Sports',
      'Day Larks',
    ]);
    const pictures = demo.page.locator('.desk-line .jersey');
    expect(await pictures.allTextContents()).toEqual(['Night Owls', 'Day Larks']);
    await demo.page.fill('[name=q]', 'owl');
    await lists(numberOf(0));
  });

  it('is filtered by rush, and the filters are cleared at once', async () => {
    await removeAll();
    await insert({ sport: 'hockey', quote_number: numberOf(0), submitted_at: hoursAgo(9), rush_order: true });
    await insert({ sport: 'golf', quote_number: numberOf(1), rush_order: false });
    await demo.go('');
    await demo.page.check('text=Rush only');
    await lists(numberOf(0));
    await demo.page.fill('[name=q]', 'golf');
    await demo.shows('.empty', /No quote matches/);
    await demo.press('Clear filters');
    await lists(numberOf(0), numberOf(1));
  });

  it('has at once what others do, and after a lost network what was missed', async () => {
    await demo.go('state=approved');
    await demo.shows('.empty', /No quotes here/);
    await insert({ ...priced, quote_number: numberOf(7), status: 'approved', approved_at: hoursAgo(2) });
    await lists(numberOf(7));
    await expect.poll(() => count('To order')).toBe('1');
    await demo.page.context().setOffline(true);
    await demo.shows('.notice', /offline/);
    await insert({ ...priced, quote_number: numberOf(8), status: 'approved', approved_at: hoursAgo(1) });
    await demo.page.context().setOffline(false);
    await lists(numberOf(7), numberOf(8));
  });
});

it('the queue fits from 1280 to 320 pixels, in the light and in the dark, and Axe finds nothing', () =>
  expectToFit(demo.tab));
