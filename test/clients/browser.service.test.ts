/**
 * supabase-js in a real browser, on a page of another origin: over real CORS.
 * @module-tag chromium
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Chromium, foreignHosts, startChromium, type Tab } from '../setup/chromium.ts';
import { aGraphic, aNotification, aQuote } from '../setup/rows.ts';
import { type Service, startService } from '../setup/service.ts';
import { type Site, startSite } from '../setup/site.ts';
import { callerOf } from '../setup/wire.ts';
import type { Client } from './supabase.ts';

/** The globals that the page's own script sets. */
declare const as: { anonymous: Client; customer: Client; tracing: Client };

const account = randomUUID();
let service: Service;
let chromium: Chromium;
let site: Site;
let tab: Tab;

beforeAll(async () => {
  [service, chromium, site] = await Promise.all([startService(), startChromium(), startSite()]);
  tab = await chromium.open(site.url);
  await tab.page.evaluate(signIn, [service.url, service.publishableKey, await service.token({ account })]);
});
afterAll(async () => {
  await Promise.all([service.stop(), chromium.stop()]);
  site.stop();
});

/** Runs in the page. */
function signIn([url, key, token]: string[]): void {
  const page = globalThis as unknown as {
    supabase: { createClient(...args: unknown[]): Client };
    as: { anonymous: Client; customer: Client; tracing: Client };
  };
  const headers = {
    'x-my-custom-header': 'my-app-name',
    'sentry-trace': '1-1',
    'x-supabase-api-version': '1',
  };
  page.as = {
    anonymous: page.supabase.createClient(url, key, { auth: { persistSession: false } }),
    customer: page.supabase.createClient(url, key, { accessToken: async () => token }),
    tracing: page.supabase.createClient(url, key, { accessToken: async () => token, global: { headers } }),
  };
}

const staff = () => callerOf(service, service.secretKey);

describe('an anonymous visitor', () => {
  it('reads the active graphics, and how many there are', async () => {
    await staff().send('POST', '/graphics', [
      aGraphic({ name: 'Eagle', sort_order: 2, is_active: true }),
      aGraphic({ name: 'Tiger', sort_order: 1, is_active: true }),
      aGraphic({ name: 'Hidden', sort_order: 0, is_active: false }),
    ]);
    const result = await tab.page.evaluate(() =>
      as.anonymous.from('graphics').select('name', { count: 'exact' }).order('sort_order').limit(1),
    );
    expect(result).toMatchObject({ status: 206, error: null, count: 2, data: [{ name: 'Tiger' }] });
  });

  it('reads no quotes', async () => {
    const result = await tab.page.evaluate(() => as.anonymous.from('quotes').select());
    expect(result).toMatchObject({ status: 401, data: null, error: { code: '42501' } });
  });
});

describe('a customer', () => {
  const draft = aQuote(account, { quote_number: 'QT-2026-00042' });
  let id: string;

  it('drafts a quote', async () => {
    const result = await tab.page.evaluate(
      row => as.customer.from('quotes').insert(row).select().single(),
      draft,
    );
    expect(result).toMatchObject({ status: 201, error: null, data: { ...draft, status: 'draft' } });
    expect(result.data).not.toHaveProperty('internal_notes');
    id = result.data.id;
  });

  it('autosaves it', async () => {
    const result = await tab.page.evaluate(
      key => as.customer.from('quotes').update({ roster_count: 15, rush_order: true }).eq('id', key),
      id,
    );
    expect(result).toMatchObject({ status: 204, error: null });
    const saved = await tab.page.evaluate(
      key => as.customer.from('quotes').select('roster_count, rush_order').eq('id', key).single(),
      id,
    );
    expect(saved.data).toEqual({ roster_count: 15, rush_order: true });
  });

  it('sends headers of its own', async () => {
    const result = await tab.page.evaluate(
      key => as.tracing.from('quotes').update({ company: 'Lions' }).eq('id', key).select('company').single(),
      id,
    );
    expect(result).toMatchObject({ status: 200, error: null, data: { company: 'Lions' } });
  });

  it('submits it', async () => {
    const result = await tab.page.evaluate(
      key =>
        as.customer
          .from('quotes')
          .update({ status: 'submitted' })
          .eq('id', key)
          .select('status, submitted_at')
          .single(),
      id,
    );
    expect(result).toMatchObject({
      error: null,
      data: { status: 'submitted', submitted_at: expect.any(String) },
    });
  });

  it('reads a notification from staff and dismisses it', async () => {
    await staff().send('POST', '/notifications', [aNotification(account), aNotification(randomUUID())]);
    const seen = await tab.page.evaluate(() =>
      as.customer.from('notifications').select('body, dismissed').eq('dismissed', false).order('id'),
    );
    // The first one is of the quote that was submitted above.
    expect(seen.data).toEqual([
      { body: expect.stringMatching(/^We have received your quote request/), dismissed: false },
      { body: 'Your quote is ready', dismissed: false },
    ]);
    const dismissed = await tab.page.evaluate(() =>
      as.customer
        .from('notifications')
        .update({ dismissed: true })
        .eq('dismissed', false)
        .select('dismissed'),
    );
    expect(dismissed).toMatchObject({ status: 200, data: [{ dismissed: true }, { dismissed: true }] });
  });
});

it('is told of a service that is not part of this one, whatever headers the call adds', async () => {
  const body = await tab.page.evaluate(async () => {
    const options = { body: { a: 1 }, headers: { 'x-own': '1' }, region: 'eu-west-1' as never };
    const { error } = await as.anonymous.functions.invoke('price-quote', options);
    return error.context.json();
  });
  expect(body.message).toContain('supabase.functions is not part of this service');
});

describe('the browser', () => {
  it('sent a preflight before each kind of request, as for any other origin', () => {
    const preflights = tab.sent.filter(({ method }) => method === 'OPTIONS').map(({ url }) => url);
    const collections = ['graphics', 'quotes', 'notifications'].map(name => `/rest/v1/${name}`);
    for (const path of [...collections, '/functions/v1/price-quote']) {
      expect(preflights).toContainEqual(expect.stringContaining(`${service.url}${path}`));
    }
  });

  it('sent no requests to other hosts', () => {
    expect(tab.sent.length).toBeGreaterThan(10);
    expect(foreignHosts(tab)).toEqual([]);
  });
});
