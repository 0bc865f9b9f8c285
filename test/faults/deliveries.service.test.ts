/** Workers and databases that end while e-mail is sent: none is lost, and twice comes at most what was in flight. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from 'postgres';
import { afterEach, beforeEach, expect, inject, it, vi } from 'vitest';
import { deliveryLimits } from '../../functions/delivery/limits.ts';
import { startRelay, type TestRelay } from '../delivery/relay.ts';
import { createDatabase, type TestDatabase } from '../setup/database.ts';
import { rounds } from '../setup/full-size.ts';
import { startCluster } from './cluster.ts';
import { type Deliverer, startDeliverer } from './deliverer.ts';
import { countSent, endLeases, storeDueMails, tallyOf } from './due-mails.ts';

let relay: TestRelay;
let started: Deliverer[];
let ending: (() => Promise<unknown>)[];
beforeEach(async () => {
  [started, ending] = [[], []];
  relay = await startRelay({ certificate: inject('certificate'), smtp: { hideSTARTTLS: true } });
});
afterEach(async () => {
  await Promise.all([relay.stop(), ...started.map(deliverer => deliverer.kill())]);
  for (const end of ending) {
    await end();
  }
});

async function aDatabase(): Promise<TestDatabase> {
  const database = await createDatabase();
  ending.push(() => database.drop());
  return database;
}

async function deliverer(database: TestDatabase): Promise<Deliverer> {
  const one = await startDeliverer(database, relay.port);
  started.push(one);
  return one;
}

const untilSent = (sql: Sql, count: number) =>
  vi.waitUntil(async () => (await countSent(sql)) >= count, { timeout: 120_000, interval: 10 });

it('killed between sending and settling, and started again', { timeout: 120_000 }, async () => {
  const database = await aDatabase();
  const { sql } = database;
  await storeDueMails(sql, 60);
  const first = await deliverer(database);
  await first.wake();
  await untilSent(sql, 25);
  await first.kill();
  const inFlight = await endLeases(sql);
  expect(inFlight).toBeLessThanOrEqual(deliveryLimits.run.sessions);
  const second = await deliverer(database);
  await second.wake();
  await untilSent(sql, 60);
  const { twice, ...all } = await tallyOf(relay);
  expect(all).toEqual({ addresses: 60, messages: 60 });
  expect(twice).toBeLessThanOrEqual(inFlight);
});

it('the database restarted meanwhile: none comes twice, since what was sent is settled when it is back', {
  timeout: 120_000,
}, async () => {
  const cluster = await startCluster();
  ending.push(() => cluster.database.drop().then(() => cluster.remove()));
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
  expect(await tallyOf(relay)).toEqual({ addresses: count, twice: 0, messages: count });
});

it(`${rounds(300, 10_000)} due at once, and two workers: each comes once`, { timeout: 600_000 }, async () => {
  const database = await aDatabase();
  const { sql } = database;
  const count = rounds(300, 10_000);
  await storeDueMails(sql, count);
  const both = [await deliverer(database), await deliverer(database)];
  await Promise.all(both.map(each => each.wake()));
  await vi.waitUntil(async () => (await countSent(sql)) >= count, { timeout: 500_000, interval: 100 });
  expect(await tallyOf(relay)).toEqual({ addresses: count, twice: 0, messages: count });
});
