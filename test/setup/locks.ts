import { expect } from 'vitest';
import type { Service } from './service.ts';

/** The number of connections to the service's database that wait for a lock; that on a table's end is held for a moment. */
export async function countBlocked({ sql }: Pick<Service, 'sql'>): Promise<number> {
  const blocked = await sql`
    select from pg_stat_activity
    where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0
      and wait_event is distinct from 'extend'`;
  return blocked.length;
}

/** Waits until so many connections wait for a lock. */
export async function untilBlocked(service: Pick<Service, 'sql'>, count = 1): Promise<void> {
  await expect.poll(() => countBlocked(service)).toBe(count);
}
