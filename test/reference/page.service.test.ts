/**
 * The reference page in a browser: what its reader sees, in the light and in the dark, wide and narrow.
 * @module-tag chromium
 */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { collections } from '../../schema/collections.ts';
import { findings, show, type View, views } from '../setup/axe.ts';
import { foreignHosts, startChromium, type Tab } from '../setup/chromium.ts';
import { may } from '../setup/collection-rows.ts';
import { useService } from '../setup/service.ts';
import { use } from '../setup/use.ts';

/**
 * What Swagger UI gets wrong: examples that only a mouse can scroll, a choice between values that has no label, and in the
 * light the colours of its buttons, links and labels.
 */
const faultsOfSwaggerUi = ({ colorScheme }: View): Record<string, string> => ({
  'scrollable-region-focusable': '#reference pre.microlight',
  'select-name': '#reference .parameters-col_description > select',
  ...(colorScheme === 'light' && { 'color-contrast': '#reference *' }),
});

const account = randomUUID();
const service = useService();
const chromium = use(startChromium, 'stop');
const operation = '#operations-quotes-get_quotes';
let tab: Tab;
let page: Tab['page'];
beforeAll(async () => {
  tab = await chromium.open(`${service.url}/`);
  page = tab.page;
});

async function enter(token: string): Promise<void> {
  await page.fill('[name=apikey]', service.publishableKey);
  await page.fill('[name=token]', token);
  await page.click('text=Show what I may do');
}

/** The groups of operations that the page shows. */
const listed = () =>
  page.locator('.opblock-tag').evaluateAll(tags => tags.map(tag => tag.getAttribute('data-tag') ?? ''));

/** Whether all of an element is in the window. */
const isInView = (selector: string) =>
  page.evaluate<boolean>(`(() => {
    const { top, bottom } = document.querySelector('${selector}').getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  })()`);

it('Axe finds nothing before a document is shown', async () => {
  expect(await findings(page)).toEqual([]);
});

it('a request to try says which credential it needs, and takes the reader there', async () => {
  await page.click('text=Read the library');
  await expect
    .poll(() => page.textContent('#credentials output'))
    .toMatch(/^Enter the publishable key first/);
  expect(await page.evaluate('document.activeElement.name')).toBe('apikey');
  await page.fill('[name=apikey]', service.publishableKey);
  await page.click('text=Create a draft');
  await expect.poll(() => page.textContent('#credentials output')).toMatch(/^Enter the access token/);
  expect(await page.evaluate('document.activeElement.name')).toBe('token');
});

it('the page shows customers the operations that they may use', async () => {
  expect(await listed()).toEqual([]);
  await enter(await service.token({ account }));
  const readByCustomers = collections.filter(collection => may(collection, 'customer', 'select'));
  await expect.poll(listed).toEqual([...readByCustomers.map(({ name }) => name), 'api']);
  expect(await page.textContent('#reference')).not.toContain('UNLICENSED');
});

it.each([
  ['Read the library', /^GET \/rest\/v1\/graphics\?.*apikey: .*authorization: Bearer .*…200 OK · \d+ ms/s],
  ['My quotes, with their offers', /^GET \/rest\/v1\/quotes\?.*quote_offers\(.*200 OK/s],
  [
    'Create a draft',
    /^POST \/rest\/v1\/rpc\/next_quote_number.*POST \/rest\/v1\/quotes.*201 Created.*"status": "draft"/s,
  ],
])('"%s" sends its request with one click, and shows it beside the response', async (label, shown) => {
  await page.click(`text=${label}`);
  await expect.poll(() => page.textContent('#exchanges')).toMatch(shown);
});

it('the prefilled body of a new quote has the reader’s account, and a number that is not used', async () => {
  const body = '#operations-quotes-post_quotes textarea';
  await page.click('#operations-quotes-post_quotes .opblock-summary-control');
  await expect.poll(async () => JSON.parse(await page.inputValue(body)).account_id).toBe(account);
  const { quote_number } = JSON.parse(await page.inputValue(body));
  expect(await service.sql`select 1 from builder.quotes where quote_number >= ${quote_number}`).toEqual([]);
  await page.click('#operations-quotes-post_quotes .opblock-summary-control');
});

describe('an operation with a parameter for each column', { tags: ['full'] }, () => {
  it('has its button in view as soon as it is opened', async () => {
    await page.click(`${operation} .opblock-summary-control`);
    await page.waitForSelector(`${operation} .execute`);
    expect(await page.locator(`${operation} .parameters tbody tr`).count()).toBeGreaterThan(40);
    expect(await isInView(`${operation} .execute`)).toBe(true);
  });

  it('shows the status of the response, with the button still in view', async () => {
    await page.fill(`${operation} [placeholder=select]`, 'id');
    await page.click(`${operation} .execute`);
    await page.waitForSelector(`${operation} .live-responses-table`);
    await expect.poll(() => isInView(`${operation} .live-responses-table .response-col_status`)).toBe(true);
    await expect.poll(() => isInView(`${operation} .execute`)).toBe(true);
  });

  it('keeps its button in view down to the last of the documented responses', async () => {
    await page.evaluate(
      `[...document.querySelectorAll('${operation} .responses-table tr')].at(-1).scrollIntoView()`,
    );
    await expect.poll(() => isInView(`${operation} .execute`)).toBe(true);
    await page.click(`${operation} .opblock-summary-control`);
  });
});

it.each(
  views,
)('at $width pixels in the $colorScheme the page fits, and Axe finds nothing that is ours', async view => {
  await show(page, view);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(view.width);
  // Wide in the light and narrow in the dark: it takes seconds. Swagger UI changes its colours gradually.
  if ((view.colorScheme === 'light') === view.width > 1000) {
    await expect.poll(() => findings(page, faultsOfSwaggerUi(view))).toEqual([]);
  }
});

it('the page is dark from the start if the reader prefers that', async () => {
  const dark = await chromium.open('about:blank');
  await dark.page.emulateMedia({ colorScheme: 'dark' });
  await dark.page.goto(`${service.url}/`);
  await dark.page.waitForSelector('html.dark-mode', { state: 'attached' });
});

it('a token that is refused leaves nothing of what another caller may do', async () => {
  await enter('expired');
  await expect.poll(() => page.textContent('#credentials output')).toMatch(/access token/);
  expect(await page.textContent('#reference')).toBe('');
});

it('the page shows anonymous callers the library alone, keeps to its policy, and sends requests to this service only', async () => {
  await enter('');
  await expect.poll(listed).toEqual(['graphics', 'api']);
  // The browser logs the token that was refused itself.
  expect(tab.problems.filter(text => !text.includes('401'))).toEqual([]);
  expect(foreignHosts(tab)).toEqual([]);
  expect(new Set(tab.sent.map(({ url }) => new URL(url).origin))).toEqual(new Set([service.url, 'null']));
});
