/**
 * Workers and databases that end while e-mail is sent, or while rows are written.
 *
 * @module-tag full
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from 'postgres';
import { afterEach, beforeEach, expect, inject, it, vi } from 'vitest';
import { deliveryLimits } from '../../functions/delivery/limits.ts';
import { createAccessToken, type TokenHolder } from '../../functions/local/access-token.ts';
import { startRelay, type TestRelay } from '../delivery/relay.ts';
import { createDatabase, type TestDatabase } from '../setup/database.ts';
import { rounds } from '../setup/full-size.ts';
import { startCluster } from './cluster.ts';
import { countSent, endLeases, storeDueMails, tallyOf } from './due-mails.ts';
import { type KillableWorker, startKillableWorker } from './killable-worker.ts';
import { isGood, underLoad } from './under-load.ts';

let relay: TestRelay;
let ending: (() => Promise<unknown>)[];
beforeEach(async () => {
  ending = [];
  relay = await startRelay({ certificate: inject('certificate'), smtp: { hideSTARTTLS: true } });
});
afterEach(async () => {
  await relay.stop();
  for (const end of ending.reverse()) {
    await end();
  }
});

async function aDatabase(): Promise<TestDatabase> {
  const database = await createDatabase();
  ending.push(() => database.drop());
  return database;
}

/** A worker that sends e-mail over the relay. */
async function deliverer(database: TestDatabase): Promise<KillableWorker> {
  const one = await startKillableWorker(database, {
    MAIL_URL: `smtp://127.0.0.1:${relay.port}`,
    MAIL_FROM: 'Uniform Builder <quotes@builder.example>',
    MAIL_PER_DAY: '1000000',
    SERVICE_URL: 'https://api.builder.example',
  });
  ending.push(() => one.kill());
  return one;
}

const untilSent = (sql: Sql, count: number) =>
  vi.waitUntil(async () => (await countSent(sql)) >= count, { timeout: 120_000, interval: 10 });

it('a worker that is killed sends each mail, and at most those in flight twice', {
  timeout: 120_000,
}, async () => {
  const database = await aDatabase();
  const { sql } = database;
  await storeDueMails(sql, 60);
  const worker = await deliverer(database);
  await worker.wake();
  await untilSent(sql, 25);
  await worker.kill();
  const inFlight = await endLeases(sql);
  expect(inFlight).toBeLessThanOrEqual(deliveryLimits.run.sessions);
  await worker.start();
  await worker.wake();
  await untilSent(sql, 60);
  const { twice, ...all } = tallyOf(relay);
  expect(all).toEqual({ addresses: 60, messages: 60 });
  expect(twice).toBeLessThanOrEqual(inFlight);
});

it('no mail is sent twice when the database restarts, since each is settled when it is back', {
  timeout: 120_000,
}, async () => {
  const cluster = await startCluster();
  ending.push(() => cluster.remove());
  const { sql } = cluster.database;
  const count = rounds(200, 1000);
  await storeDueMails(sql, count);
  const one = await deliverer(cluster.database);
  await one.wake();
  await untilSent(sql, 50);
  await cluster.stop('fast');
  await sleep(300);
  await cluster.start();
  const restarted = new Date();
  const before = await vi.waitUntil(() => countSent(sql).catch(() => undefined), { timeout: 30_000 });
  expect(before).toBeLessThan(count);
  await one.wake();
  // By then it has settled what it could not settle meanwhile. What is left was claimed, and the reply was lost.
  await untilSent(sql, count - deliveryLimits.run.sessions);
  await endLeases(sql, restarted);
  await one.wake();
  await untilSent(sql, count);
  expect(tallyOf(relay)).toEqual({ addresses: count, twice: 0, messages: count });
});

it(`two workers send ${rounds(120, 10_000)} mails that are due, each once`, {
  timeout: 600_000,
}, async () => {
  const database = await aDatabase();
  const { sql } = database;
  const count = rounds(120, 10_000);
  await storeDueMails(sql, count);
  const both = [await deliverer(database), await deliverer(database)];
  await Promise.all(both.map(each => each.wake()));
  await vi.waitUntil(async () => (await countSent(sql)) >= count, { timeout: 500_000, interval: 100 });
  expect(tallyOf(relay)).toEqual({ addresses: count, twice: 0, messages: count });
});

it('every acknowledged write is stored once when the worker is killed and started again', async () => {
  const database = await aDatabase();
  const worker = await startKillableWorker(database);
  ending.push(() => worker.kill());
  const service = {
    publishableKey: worker.keys.PUBLISHABLE_KEY,
    token: (holder: TokenHolder) => createAccessToken(worker.keys.JWT_SECRET, holder),
    fetch: (path: string, init?: RequestInit) => fetch(`${worker.url}${path}`, init),
  };
  const restart = async () => {
    await worker.kill();
    await worker.start();
  };
  const [attempts = []] = await underLoad(database, [service], restart, true);
  expect(attempts.filter(({ status }) => status === 0).length).toBeGreaterThan(0);
  expect(attempts.filter(isGood).length).toBeGreaterThan(20);
});
