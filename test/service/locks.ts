import { expect } from 'vitest';
import type { Service } from '../setup/service.ts';

/** Until so many connections of the service's database wait for another's lock. */
export async function untilBlocked({ sql }: Service, count = 1): Promise<void> {
  const blocked = () => sql`
    select from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`;
  await expect.poll(async () => (await blocked()).length, { timeout: 4000 }).toBe(count);
}
