/**
 * The page `/demo` in a real browser: two tabs, and a network that is slow, broken or gone.
 * @module-tag chromium
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import '../setup/with-resolvers.ts';
import { createAccessToken } from '../../functions/local/access-token.ts';
import { type Link, startLink } from '../faults/link.ts';
import type { Tab } from '../setup/chromium.ts';
import { use } from '../setup/use.ts';
import { startDemo } from './demo.ts';

const demo = use(startDemo, 'stop');
const chest = ({ page }: Tab) => page.getByLabel('Text on the chest');
const textOf = (tab: Tab, selector: string) => expect.poll(() => tab.page.textContent(selector));
const insert = (quote_number: string) => demo.insert({ quote_number });
const removeAll = () => demo.service.sql`delete from builder.quotes`;

describe('two tabs', () => {
  let other: Tab;

  it('share what is typed and saved', async () => {
    await demo.press('New design');
    await chest(demo.tab).fill('Lions');
    await demo.press('Save');
    await demo.shows('.page-head', /draft/);
    other = await demo.chromium.open(demo.page.url());
    await chest(other).fill('Tigers');
    await expect.poll(() => chest(demo.tab).inputValue()).toBe('Tigers');
  });

  it('say when the quote was changed elsewhere, and save what was typed only when that is wanted', async () => {
    await demo.service.sql`update builder.quotes set company = 'Lions Club'`;
    await textOf(other, '.page').toContain('changed elsewhere since you began typing');
    await other.page.getByRole('button', { name: 'Save' }).click();
    await textOf(other, '.action-bar [role=alert]').toContain('changed elsewhere');
    await other.page.getByRole('button', { name: 'Keep what I typed' }).click();
    await other.page.getByRole('button', { name: 'Save' }).click();
    await textOf(other, '.action-bar').toMatch(/^Saved/);
    expect(
      await demo.service.sql`select customization->'jersey'->>'text' as text from builder.quotes`,
    ).toEqual([{ text: 'Tigers' }]);
    await other.page.close();
  });
});

it('without a network what is typed stays, and a sentence says so', async () => {
  await demo.page.reload();
  await expect.poll(() => chest(demo.tab).inputValue()).toBe('Tigers');
  await demo.page.context().setOffline(true);
  await demo.shows('.notice.warning', /You are offline/);
  await chest(demo.tab).fill('Bears');
  await demo.press('Save');
  await demo.shows('.action-bar [role=alert]', /^The service can’t be reached. Nothing is lost/);
  await demo.page.context().setOffline(false);
  await demo.page.reload();
  await expect.poll(() => chest(demo.tab).inputValue()).toBe('Bears');
  await demo.press('Save');
  await demo.shows('.action-bar', /^Saved/);
});

it('a page whose token has expired gets another one, and goes on', async () => {
  const claims = { exp: Math.floor(Date.now() / 1000) - 60 };
  const expired = await createAccessToken('any secret', { account: demo.account, claims });
  let answers = 0;
  await demo.page.route('**/demo/session.json', async route => {
    const response = await route.fetch();
    answers += 1;
    const session = await response.json();
    await route.fulfill({ json: answers === 1 ? { ...session, customer: expired } : session });
  });
  await demo.page.goto(`${demo.service.url}/demo`);
  await demo.page.reload();
  await demo.shows('.page', /QT-/);
  expect(answers).toBeGreaterThan(1);
  await demo.page.unrouteAll();
});

