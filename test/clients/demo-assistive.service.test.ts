/**
 * The page `/demo` in a real browser, for who uses it by the keyboard or hears it.
 * @module-tag chromium
 */
import { describe, expect, it } from 'vitest';
import { findings, show, views } from '../setup/axe.ts';
import { aQuote } from '../setup/rows.ts';
import { use } from '../setup/use.ts';
import { startDemo } from './demo.ts';

const demo = use(startDemo, 'stop');
/** The name of what has the focus. */
const focused = () => demo.tab.page.evaluate<string | null>('document.activeElement.ariaLabel');
const press = (key: string) => demo.tab.page.keyboard.press(key);
const news = () => demo.tab.page.locator('#news p').allTextContents();

describe('the focus', () => {
  it('stays on a button while its list changes', async () => {
    const { page } = demo.tab;
    await demo.notify(demo.account, 'First');
    await page.locator('[aria-label="Dismiss: First"]').focus();
    await demo.notify(demo.account, 'Second');
    await demo.shows('#bell', /Second/);
    expect(await focused()).toBe('Dismiss: First');
  });

  it('goes from what was dismissed to what has its place, and at the end to the list', async () => {
    const { page } = demo.tab;
    await demo.notify(demo.account, 'Third');
    await demo.shows('#bell', /Third/);
    await page.locator('[aria-label="Dismiss: Second"]').focus();
    for (const next of ['Dismiss: First', 'Dismiss: Third']) {
      await press('Enter');
      await expect.poll(focused).toBe(next);
    }
    await press('Enter');
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('bell');
  });

  it('stays on a quote of the desk when that changes', async () => {
    const { sql } = demo.service;
    const row = aQuote(demo.account, {
      ...{ quote_number: 'QT-2026-00001', status: 'submitted', roster_count: 1 },
      source: 'csv_import',
    });
    await sql`insert into builder.quotes ${sql(row)}`;
    await demo.shows('#queue', /QT-2026-00001, 1 player, submitted/);
    await demo.tab.page.focus('#queue button');
    await sql`update builder.quotes set roster_count = 2`;
    await demo.shows('#queue', /QT-2026-00001, 2 players, submitted/);
    expect(await focused()).toBe('Open QT-2026-00001');
  });

  it('stays on the button that was pressed, though it is closed then', async () => {
    const { page } = demo.tab;
    await page.click('[name=save]');
    await demo.shows('#quote', /is draft$/);
    await page.focus('[name=submit]');
    await press('Enter');
    await demo.shows('#quote', /is submitted$/);
    expect(await page.evaluate('document.activeElement.name')).toBe('submit');
    await page.click('[name=another]');
  });

  it('goes to the new player, and from one that is removed to the one in its place', async () => {
    const { page } = demo.tab;
    await page.click('[name=add]');
    expect(await focused()).toBe('Name of player 3');
    await page.focus('[aria-label="Remove player 1"]');
    await press('Enter');
    expect(await focused()).toBe('Remove player 1');
    expect(await page.locator('#roster li').count()).toBe(2);
  });
});

describe('what is new', () => {
  it('is said once, and not what was there when the page was opened', async () => {
    await demo.notify(demo.account, 'Before');
    await demo.shows('#bell', /Before/);
    await demo.tab.page.reload();
    await demo.shows('#bell', /Before/);
    await demo.shows('#queue', /QT-2026-00001/);
    await demo.notify(demo.account, 'After');
    await expect.poll(news).toEqual(['Notification: After']);
  });

  it('is said of a quote that comes to the desk', async () => {
    await demo.service.sql`update builder.quotes set status = 'draft' where quote_number = 'QT-2026-00001'`;
    await expect.poll(() => demo.tab.page.textContent('#queue')).not.toMatch(/QT-2026-00001/);
    await demo.service
      .sql`update builder.quotes set status = 'submitted' where quote_number = 'QT-2026-00001'`;
    await expect.poll(news).toContain('QT-2026-00001 waits for staff: submitted');
  });
});

it('every button has a name of its own', async () => {
  const { page } = demo.tab;
  const named = await page.evaluate<string[]>(
    "[...document.querySelectorAll('button')].map(({ ariaLabel, textContent }) => ariaLabel ?? textContent)",
  );
  expect(named.length).toBeGreaterThan(15);
  expect([...new Set(named)]).toEqual(named);
});

describe.each(views)('at $width pixels in the $colorScheme', view => {
  it('the page fits', async () => {
    await show(demo.tab.page, view);
    expect(await demo.tab.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
      view.width,
    );
  });

  it('no button’s text is broken', async () => {
    const lines = await demo.tab.page.evaluate(`[...document.querySelectorAll('button')].map(button => {
      const range = document.createRange();
      range.selectNodeContents(button);
      return range.getClientRects().length;
    })`);
    expect(new Set(lines as number[])).toEqual(new Set([1]));
  });

  it('Axe finds nothing', async () => {
    expect(await findings(demo.tab.page)).toEqual([]);
  });
});
