import { expect } from 'vitest';
import type { Service } from './service.ts';

/** How many connections of the service's database wait for another's lock. */
export async function countBlocked({ sql }: Pick<Service, 'sql'>): Promise<number> {
  const blocked = await sql`
    select from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`;
  return blocked.length;
}

/** Until so many do. */
export async function untilBlocked(service: Pick<Service, 'sql'>, count = 1): Promise<void> {
  await expect.poll(() => countBlocked(service)).toBe(count);
}