describe('what is shown', () => {
  let link: Link;
  let tab: Tab;
  const lists = (text: string | RegExp) => textOf(tab, '.page').toMatch(text);

  beforeAll(async () => {
    link = await startLink(Number(new URL(demo.service.url).port));
    await removeAll();
    tab = await demo.chromium.open(`http://127.0.0.1:${link.port}/demo`);
    await tab.page.getByText('Design your first uniform').waitFor();
  });
  afterAll(() => link.stop());

  it('has what is written while it is read', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    let held = 0;
    await tab.page.route(/\/rest\/v1\/quotes/, async route => {
      const response = await route.fetch();
      held += 1;
      await released;
      await route.fulfill({ response });
    });
    await tab.page.reload();
    await expect.poll(() => held).toBeGreaterThan(0);
    await insert('QT-2026-90001');
    release();
    await lists('QT-2026-90001');
    await tab.page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  it('is read again when the service says that changes were missed', async () => {
    let dropped = 0;
    let sayMissed = () => {};
    await tab.page.routeWebSocket(/\/realtime\//, socket => {
      socket.connectToServer().onMessage(frame => {
        const text = String(frame);
        if (/"type":"(INSERT|DELETE)"/.test(text)) {
          dropped += 1;
          return;
        }
        if (text.includes('"system"') && text.includes('quotes')) {
          sayMissed = () => socket.send(text.replace('"status":"ok"', '"status":"error"'));
        }
        socket.send(frame);
      });
    });
    await tab.page.reload();
    await lists('QT-2026-90001');
    await expect.poll(() => `${sayMissed}`).toContain('error');
    await removeAll();
    await insert('QT-2026-90002');
    await expect.poll(() => dropped).toBeGreaterThan(1);
    sayMissed();
    await lists('QT-2026-90002');
  });

  it('stays when a read fails, and is read again', async () => {
    await tab.page.route(/\/rest\/v1\/quotes/, route =>
      route.fulfill({ status: 400, json: { message: 'No.' } }),
    );
    await tab.page.evaluate("dispatchEvent(new Event('online'))");
    await lists(/can’t be read at the moment.*QT-2026-90002/);
    await tab.page.unrouteAll();
    await expect.poll(() => tab.page.locator('.notice').count()).toBe(0);
  });

  it('has what was written while the connection was broken', async () => {
    await tab.page.reload();
    await lists('QT-2026-90002');
    await link.refuse();
    await insert('QT-2026-90003');
    await link.resume();
    await lists('QT-2026-90003');
  });
});

it('amounts and states that change are shown in a page that the browser has translated', async () => {
  const prices = { unit_price: 10, total_price: 30, roster_count: 3 };
  const id = await demo.insert({ status: 'quoted', delivery_method: 'pickup', ...prices });
  const price = (unit_price: number) => demo.service.sql`
    update builder.quotes set unit_price = ${unit_price}, total_price = ${3 * unit_price} where id = ${id}`;
  const { page } = demo;
  await page.goto(`${demo.service.url}/demo#customer?quote=${id}`);
  await page.reload();
  await demo.shows('.offer', /\$30\.00/);
  // As translators do, each text is moved into an element, also when it appears later.
  await page.evaluate(`(() => {
    const translate = root => {
      const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      for (const text of Array.from({ length: 999 }, () => texts.nextNode())) {
        if (text?.data.trim() && !text.parentElement.closest('font, script, textarea, option, svg')) {
          const font = document.createElement('font');
          font.textContent = text.data;
          text.replaceWith(font);
        }
      }
    };
    translate(document.body);
    new MutationObserver(changes => changes.forEach(({ target }) => translate(target)))
      .observe(document.body, { childList: true, subtree: true });
  })()`);
  await price(11);
  await demo.shows('.offer', /\$33\.00.*3 × \$11\.00.*It was \$30\.00 before/);
  await price(12);
  await demo.shows('.offer', /\$36\.00.*It was \$33\.00 before/);
  await demo.shows('.action-bar', /Approve \$36\.00/);
  await demo.press('Approve $36.00');
  await page.getByRole('dialog').getByRole('button', { name: 'Approve $36.00' }).click();
  await demo.shows('.action-bar', /^ApprovedWe place the order next\./);
  await page.evaluate("location.hash = '#staff?state=all'");
  await demo.shows('.desk-line', /\$36\.00/);
  await demo.service.sql`update builder.quotes set status = 'ordered' where id = ${id}`;
  await demo.shows('.desk-line', /ordered/);
  expect(await page.textContent('body')).not.toContain('This page has failed');
});
