/**
 * Offers on the page `/demo`, in browsers of two countries: what each side reads is the same, and true at the moment.
 * @module-tag chromium
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Tab } from '../setup/chromium.ts';
import { use } from '../setup/use.ts';
import { startDemo } from './demo.ts';

const demo = use(startDemo, 'stop');
const priced = { unit_price: 10, total_price: 30, roster_count: 3 };
/** The tabs of somebody in Los Angeles, and of somebody in Tokyo whose browser is German. */
let tabs: Tab[];
let [west, east] = [] as unknown as [Tab, Tab];
beforeAll(async () => {
  const url = `${demo.service.url}/demo`;
  west = await demo.chromium.openAs(url, 'en-US', 'America/Los_Angeles');
  east = await demo.chromium.openAs(url, 'de-DE', 'Asia/Tokyo');
  tabs = [west, east];
});

const shows = (tab: Tab, selector: string, text: string | RegExp) =>
  expect.poll(() => tab.page.textContent(selector)).toMatch(text);
const open = async (tab: Tab, side: 'customer' | 'staff', id: string) => {
  await tab.page.evaluate(`location.hash = '#${side}?quote=${id}'`);
  await tab.page.waitForSelector(side === 'staff' ? '.desk-open h2' : '.page-head .muted:has-text("QT-")');
};
const press = (tab: Tab, name: string | RegExp) => tab.page.getByRole('button', { name }).click();
const fill = (tab: Tab, name: string, text: string) => tab.page.fill(`.desk-open [name=${name}]`, text);
const read = async (id: string) => {
  const [row] = await demo.service.sql`
    select status, unit_price::text, total_price::text, to_json(estimated_delivery_at) #>> '{}' as arrival,
      to_json(expires_at) #>> '{}' as ends
    from builder.quotes where id = ${id}`;
  return row;
};

describe('a day of arrival', () => {
  it('is the same in every zone, and saving it unchanged leaves it as it is', async () => {
    const id = await demo.insert({ ...priced, status: 'ordered' });
    await open(west, 'staff', id);
    await fill(west, 'estimated_delivery_at', '2099-12-06');
    await press(west, 'Save');
    await shows(west, '.desk-open header', /due Dec 6, 2099/);
    const stored = (await read(id))?.['arrival'];
    for (const tab of [east, west, east]) {
      // Without waiting for the live update of the save before.
      await tab.page.reload();
      await open(tab, 'staff', id);
      await expect.poll(() => tab.page.inputValue('[name=estimated_delivery_at]')).toBe('2099-12-06');
      await press(tab, 'Save');
      await shows(tab, '.notice.good', /sees the day of arrival/);
    }
    expect((await read(id))?.['arrival']).toBe(stored);
    await open(east, 'customer', id);
    await shows(east, '.offer', /Expected on 06\.12\.2099/);
    await open(west, 'customer', id);
    await shows(west, '.offer', /Expected on Dec 6, 2099/);
  });
});

it('a new price leaves the end of the offer as it is, in another zone too', async () => {
  const expires_at = '2099-12-31T07:59:59.999+00:00';
  const id = await demo.insert({ ...priced, status: 'quoted', expires_at });
  const { ends } = (await read(id)) ?? {};
  await open(east, 'staff', id);
  await east.page.click('text=Change the offer');
  expect(await east.page.inputValue('[name=expires_at]')).toBe('2099-12-31');
  await fill(east, 'unit_price', '11');
  await press(east, 'Send the offer');
  await shows(east, '.notice.good', /33,00\s\$ is with the customer/);
  expect(await read(id)).toMatchObject({ unit_price: '11', total_price: '33', ends });
});

describe('an amount', () => {
  it('that reads two ways is asked about, and written as the reader writes it', async () => {
    const id = await demo.insert({ status: 'submitted', roster_count: 3 });
    await open(east, 'staff', id);
    await fill(east, 'unit_price', '1.500');
    await shows(east, '.desk-form .notice', /Which amount is 1\.500\?/);
    await press(east, 'Send the offer');
    await shows(east, '.field-error', /Choose which amount you mean/);
    expect((await read(id))?.['status']).toBe('submitted');
    await press(east, /^1\.500,00\s\$/);
    expect(await east.page.inputValue('[name=total_price]')).toBe('4500,00');
    await press(east, 'Send the offer');
    await shows(east, '.notice.good', /4\.500,00\s\$ is with the customer/);
    expect(await read(id)).toMatchObject({ unit_price: '1500', total_price: '4500' });
  });
});

describe('a quote', () => {
  it('whose offer has ended can not be approved, and says nothing of a refusal after it has expired', async () => {
    const offer = { ...priced, status: 'quoted', expires_at: '2099-01-01T00:00:00Z' };
    const id = await demo.insert({ ...offer, delivery_method: 'pickup' });
    await open(west, 'customer', id);
    await west.page.route(/quotes\?.*updated_at=eq/, async route => {
      await demo.service.sql`update builder.quotes set expires_at = now() where id = ${id}`;
      await route.continue();
    });
    await press(west, 'Approve $30.00');
    await west.page.getByRole('dialog').getByRole('button', { name: 'Approve $30.00' }).click();
    await shows(west, '.action-bar [role=alert]', /changed elsewhere/);
    await shows(west, '.offer', /It was valid until.*You can ask for a new price/);
    expect(await west.page.locator('.action-bar .actions').innerText()).toMatch(/^More\s+Ask again$/);
    await demo.service.sql`update builder.quotes set status = 'expired' where id = ${id}`;
    await shows(west, '.standing', /The offer has ended/);
    expect(await west.page.locator('.action-bar [role=alert]').count()).toBe(0);
    await west.page.unrouteAll();
  });
});

it('the customer reads with the quote what the staff answer, in the bell and after it was dismissed', async () => {
  await demo.service.sql`delete from builder.notifications`;
  const id = await demo.insert({ status: 'submitted', customer_notes: 'In red?' });
  await open(east, 'staff', id);
  await press(east, 'Send the message');
  await shows(east, '.field:has([name=body]) .field-error', /blank/);
  await fill(east, 'body', 'Red is sold out until May.');
  await press(east, 'Send the message');
  await shows(east, '.messages', /^Red is sold out until May\./);
  await open(west, 'staff', await demo.insert({ status: 'submitted' }));
  expect(await west.page.locator('.messages li').count()).toBe(0);
  await west.page.evaluate("location.hash = '#customer'");
  await west.page.getByRole('button', { name: 'Notifications, 1 new' }).click();
  await west.page.getByRole('link', { name: 'Open the quote' }).click();
  await shows(west, '.standing .messages', /^Red is sold out until May\./);
  await west.page.getByRole('button', { name: 'Notifications', exact: true }).waitFor();
  expect(await demo.service.sql`select dismissed, expires_at, channel from builder.notifications`).toEqual([
    { dismissed: true, expires_at: null, channel: 'email' },
  ]);
});

it('the pages log no error in either country', () => {
  // The browser logs the refused approval itself.
  expect(tabs.flatMap(({ problems }) => problems).filter(text => !text.includes('40'))).toEqual([]);
});
