/** Clients: realtime-js of each kind, supabase-js, Refine, and supabase-js in a browser. */
import { randomUUID } from 'node:crypto';
import { liveProvider } from '@refinedev/supabase';
import { describe, expect, it } from 'vitest';
import { clientOf } from '../clients/supabase.ts';
import { startChromium } from '../setup/chromium.ts';
import { sample } from '../setup/full-size.ts';
import { aNotification } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { startSite } from '../setup/site.ts';
import { type Realtime, realtimeVersions, transportOf } from './realtime-clients.ts';

const service = useService();

/** Inserts, updates and deletes a notification of the account. */
async function change(account: string): Promise<void> {
  const { sql } = service;
  const [row] = await sql`insert into builder.notifications ${sql(aNotification(account))} returning id`;
  await sql`update builder.notifications set dismissed = true where id = ${row?.['id']}`;
  await sql`delete from builder.notifications where id = ${row?.['id']}`;
}

/** The same, waiting for each of the three to arrive. */
async function changeSlowly(account: string, received: unknown[]): Promise<void> {
  const { sql } = service;
  const [row] = await sql`insert into builder.notifications ${sql(aNotification(account))} returning id`;
  await expect.poll(() => received.length).toBe(1);
  await sql`update builder.notifications set dismissed = true where id = ${row?.['id']}`;
  await expect.poll(() => received.length).toBe(2);
  await sql`delete from builder.notifications where id = ${row?.['id']}`;
  await expect.poll(() => received.length).toBe(3);
}

describe.each(sample(3, realtimeVersions))('realtime-js $version', ({ version, load }) => {
  it('receives an insert, an update and a delete by two bindings, and leaves', async () => {
    const account = randomUUID();
    const token = await service.token({ account });
    const { RealtimeClient } = await load();
    const client = new RealtimeClient(`${service.url.replace('http', 'ws')}/realtime/v1`, {
      params: { apikey: service.publishableKey },
      ...transportOf(version),
      accessToken: async () => token,
    });
    await client.setAuth(token);
    const received: { eventType: string; new: Record<string, unknown>; old: Record<string, unknown> }[] = [];
    const inserts: unknown[] = [];
    const states: string[] = [];
    const channel = client
      .channel('x')
      .on('postgres_changes', { event: '*', schema: 'public', table: 'notifications' }, (payload: Realtime) =>
        received.push(payload),
      )
      .on(
        'postgres_changes',
        { event: 'INSERT', schema: 'public', table: 'notifications', filter: `account_id=eq.${account}` },
        (payload: Realtime) => inserts.push(payload),
      )
      .subscribe((state: string) => states.push(state));
    await expect.poll(() => states, { timeout: 20_000 }).toContain('SUBSCRIBED');
    await changeSlowly(account, received);
    expect(received.map(({ eventType }) => eventType)).toEqual(['INSERT', 'UPDATE', 'DELETE']);
    expect(received[0]?.new).toMatchObject({ account_id: account, dismissed: false });
    expect(received[1]?.new).toMatchObject({ dismissed: true });
    expect(received[2]?.old).toEqual({ id: received[0]?.new['id'] });
    expect(inserts).toHaveLength(1);
    expect(await channel.unsubscribe()).toBe('ok');
    client.disconnect();
  });

  it('joins by itself once it has a token', async () => {
    const account = randomUUID();
    const token = await service.token({ account });
    const { RealtimeClient } = await load();
    const client = new RealtimeClient(`${service.url.replace('http', 'ws')}/realtime/v1`, {
      params: { apikey: service.publishableKey },
      ...transportOf(version),
    });
    const states: string[] = [];
    const channel = client.channel('x');
    channel
      .on('postgres_changes', { event: '*', schema: 'public', table: 'notifications' }, () => {})
      .subscribe((state: string) => states.push(state));
    await expect.poll(() => states, { timeout: 20_000 }).toContain('CHANNEL_ERROR');
    await client.setAuth(token);
    await expect.poll(() => states, { timeout: 20_000 }).toContain('SUBSCRIBED');
    await channel.unsubscribe();
    client.disconnect();
  });
});

