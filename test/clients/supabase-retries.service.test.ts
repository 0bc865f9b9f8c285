/** supabase-js retries reads while the database is unavailable, but not writes. */
import { beforeAll, describe, expect, it } from 'vitest';
import { aGraphic } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { type Client, clientOf, expectError } from './supabase.ts';

const nobodyListens = 1;
const service = useService({ databasePort: nobodyListens });
let staff: Client;
beforeAll(async () => {
  staff = clientOf(service, service.secretKey);
});

const away = 'The database cannot be reached at the moment';

/** The number of requests of a method in the worker's log. */
const seen = (method: string): number =>
  service.logs.filter(line => line.includes('request_id') && line.includes(method)).length;

describe('while the database is unavailable', () => {
  it('a read is retried three times', async () => {
    expectError(await staff.from('graphics').select(), 503, 'PGRST001', away);
    await expect.poll(() => seen('GET')).toBe(4);
  });

  it('a read is sent once with retry(false)', async () => {
    const before = seen('GET');
    expectError(await staff.from('graphics').select().retry(false), 503, 'PGRST001', away);
    await expect.poll(() => seen('GET')).toBe(before + 1);
  });

  it('a write is sent once', async () => {
    expectError(await staff.from('graphics').insert(aGraphic()), 503, 'PGRST001', away);
    await expect.poll(() => seen('POST')).toBe(1);
  });
});
