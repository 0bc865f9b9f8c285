/** The page `/demo` in a real browser: the life of a quote from the first click to its approval, both sides told live. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccessToken } from '../../functions/local/access-token.ts';
import { type DemoFiles, serveDemoFiles } from '../../functions/local/demo-files.ts';
import { type Chromium, foreignHosts, startChromium, type Tab } from '../setup/chromium.ts';
import { aGraphic } from '../setup/rows.ts';
import { type Service, startService } from '../setup/service.ts';
import { callerOf } from '../setup/wire.ts';

const jwtSecret = randomUUID();
let service: Service;
let chromium: Chromium;
let files: DemoFiles;
let tab: Tab;

beforeAll(async () => {
  const [customer, staff] = await Promise.all([
    createAccessToken(jwtSecret, { account: randomUUID() }),
    createAccessToken(jwtSecret, { account: randomUUID(), staff: true }),
  ]);
  const bindings = { JWT_SECRET: jwtSecret, DEMO_TOKEN: customer, DEMO_STAFF_TOKEN: staff };
  [service, chromium, files] = await Promise.all([
    startService({ bindings }),
    startChromium(),
    serveDemoFiles(),
  ]);
  const graphics = ['tiger-head', 'eagle'].map(name =>
    aGraphic({ code: name.toUpperCase(), name, file_url: `${files.address}${name}.svg`, is_active: true }),
  );
  await callerOf(service, service.secretKey).send('POST', '/graphics', graphics);
  tab = await chromium.open(`${service.url}/demo`);
});
afterAll(() => Promise.all([service.stop(), chromium.stop(), files.stop()]));

const shows = (selector: string, text: string | RegExp) =>
  expect.poll(() => tab.page.textContent(selector)).toMatch(text);

describe('the life of a quote on /demo', () => {
  it('begins when both sides listen', async () => {
    await shows('#builder .live', /^live$/);
    await shows('#desk .live', /^live$/);
  });

  it('is designed and saved by the customer', async () => {
    await tab.page.click('#graphics button[title=tiger-head]');
    await tab.page.fill('[name=text]', 'Lions');
    await tab.page.fill('[name=primary]', '#00843d');
    await tab.page.click('[name=add]');
    await tab.page.fill('#roster li:nth-child(3) [name=name]', 'Alex');
    await tab.page.click('[name=save]');
    await shows('#quote', /^QT-\d{4}-\d{5} is draft$/);
    const [quote] = await service.sql`select customization, colors, roster_count from builder.quotes`;
    expect(quote).toMatchObject({
      customization: { jersey: { text: 'Lions', graphics: ['TIGER-HEAD'] } },
      colors: { primary: '#00843d' },
      roster_count: 3,
    });
  });

  it('comes to the desk when it is submitted, and is priced there', async () => {
    await tab.page.click('[name=submit]');
    await shows('#quote', /is submitted$/);
    await tab.page.click('#queue button');
    await shows('#chosen', /is submitted, TIGER-HEAD, #00843d and #f2b705, 3 × M$/);
    await tab.page.fill('[name=price]', '40');
    await tab.page.click('#desk button[name=quote]');
    await shows('#quote', /is quoted, 120 USD$/);
    expect(await tab.page.locator('#queue li').count()).toBe(0);
  });

  it('brings the customer a message, until it is dismissed', async () => {
    await tab.page.click('[name=notify]');
    await shows('#bell', /^May we call you tomorrow\?/);
    await tab.page.click('#bell button');
    await shows('#bell', /^Your quote \S+ has its price\./);
  });

  it('ends with the approval, which the desk is told of', async () => {
    await tab.page.click('[name=approve]');
    await shows('#quote', /is approved/);
    await shows('#chosen', /is approved/);
  });

  it('is shown as requests, answers and changes', async () => {
    const lines = await tab.page.locator('#log li').allTextContents();
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
    expect(tab.problems).toEqual([]);
    expect(foreignHosts(tab)).toEqual([]);
  });

  it.each([1280, 390])('fits into %i pixels', async width => {
    await tab.page.setViewportSize({ width, height: 844 });
    expect(await tab.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  });
});

describe('/demo', () => {
  const paths = ['/demo', '/demo/session.json', '/demo/demo.js', '/demo/supabase.js'];

  it.each(paths)('is there for the developer alone: %s', async path => {
    expect((await service.fetch(path)).status).toBe(200);
    const elsewhere = { headers: { 'sec-fetch-site': 'cross-site' } };
    expect((await service.fetch(path, elsewhere)).status).toBe(404);
  });

  it.each(['/demo/none.js', '/demo/..%2fsettings.ts', '/demo/demo'])('has no other files: %s', async path => {
    expect((await service.fetch(path)).status).toBe(404);
  });

  it('is not there in a deployment, whatever is bound', async () => {
    const deployed = await startService({
      bindings: { DEMO_TOKEN: 'a-token', DEMO_STAFF_TOKEN: 'another', LOCAL: '' },
    });
    for (const path of paths) {
      expect((await deployed.fetch(path)).status).toBe(404);
    }
    await deployed.stop();
  });
});
