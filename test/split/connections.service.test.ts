/**
 * Connections to Postgres while one listens, while many do, when all have left and during the sweep; and the answers.
 * @module-tag full
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { signAccount } from '../../functions/delivery/unsubscribe.ts';
import { collections } from '../../schema/collections.ts';
import { everyone } from '../../schema/everyone.ts';
import { Wire } from '../live/wire.ts';
import { mapAtOnce } from '../setup/map-at-once.ts';
import { aNotification } from '../setup/rows.ts';
import { postgresPort, useService } from '../setup/service.ts';
import { slowDown } from '../setup/slow-function.ts';
import { callerOf } from '../setup/wire.ts';

/** Milliseconds for which connections are counted: an object that left one a message would have dozens. */
const counted = 3000;
/** What the object of live updates holds while anybody listens. */
const ofObject = 2;
/** Reads of each collection and of `/health`, and writes, without a pause. */
const requestsAtOnce = collections.length + 2;

// Hyperdrive would keep connections to Postgres for other requests.
const deployment = useService({ databasePort: postgresPort() });

/** Each has an address of its own, as rate limits count by it. */
const listenAll = (accounts: string[]): Promise<Wire[]> =>
  mapAtOnce(accounts, 20, async (account, n) => {
    const headers = { 'cf-connecting-ip': `198.51.${n >> 8}.${n & 255}` };
    return Wire.listen(deployment, await deployment.token({ account }), { headers });
  });

async function connections(login: string): Promise<number> {
  const [row] = await deployment.sql<{ count: number }[]>`
    select count(*)::integer from pg_stat_activity where datname = current_database() and usename = ${login}`;
  return row?.count ?? 0;
}

/** The most connections that there are at any time. */
async function most(): Promise<number> {
  let most = 0;
  for (const end = Date.now() + counted; Date.now() < end; await sleep(20)) {
    most = Math.max(most, await connections('builder_api'));
  }
  return most;
}

/** Sends requests until it is stopped, which resolves to the statuses that there were. */
function sendRequests(account: string): () => Promise<Set<number>> {
  const { send, get } = callerOf(deployment, deployment.secretKey);
  const statuses = new Set<number>();
  let isStopped = false;
  let sent = 0;
  const repeat = async (request: (headers: Record<string, string>) => Promise<{ status: number }>) => {
    while (!isStopped) {
      sent += 1;
      statuses.add((await request({ 'cf-connecting-ip': `203.0.113.${sent % 250}` })).status);
    }
  };
  const loops = [
    ...collections.map(({ name }) => repeat(headers => get(`/${name}?limit=1`, headers))),
    repeat(async headers => {
      const response = await deployment.fetch('/health', { headers });
      await response.text();
      return response;
    }),
    repeat(headers => send('POST', '/notifications', aNotification(account), headers)),
  ];
  return async () => {
    isStopped = true;
    await Promise.all(loops);
    return statuses;
  };
}

it.each([
  0, 100,
])('while %i listen, they have the connections of their requests and two more at most, and refuse none', async count => {
  const accounts = Array.from({ length: count }, () => randomUUID());
  const wires = await listenAll(accounts);
  const idle = count === 0 ? 0 : ofObject;
  await expect.poll(() => connections('builder_api')).toBeLessThanOrEqual(idle);
  expect(await most()).toBeLessThanOrEqual(idle);
  const stop = sendRequests(accounts[0] ?? randomUUID());
  // That of a request that has ended may still be there when the next one begins.
  const bound = ofObject + 2 * requestsAtOnce;
  expect(await most()).toBeLessThanOrEqual(bound);
  expect([...(await stop())].sort()).toEqual([200, 201]);
  const { sql } = deployment;
  await sql`insert into builder.notifications ${sql(aNotification(everyone, { body: 'To all' }))}`;
  const isTold = (wire: Wire) => wire.changes().some(({ data }) => data.record?.['body'] === 'To all');
  await expect.poll(() => wires.every(isTold)).toBe(true);
  for (const wire of wires) {
    wire.close();
  }
  await expect.poll(() => connections('builder_api')).toBe(0);
});

it('deliveries have a connection only while they look for what is due', async () => {
  onTestFinished(await slowDown(deployment.sql, 'builder.claim_emails(integer, integer, text)', 0.2));
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
  onTestFinished(await slowDown(sql, 'builder.prune_notifications(integer)', 0.1));
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
  const statuses: number[] = [];
  let answers: Promise<unknown> | undefined;
  await sql.begin(async transaction => {
    await transaction`lock table builder.unsubscribed_accounts in access exclusive mode`;
    answers = mapAtOnce(accounts, 40, async account => {
      const path = `/unsubscribe/${await signAccount(deployment.secretKey, account)}`;
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
    expect(await waiting()).toBe(1);
    expect(statuses.length).toBeLessThan(accounts.length);
    expect(answered).toBeLessThan(accounts.length);
  });
  await answers;
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
  const path = `/unsubscribe/${await signAccount(deployment.secretKey, accounts[0] ?? '')}`;
  expect((await deployment.fetch(path, { method: 'POST' })).status).toBe(200);
  expect(
    await sql`select from builder.unsubscribed_accounts where account_id = ${accounts[0] ?? ''}`,
  ).toHaveLength(1);
});
