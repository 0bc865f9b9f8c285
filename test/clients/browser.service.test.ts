/**
 * supabase-js in a real browser, on a page of another origin: over real CORS.
 * @module-tag chromium
 */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { foreignHosts, startChromium } from '../setup/chromium.ts';
import { aQuote } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { startSite } from '../setup/site.ts';
import { use } from '../setup/use.ts';
import type { Client } from './supabase.ts';

/** The globals that the page's own script sets. */
declare const as: Record<'customer', Client>;

const account = randomUUID();
const service = useService();
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
    as: Record<'customer', Client>;
  };
  const headers = { 'x-my-custom-header': 'my-app-name', 'x-supabase-api-version': '1' };
  page.as = {
    customer: page.supabase.createClient(url, key, { accessToken: async () => token, global: { headers } }),
  };
}

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

it('the browser sent preflights, and nothing to other hosts', () => {
  const preflights = tab.sent.filter(({ method }) => method === 'OPTIONS').map(({ url }) => url);
  expect(preflights).toContainEqual(expect.stringContaining(`${service.url}/rest/v1/quotes`));
  expect(foreignHosts(tab)).toEqual([]);
});
