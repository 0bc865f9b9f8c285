/** The clients that there are: realtime-js of each kind, supabase-js, refine, and supabase-js in a browser. */
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

/** The same, and each of the three is told by itself. */
async function changeSlowly(account: string, told: unknown[]): Promise<void> {
  const { sql } = service;
  const [row] = await sql`insert into builder.notifications ${sql(aNotification(account))} returning id`;
  await expect.poll(() => told.length).toBe(1);
  await sql`update builder.notifications set dismissed = true where id = ${row?.['id']}`;
  await expect.poll(() => told.length).toBe(2);
  await sql`delete from builder.notifications where id = ${row?.['id']}`;
  await expect.poll(() => told.length).toBe(3);
}

describe.each(sample(3, realtimeVersions))('realtime-js $version', ({ version, load }) => {
  it('is told of an insert, an update and a delete, by two bindings, and leaves', async () => {
    const account = randomUUID();
    const token = await service.token({ account });
    const { RealtimeClient } = await load();
    const client = new RealtimeClient(`${service.url.replace('http', 'ws')}/realtime/v1`, {
      params: { apikey: service.publishableKey },
      ...transportOf(version),
      accessToken: async () => token,
    });
    await client.setAuth(token);
    const told: { eventType: string; new: Record<string, unknown>; old: Record<string, unknown> }[] = [];
    const inserts: unknown[] = [];
    const states: string[] = [];
    const channel = client
      .channel('x')
      .on('postgres_changes', { event: '*', schema: 'public', table: 'notifications' }, (payload: Realtime) =>
        told.push(payload),
      )
      .on(
        'postgres_changes',
        { event: 'INSERT', schema: 'public', table: 'notifications', filter: `account_id=eq.${account}` },
        (payload: Realtime) => inserts.push(payload),
      )
      .subscribe((state: string) => states.push(state));
    await expect.poll(() => states, { timeout: 20_000 }).toContain('SUBSCRIBED');
    await changeSlowly(account, told);
    expect(told.map(({ eventType }) => eventType)).toEqual(['INSERT', 'UPDATE', 'DELETE']);
    expect(told[0]?.new).toMatchObject({ account_id: account, dismissed: false });
    expect(told[1]?.new).toMatchObject({ dismissed: true });
    expect(told[2]?.old).toEqual({ id: told[0]?.new['id'] });
    expect(inserts).toHaveLength(1);
    expect(await channel.unsubscribe()).toBe('ok');
    client.disconnect();
  });

  it('joins by itself once it has a token, if it had none at first', async () => {
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
  it('has several channels with several bindings, and one can be removed', async () => {
    const account = randomUUID();
    const client = clientOf(service, service.publishableKey, await service.token({ account }));
    const told: string[] = [];
    const states: string[] = [];
    const listen = (name: string) =>
      client
        .channel(name)
        .on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'notifications' }, () =>
          told.push(`${name} inserted`),
        )
        .on('postgres_changes', { event: 'DELETE', schema: 'public', table: 'notifications' }, () =>
          told.push(`${name} deleted`),
        )
        .subscribe(state => states.push(`${name} ${state}`));
    const removed = listen('removed');
    listen('kept');
    await expect.poll(() => states, { timeout: 20_000 }).toContain('removed SUBSCRIBED');
    await expect.poll(() => states, { timeout: 20_000 }).toContain('kept SUBSCRIBED');
    const { sql } = service;
    const [row] = await sql`insert into builder.notifications ${sql(aNotification(account))} returning id`;
    await expect.poll(() => told.toSorted()).toEqual(['kept inserted', 'removed inserted']);
    await client.removeChannel(removed);
    await sql`delete from builder.notifications where id = ${row?.['id']}`;
    await expect.poll(() => told).toContain('kept deleted');
    expect(told).not.toContain('removed deleted');
    await client.removeAllChannels();
  });
});

describe('the liveProvider of refine', () => {
  it('is told what its page shows', async () => {
    const account = randomUUID();
    const client = clientOf(service, service.publishableKey, await service.token({ account }));
    const told: { type: string; payload: unknown }[] = [];
    const provider = liveProvider(client as never);
    const subscription = provider.subscribe({
      channel: 'resources/notifications',
      types: ['*'],
      params: { filters: [{ field: 'account_id', operator: 'eq', value: account }] },
      callback: (event: (typeof told)[0]) => told.push(event),
    } as never);
    await expect.poll(() => client.getChannels()[0]?.state, { timeout: 20_000 }).toBe('joined');
    await changeSlowly(account, told);
    expect(told.map(({ type }) => type)).toEqual(['created', 'updated', 'deleted']);
    provider.unsubscribe(subscription);
    await client.removeAllChannels();
  });
});

describe('supabase-js in a browser', () => {
  it('is told on a page of another origin', { tags: ['chromium'] }, async () => {
    const account = randomUUID();
    const token = await service.token({ account });
    const [chromium, site] = await Promise.all([startChromium(), startSite()]);
    try {
      const { page } = await chromium.open(site.url);
      await page.evaluate(listen, [service.url, service.publishableKey, token]);
      const told = () => page.evaluate(() => (globalThis as unknown as { told: string[] }).told);
      await expect.poll(told, { timeout: 20_000 }).toEqual(['SUBSCRIBED']);
      await change(account);
      const { sql } = service;
      await sql`insert into builder.notifications ${sql(aNotification(account, { body: 'Ready' }))}`;
      await expect.poll(told).toContain('INSERT Ready');
    } finally {
      await chromium.stop();
      site.stop();
    }
  });
});

/** Runs in the page. The states but errors, since the first join may come before its token. */
function listen([url, key, token]: string[]): void {
  const page = globalThis as unknown as { supabase: Realtime; told: string[] };
  page.told = [];
  page.supabase
    .createClient(url, key, { accessToken: async () => token })
    .channel('x')
    .on(
      'postgres_changes',
      { event: 'INSERT', schema: 'public', table: 'notifications' },
      (payload: Realtime) => page.told.push(`${payload.eventType} ${payload.new.body}`),
    )
    .subscribe((state: string) => {
      if (state !== 'CHANNEL_ERROR') {
        page.told.push(state);
      }
    });
}
