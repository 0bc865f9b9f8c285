/** Repeats one fault under load, and checks how soon each end of a connection is detected. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { TestDatabase } from '../setup/database.ts';
import type { Service } from '../setup/service.ts';
import { type Attempt, type Crowd, type Load, startLoad } from './load.ts';
import { expectHonest, expectKept, isGood, untilWell } from './under-load.ts';

/** A fault of the connections of services under load. */
export interface Fault {
  /** Closes connections, or prevents new ones. */
  strike(): unknown;
  /** Milliseconds until the cause is removed; 0 by default. */
  lasts?: number;
  /** Removes the cause. */
  mend?(): unknown;
}

export const rounds = 20;

const path = '/quotes?select=id&limit=5';
/** More concurrent requests of one caller than its share of connections, so that some carry two messages. */
export const heavy: Crowd = { customers: 1, readers: 3, writers: 7, path, pause: 5 };
/** The same, with pauses for other requests; after a fault, all are sent at once. */
const steady: Crowd = { ...heavy, pause: 40 };
/** For a service with a connection for each request. */
export const light: Crowd = { customers: 1, readers: 2, writers: 2, path, pause: 40 };
/** Milliseconds for the first answers. */
const start = 15_000;
/** Milliseconds within which a request is answered whose connection has ended, on top of what any request takes. */
const seenWithin = 1000;
/** Milliseconds after which all requests succeed, once a good server is there. */
const goodWithin = 2000;
/** After this many successes, a failure is too late. */
const goodInARow = 5;
/** Requests before the first strike that tell what any takes here and now. */
const warm = 20;
/** Milliseconds after which the test stops waiting. */
const patience = 25_000;

/**
 * Strikes twenty times. Each time every request under way must be answered in time, and so must everything succeed
 * again. Answers how many requests met the fault.
 */
export async function endureRounds(
  database: TestDatabase,
  services: Service[],
  { strike, lasts = 0, mend }: Fault,
  crowds = [steady, light],
): Promise<Record<Attempt['is'], number>> {
  const loads = await Promise.all(services.map((service, index) => startLoad(service, crowds[index])));
  const met = { read: 0, write: 0 };
  try {
    await Promise.all(loads.map(load => untilWell(load, start)));
    const usual = Math.max(...loads.flatMap(({ attempts }) => attempts.slice(-warm).map(({ took }) => took)));
    for (let round = 0; round < rounds; round++) {
      const struck = Date.now();
      await strike();
      await sleep(lasts);
      await mend?.();
      const good = Date.now();
      await Promise.all(loads.map(load => untilWell(load, goodWithin, goodInARow)));
      const well = Date.now();
      await Promise.all(services.map(expectSweep));
      await Promise.all(loads.map(load => untilAnswered(load, good)));
      for (const attempt of loads.flatMap(({ attempts }) => attempts)) {
        const { is, began, took } = attempt;
        const told = `round ${round}, begun ${began - struck} ms after the strike: ${JSON.stringify(attempt)}`;
        if (began <= good && began + took >= struck) {
          met[is] += 1;
          expectHonest(attempt);
          expect(began + took - Math.max(began, struck), told).toBeLessThan(lasts + usual + seenWithin);
        } else if (began >= well) {
          expect(isGood(attempt), told).toBe(true);
        }
      }
    }
  } finally {
    await Promise.all(loads.map(load => load.stop()));
  }
  await expectKept(database, loads);
  return met;
}

async function untilAnswered({ underWay }: Load, begunBefore: number): Promise<void> {
  const left = () => [...underWay].filter(({ began }) => began <= begunBefore).length;
  await expect.poll(left, { timeout: patience, interval: 20 }).toBe(0);
}

async function expectSweep(service: Service): Promise<void> {
  const lines = () => service.logs.filter(line => line.includes("event: 'sweep'"));
  const before = lines().length;
  await service.sweep();
  await expect.poll(() => lines().length, { timeout: patience, interval: 20 }).toBeGreaterThan(before);
  expect(lines().at(-1)).not.toContain('code:');
}
