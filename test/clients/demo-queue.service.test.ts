/**
 * The queue of the page `/demo` in a real browser.
 * @module-tag chromium
 */
import { describe, expect, it } from 'vitest';
import { findings, show, views } from '../setup/axe.ts';
import { use } from '../setup/use.ts';
import { startDesk } from './demo-staff.ts';

const desk = use(startDesk, 'stop');
const numberOf = (index: number) => `QT-2026-${String(index).padStart(5, '0')}`;
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
const remove = () => desk.service.sql`delete from builder.quotes`;
const count = (state: string) => desk.tab.page.locator(`.states a:has-text("${state}") span`).textContent();

describe('the queue', () => {
  it('says that nothing waits', async () => {
    await desk.shows('.empty', /No quote waits for a price/);
  });

  it('shows those that wait longest first, 25 on a page, and counts all', async () => {
    const quotes = Array.from({ length: 60 }, (_, index) => ({
      ...{ quote_number: numberOf(index + 1), submitted_at: hoursAgo(index) },
    }));
    await desk.insert(...quotes);
    await desk.shows('[role=status]', '1–25 of 60');
    await desk.lists(...Array.from({ length: 25 }, (_, index) => numberOf(60 - index)));
    await expect.poll(() => count('To price')).toBe('60');
    await expect.poll(() => count('All')).toBe('60');
  });

  it('keeps its place through a reload and the way back', async () => {
    const { page } = desk.tab;
    await page.click('text=Next');
    await page.click('text=Next');
    const last = Array.from({ length: 10 }, (_, index) => numberOf(10 - index));
    await desk.lists(...last);
    await page.reload();
    await desk.lists(...last);
    await page.goBack();
    await desk.shows('[role=status]', '26–50 of 60');
  });

  it('leads back to the first page when the last one has become empty', async () => {
    await desk.go('page=3');
    await desk.shows('[role=status]', '51–60 of 60');
    await desk.service.sql`update builder.quotes set status = 'draft' where quote_number <= ${numberOf(50)}`;
    await desk.shows('.empty', /This page is empty now/);
    await desk.tab.page.click('text=Go to the first page');
    await desk.shows('[role=status]', '1–10 of 10');
  });
});

describe('a search', () => {
  it.each([
    ['50%', 'QT-2026-00001'],
    ['o_o', 'QT-2026-00002'],
    ['a\\b', 'QT-2026-00003'],
    ['Smith, "Jo" (Ltd.)', 'QT-2026-00004'],
    ['TIGERS', 'QT-2026-00005'],
    ['tigers.example', 'QT-2026-00005'],
    ['2026-00002', 'QT-2026-00002'],
  ])('for %s finds %s', async (text, found) => {
    await remove();
    const companies = ['50% off', 'o_o', 'a\\b', 'Smith, "Jo" (Ltd.)', 'Tigers', '500 ooo ab'];
    await desk.insert(
      ...companies.map((company, index) => ({
        ...{ company, quote_number: numberOf(index + 1), submitted_at: hoursAgo(-index) },
        contact_email: company === 'Tigers' ? 'coach@tigers.example' : null,
      })),
    );
    await desk.go('');
    await desk.tab.page.fill('[name=q]', text);
    await desk.lists(found);
    await expect.poll(() => count('To price')).toBe('1');
  });

  it('that finds nothing says so, and its filters are cleared at once', async () => {
    const { page } = desk.tab;
    await page.fill('[name=q]', 'nobody');
    await desk.shows('.empty', /No quote matches/);
    await page.click('text=Clear filters');
    expect(await page.inputValue('[name=q]')).toBe('');
    await desk.shows('[role=status]', '1–6 of 6');
  });
});

it('filters by sport, rush and event date', async () => {
  const { page } = desk.tab;
  await remove();
  const hockey = { sport: 'hockey', event_date: '2026-12-24' };
  await desk.insert(
    { ...hockey, quote_number: numberOf(1), rush_order: true },
    { ...hockey, quote_number: numberOf(2), event_date: '2027-01-02', rush_order: true },
    { ...hockey, quote_number: numberOf(3) },
    { ...hockey, quote_number: numberOf(4), sport: 'golf', rush_order: true },
  );
  await page.reload();
  await page.selectOption('#sport', 'hockey');
  await page.check('text=Rush only');
  await desk.shows('[role=status]', '1–2 of 2');
  await page.fill('[name=to]', '2026-12-31');
  await desk.lists(numberOf(1));
});

it('follows a quote from state to state while it is open elsewhere', async () => {
  await remove();
  await desk.go('state=approved');
  await desk.shows('.empty', /No quotes here/);
  await desk.insert({ quote_number: numberOf(7), status: 'approved', unit_price: 10, total_price: 20 });
  await desk.lists(numberOf(7));
  await expect.poll(() => count('To order')).toBe('1');
});

it('says that it is offline, and has what was missed when the network is back', async () => {
  const { page } = desk.tab;
  await page.context().setOffline(true);
  await desk.shows('.notice', /offline/);
  await desk.insert({ quote_number: numberOf(8), status: 'approved', unit_price: 10, total_price: 20 });
  await page.context().setOffline(false);
  await desk.lists(numberOf(7), numberOf(8));
});

describe.each([
  ...views,
  { colorScheme: 'light', width: 320 } as const,
])('at $width pixels in the $colorScheme', view => {
  it('the queue fits, and Axe finds nothing', async () => {
    await show(desk.tab.page, view);
    expect(await desk.tab.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
      view.width,
    );
    expect(await findings(desk.tab.page)).toEqual([]);
  });
});
