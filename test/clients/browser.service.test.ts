/**
 * supabase-js in a real browser, on a page of another origin: over real CORS.
 * @module-tag chromium
 */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { foreignHosts, startChromium } from '../setup/chromium.ts';
import { aGraphic, aQuote } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { startSite } from '../setup/site.ts';
import { use } from '../setup/use.ts';
import { useCallers } from '../setup/wire.ts';
import type { Client } from './supabase.ts';

/** The globals that the page's own script sets. */
declare const as: Record<'anonymous' | 'customer', Client>;

const account = randomUUID();
const service = useService();
const { staff } = useCallers(service);
const chromium = use(startChromium, 'stop');
const site = use(startSite, 'stop');
const tab = use(() => chromium.open(site.url));
beforeAll(async () => {
  await tab.page.evaluate(signIn, [service.url, service.publishableKey, await service.token({ account })]);
});

/** Runs in the page. The customer's client sends headers of its own. */
function signIn([url, key, token]: string[]): void {
  const page = globalThis as unknown as {
    supabase: { createClient(...args: unknown[]): Client };
    as: Record<'anonymous' | 'customer', Client>;
  };
  const headers = { 'x-my-custom-header': 'my-app-name', 'x-supabase-api-version': '1' };
  page.as = {
    anonymous: page.supabase.createClient(url, key, { auth: { persistSession: false } }),
    customer: page.supabase.createClient(url, key, { accessToken: async () => token, global: { headers } }),
  };
}

it('an anonymous visitor reads the active graphics and their count, and no quotes', async () => {
  const graphics = [true, true, false].map((is_active, n) => aGraphic({ name: `${n}`, is_active }));
  await staff.send('POST', '/graphics', graphics);
  const found = await tab.page.evaluate(() =>
    as.anonymous.from('graphics').select('name', { count: 'exact' }).order('name').limit(1),
  );
  expect(found).toMatchObject({ status: 206, error: null, count: 2, data: [{ name: '0' }] });
  const refused = await tab.page.evaluate(() => as.anonymous.from('quotes').select());
  expect(refused).toMatchObject({ status: 401, data: null, error: { code: '42501' } });
});

it('a customer drafts a quote, saves it and submits it', async () => {
  const draft = aQuote(account, { quote_number: 'QT-2026-00042' });
  const made = await tab.page.evaluate(
    row => as.customer.from('quotes').insert(row).select().single(),
    draft,
  );
  expect(made).toMatchObject({ status: 201, error: null, data: { ...draft, status: 'draft' } });
  expect(made.data).not.toHaveProperty('internal_notes');
  const update = (change: object) =>
    tab.page.evaluate(
      ([id, change]) =>
        as.customer.from('quotes').update(change).eq('id', id).select('status, company').single(),
      [made.data.id as string, change] as const,
    );
  expect(await update({ company: 'Lions' })).toMatchObject({ status: 200, data: { company: 'Lions' } });
  expect(await update({ status: 'submitted' })).toMatchObject({ data: { status: 'submitted' } });
});

it('a call of a service that is not here has a readable error, whatever headers it adds', async () => {
  const body = await tab.page.evaluate(async () => {
    const options = { body: { a: 1 }, headers: { 'x-own': '1' }, region: 'eu-west-1' as never };
    const { error } = await as.anonymous.functions.invoke('price-quote', options);
    return error.context.json();
  });
  expect(body.message).toContain('supabase.functions is not part of this service');
});

it('the browser sent a preflight before each kind of request, and nothing to other hosts', () => {
  const preflights = tab.sent.filter(({ method }) => method === 'OPTIONS').map(({ url }) => url);
  for (const path of ['/rest/v1/graphics', '/rest/v1/quotes', '/functions/v1/price-quote']) {
    expect(preflights).toContainEqual(expect.stringContaining(`${service.url}${path}`));
  }
  expect(foreignHosts(tab)).toEqual([]);
});
