/** The worker of the cron. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { limits } from '../../functions/common/limits.ts';
import { type Way, ways } from './ways.ts';

describe.each(ways)('the worker of the sweep, %s', (_, start) => {
  let way: Way;
  beforeAll(async () => {
    way = await start();
  });
  afterAll(() => way.stop());

  it('has one connection for all its batches, and none when it is done', async () => {
    const { sql } = way.deployment;
    const due = 9 * limits.sweep.batch + 1;
    await sql`
      insert into builder.notifications (account_id, body, dismissed, expires_at)
      select ${randomUUID()}, 'Ready', false, '2020-01-01' from generate_series(1, ${due}::integer)`;
    const [row] = await sql`
      select pg_get_functiondef('builder.prune_notifications(integer)'::regprocedure) as text`;
    await sql.unsafe(String(row?.['text']).replace(/\nbegin\n/, '\nbegin perform pg_sleep(0.1);\n'));
    const counts: number[] = [];
    let isDone = false;
    const sweep = way.deployment.sweep().finally(() => {
      isDone = true;
    });
    while (!isDone) {
      counts.push(await way.connections('builder_sweeper'));
    }
    await sweep;
    expect(await sql`select from builder.notifications`).toEqual([]);
    expect(Math.max(...counts)).toBe(1);
    await expect.poll(() => way.connections('builder_sweeper')).toBe(0);
  });
});
