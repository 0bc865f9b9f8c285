/** Connections to Postgres of deliveries, of the sweep and of unsubscriptions; those of live updates are in test/live/hyperdrive. */
import { randomUUID } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { signId } from '../../functions/common/signed-id.ts';
import { unsubscribePurpose } from '../../functions/delivery/unsubscribe.ts';
import { mapAtOnce } from '../setup/map-at-once.ts';
import { aNotification } from '../setup/rows.ts';
import { postgresPort, useService } from '../setup/service.ts';
import { slowDown } from '../setup/slow-function.ts';
import { callerOf } from '../setup/wire.ts';

// Hyperdrive would keep connections to Postgres for other requests.
const deployment = useService({ databasePort: postgresPort() });

async function connections(login: string): Promise<number> {
  const [row] = await deployment.sql<{ count: number }[]>`
    select count(*)::integer from pg_stat_activity where datname = current_database() and usename = ${login}`;
  return row?.count ?? 0;
}

it('deliveries have a connection only while they look for what is due', async () => {
  onTestFinished(
    await slowDown(deployment.sql, 'builder.claim_emails(integer, integer, text, boolean)', 0.2),
  );
  const { send } = callerOf(deployment, deployment.secretKey);
  const counts: number[] = [];
  while (counts.length < 100 || Math.max(...counts) === 0) {
    expect((await send('POST', '/notifications', aNotification(randomUUID()))).status).toBe(201);
    counts.push(await connections('builder_jobs'));
  }
  // That of a look that is over may still be there when the next one begins.
  expect(Math.max(...counts)).toBeLessThanOrEqual(2);
  await expect.poll(() => connections('builder_jobs')).toBe(0);
});

it('the sweep has one connection for all its batches, beside that of deliveries, and none when it is done', async () => {
  const { sql } = deployment;
  // Ten batches of 500.
  const due = 4501;
  await sql`
    insert into builder.notifications (account_id, body, dismissed, expires_at)
    select ${randomUUID()}, 'Ready', false, '2020-01-01' from generate_series(1, ${due}::integer)`;
  onTestFinished(await slowDown(sql, 'builder.prune(regclass, text, text, integer)', 0.1));
  const counts: number[] = [];
  let isDone = false;
  const sweep = deployment.sweep().finally(() => {
    isDone = true;
  });
  while (!isDone) {
    counts.push(await connections('builder_jobs'));
  }
  await sweep;
  expect(await sql`select from builder.notifications where expires_at < now()`).toEqual([]);
  expect(Math.max(...counts)).toBeGreaterThan(0);
  // Deliveries have the same login, and the sweep wakes them.
  expect(Math.max(...counts)).toBeLessThanOrEqual(2);
  await expect.poll(() => connections('builder_jobs')).toBe(0);
});

it('unsubscriptions that wait for a lock have one connection, and the sweep does not wait for them', async () => {
  const { sql } = deployment;
  const accounts = Array.from({ length: 40 }, () => randomUUID());
  // Only accounts that have something are unsubscribed.
  await sql`
    insert into builder.notifications (account_id, body, dismissed) select unnest(${accounts}::uuid[]), 'a', false`;
  const statuses: number[] = [];
  let answers: Promise<unknown> | undefined;
  await sql.begin(async transaction => {
    await transaction`lock table builder.unsubscribed_accounts in access exclusive mode`;
    answers = mapAtOnce(accounts, 40, async account => {
      const path = `/unsubscribe/${await signId(deployment.secretKey, unsubscribePurpose, account)}`;
      statuses.push((await deployment.fetch(path, { method: 'POST' })).status);
    });
    const waiting = async () => {
      const [row] = await sql<{ count: number }[]>`
        select count(*)::integer from pg_stat_activity
        where datname = current_database() and usename = 'builder_jobs' and wait_event_type = 'Lock'`;
      return row?.count;
    };
    await expect.poll(waiting).toBeGreaterThan(0);
    const answered = statuses.length;
    await deployment.sweep();
    // One that has waited too long ends before the next begins.
    await expect.poll(waiting).toBe(1);
    expect(statuses.length).toBeLessThan(accounts.length);
    expect(answered).toBeLessThan(accounts.length);
  });
  await answers;
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
  const path = `/unsubscribe/${await signId(deployment.secretKey, unsubscribePurpose, accounts[0] ?? '')}`;
  expect((await deployment.fetch(path, { method: 'POST' })).status).toBe(200);
  expect(
    await sql`select from builder.unsubscribed_accounts where account_id = ${accounts[0] ?? ''}`,
  ).toHaveLength(1);
});
