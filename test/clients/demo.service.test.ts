/**
 * The page `/demo` in a real browser: the life of a quote from the first click to its delivery, both sides told live.
 * @module-tag chromium
 */
import { describe, expect, it } from 'vitest';
import { foreignHosts } from '../setup/chromium.ts';
import { startService } from '../setup/service.ts';
import { use } from '../setup/use.ts';
import { startDemo } from './demo.ts';

const demo = use(startDemo, 'stop');
const press = (name: string) => demo.tab.page.click(`button[name=${name}]`);
const isClosed = async (name: string) =>
  (await demo.tab.page.getAttribute(`button[name=${name}]`, 'aria-disabled')) === 'true';

describe('the life of a quote on /demo', () => {
  it('is designed and saved by the customer', async () => {
    const { page } = demo.tab;
    await page.click('#graphics [title="Tiger head"]');
    await page.fill('[name=text]', 'Lions');
    await page.fill('[name=primary]', '#00843d');
    await press('add');
    await page.fill('#roster li:nth-child(3) [name=name]', 'Alex');
    await press('save');
    await demo.shows('#quote', /^QT-\d{4}-\d{5} is draft$/);
    const [quote] = await demo.service.sql`select customization, colors, roster_count from builder.quotes`;
    expect(quote).toMatchObject({
      customization: { jersey: { text: 'Lions', graphics: ['TIGER-HEAD'] } },
      colors: { primary: '#00843d' },
      roster_count: 3,
    });
  });

  it('is submitted as the form says, which is closed then', async () => {
    await demo.tab.page.fill('[name=text]', 'Tigers');
    await press('submit');
    await demo.shows('#quote', /is submitted$/);
    const [quote] = await demo.service.sql`select customization from builder.quotes`;
    expect(quote).toMatchObject({ customization: { jersey: { text: 'Tigers' } } });
    expect(await demo.tab.page.isDisabled('[name=text]')).toBe(true);
    expect(await demo.tab.page.isDisabled('[name=add]')).toBe(true);
    expect([await isClosed('save'), await isClosed('submit'), await isClosed('withdraw')]).toEqual([
      ...[true, true, false],
    ]);
  });

  it('comes to the desk, and is priced there, in whole cents', async () => {
    const { page } = demo.tab;
    await demo.shows('#queue', /^QT-\d{4}-\d{5}, 3 players, submitted/);
    await page.click('#queue button');
    await demo.shows('#chosen', /is submitted, TIGER-HEAD, #00843d and #f2b705, 3\s×\sM$/);
    await page.fill('[name=price]', '41.5');
    await press('quote');
    await demo.shows('#quote', /is quoted, 124\.50 USD$/);
    await demo.shows('#chosen', /is quoted, .*, 124\.50 USD$/);
    expect(await page.locator('#queue li').count()).toBe(0);
  });

  it('brings the customer a message, until it is dismissed', async () => {
    await press('notify');
    await demo.shows('#bell', /^May we call you tomorrow\?/);
    await demo.tab.page.click('#bell button');
    await demo.shows('#bell', /^Your quote \S+ has its price: \S+ [A-Z]{3}\./);
  });

  it('goes on after the approval: staff order it, and tell how far it is, step by step', async () => {
    await press('approve');
    await demo.shows('#queue', /3 players, approved/);
    const steps = {
      ordered: 'ordered',
      ...{ reviewing: 'ordered, reviewing', preparing: 'ordered, preparing', shipping: 'ordered, shipping' },
      delivered: 'ordered, delivered',
    };
    for (const words of Object.values(steps)) {
      await press('step');
      await demo.shows('#quote', new RegExp(`is ${words}, 124.50 USD$`));
      await demo.shows('#chosen', new RegExp(`is ${words}, `));
    }
    expect(await demo.tab.page.locator('#queue li').count()).toBe(0);
    expect(await isClosed('step')).toBe(true);
  });

  it('is shown as requests, answers and changes', async () => {
    const lines = await demo.tab.page.locator('#log li').allTextContents();
    expect(lines).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^customer → POST \/rest\/v1\/rpc\/next_quote_number → 200/),
        expect.stringMatching(/^customer → POST \/rest\/v1\/quotes\S* → 201/),
        expect.stringMatching(/^staff ← INSERT quotes/),
        expect.stringMatching(/^staff → PATCH \/rest\/v1\/quotes\S* → 200/),
        expect.stringMatching(/^customer ← UPDATE quotes \S+ quoted/),
        expect.stringMatching(/^customer ← INSERT notifications/),
      ]),
    );
  });

  it('logs no error in the browser, and asks nobody else', () => {
    expect(demo.tab.problems).toEqual([]);
    expect(foreignHosts(demo.tab)).toEqual([]);
  });
});

describe('/demo', () => {
  const paths = ['/demo', '/demo/session.json', '/demo/demo.js', '/demo/supabase.js'];

  it.each(paths)('is there for the developer alone: %s', async path => {
    expect((await demo.service.fetch(path)).status).toBe(200);
    const elsewhere = { headers: { 'sec-fetch-site': 'cross-site' } };
    expect((await demo.service.fetch(path, elsewhere)).status).toBe(404);
  });

  it.each(['/demo/none.js', '/demo/..%2fsettings.ts', '/demo/demo'])('has no other files: %s', async path => {
    expect((await demo.service.fetch(path)).status).toBe(404);
  });

  it('and the page at / lead to each other', async () => {
    const { page } = await demo.chromium.open(`${demo.service.url}/`);
    await page.click('header a');
    await page.waitForSelector('h1:text("The life of a quote")');
    await page.click('header a');
    await page.waitForSelector('#credentials');
  });

  it('is not there in a deployment, whatever is bound, and nothing leads to it', async () => {
    const deployed = await startService({
      bindings: { DEMO_TOKEN: 'a-token', DEMO_STAFF_TOKEN: 'another', LOCAL: '' },
    });
    for (const path of paths) {
      expect((await deployed.fetch(path)).status).toBe(404);
    }
    expect(await (await deployed.fetch('/')).text()).not.toContain('/demo');
    await deployed.stop();
  });
});
