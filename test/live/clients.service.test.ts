/**
 * Clients: realtime-js of each kind. A browser listens in test/clients/demo*.
 * @module-tag full
 */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { aNotification } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { type Realtime, realtimeVersions, transportOf } from './realtime-clients.ts';
import { all } from './wire.ts';

const service = useService();

/** Inserts, updates and deletes a notification of the account, each when the one before has arrived. */
async function change(account: string, received: unknown[]): Promise<void> {
  const { sql } = service;
  const arrived = (count: number) => expect.poll(() => received.length).toBe(count);
  const [row] = await sql`insert into builder.notifications ${sql(aNotification(account))} returning id`;
  await arrived(1);
  await sql`update builder.notifications set dismissed = true where id = ${row?.['id']}`;
  await arrived(2);
  await sql`delete from builder.notifications where id = ${row?.['id']}`;
  await arrived(3);
}

it.each(
  realtimeVersions,
)('realtime-js $version joins by itself once it has a token, receives changes by two bindings, and leaves', async ({
  version,
  load,
}) => {
  const account = randomUUID();
  const { RealtimeClient } = await load();
  const client = new RealtimeClient(`${service.url.replace('http', 'ws')}/realtime/v1`, {
    params: { apikey: service.publishableKey },
    ...transportOf(version),
  });
  const received: { eventType: string; new: Record<string, unknown>; old: Record<string, unknown> }[] = [];
  const inserts: unknown[] = [];
  const states: string[] = [];
  const inserted = { ...all, event: 'INSERT', filter: `account_id=eq.${account}` };
  const channel = client
    .channel('x')
    .on('postgres_changes', all, (payload: Realtime) => received.push(payload))
    .on('postgres_changes', inserted, (payload: Realtime) => inserts.push(payload))
    .subscribe((state: string) => states.push(state));
  await expect.poll(() => states).toContain('CHANNEL_ERROR');
  await client.setAuth(await service.token({ account }));
  await expect.poll(() => states).toContain('SUBSCRIBED');
  await change(account, received);
  expect(received.map(({ eventType }) => eventType)).toEqual(['INSERT', 'UPDATE', 'DELETE']);
  expect(received[0]?.new).toMatchObject({ account_id: account, dismissed: false });
  expect(received[1]?.new).toMatchObject({ dismissed: true });
  expect(received[2]?.old).toEqual({ id: received[0]?.new['id'] });
  expect(inserts).toHaveLength(1);
  expect(await channel.unsubscribe()).toBe('ok');
  client.disconnect();
});
