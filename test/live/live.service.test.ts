import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { clientOf } from '../clients/supabase.ts';
import { aNotification } from '../setup/rows.ts';
import { type Service, startService } from '../setup/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

describe('supabase.channel()', () => {
  it('tells an insert', async () => {
    const account = randomUUID();
    const client = clientOf(service, service.publishableKey, await service.token({ account }));
    const told: unknown[] = [];
    const states: unknown[] = [];
    client
      .channel('x')
      .on('postgres_changes', { event: '*', schema: 'public', table: 'notifications' }, payload =>
        told.push(payload),
      )
      .subscribe((state, error) => states.push([state, error?.message]));
    await vi.waitFor(() => expect(states).toContainEqual(['SUBSCRIBED', undefined]), 10_000);
    const { sql } = service;
    await sql`insert into builder.notifications ${sql(aNotification(account))}`;
    await vi.waitFor(() => expect(told).toHaveLength(1), 10_000);
    console.log(JSON.stringify(told, null, 1), states);
    await client.removeAllChannels();
  });
});