describe('supabase-js', () => {
  it('has several channels with several bindings, one of which can be removed', async () => {
    const account = randomUUID();
    const client = clientOf(service, service.publishableKey, await service.token({ account }));
    const received: string[] = [];
    const states: string[] = [];
    const listen = (name: string) =>
      client
        .channel(name)
        .on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'notifications' }, () =>
          received.push(`${name} inserted`),
        )
        .on('postgres_changes', { event: 'DELETE', schema: 'public', table: 'notifications' }, () =>
          received.push(`${name} deleted`),
        )
        .subscribe(state => states.push(`${name} ${state}`));
    const removed = listen('removed');
    listen('kept');
    await expect.poll(() => states, { timeout: 20_000 }).toContain('removed SUBSCRIBED');
    await expect.poll(() => states, { timeout: 20_000 }).toContain('kept SUBSCRIBED');
    const { sql } = service;
    const [row] = await sql`insert into builder.notifications ${sql(aNotification(account))} returning id`;
    await expect.poll(() => received.toSorted()).toEqual(['kept inserted', 'removed inserted']);
    await client.removeChannel(removed);
    await sql`delete from builder.notifications where id = ${row?.['id']}`;
    await expect.poll(() => received).toContain('kept deleted');
    expect(received).not.toContain('removed deleted');
    await client.removeAllChannels();
  });
});

describe('the liveProvider of refine', () => {
  it('receives what its page shows', async () => {
    const account = randomUUID();
    const client = clientOf(service, service.publishableKey, await service.token({ account }));
    const received: { type: string; payload: unknown }[] = [];
    const provider = liveProvider(client as never);
    const subscription = provider.subscribe({
      channel: 'resources/notifications',
      types: ['*'],
      params: { filters: [{ field: 'account_id', operator: 'eq', value: account }] },
      callback: (event: (typeof received)[0]) => received.push(event),
    } as never);
    await expect.poll(() => client.getChannels()[0]?.state, { timeout: 20_000 }).toBe('joined');
    await changeSlowly(account, received);
    expect(received.map(({ type }) => type)).toEqual(['created', 'updated', 'deleted']);
    provider.unsubscribe(subscription);
    await client.removeAllChannels();
  });
});

describe('supabase-js in a browser', () => {
  it('receives changes on a page of another origin', { tags: ['chromium'] }, async () => {
    const account = randomUUID();
    const token = await service.token({ account });
    const [chromium, site] = await Promise.all([startChromium(), startSite()]);
    try {
      const { page } = await chromium.open(site.url);
      await page.evaluate(listen, [service.url, service.publishableKey, token]);
      const received = () => page.evaluate(() => (globalThis as unknown as { received: string[] }).received);
      await expect.poll(received, { timeout: 20_000 }).toEqual(['SUBSCRIBED']);
      await change(account);
      const { sql } = service;
      await sql`insert into builder.notifications ${sql(aNotification(account, { body: 'Ready' }))}`;
      await expect.poll(received).toContain('INSERT Ready');
    } finally {
      await chromium.stop();
      site.stop();
    }
  });
});

/** Runs in the page. The states but errors, since the first join may come before its token. */
function listen([url, key, token]: string[]): void {
  const page = globalThis as unknown as { supabase: Realtime; received: string[] };
  page.received = [];
  page.supabase
    .createClient(url, key, { accessToken: async () => token })
    .channel('x')
    .on(
      'postgres_changes',
      { event: 'INSERT', schema: 'public', table: 'notifications' },
      (payload: Realtime) => page.received.push(`${payload.eventType} ${payload.new.body}`),
    )
    .subscribe((state: string) => {
      if (state !== 'CHANNEL_ERROR') {
        page.received.push(state);
      }
    });
}
