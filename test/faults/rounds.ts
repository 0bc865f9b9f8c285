/** Repeats one fault under load, and checks how soon each end of a connection is detected. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import type { TestDatabase } from '../setup/database.ts';
import { faultRounds } from '../setup/full-size.ts';
import type { Service } from '../setup/service.ts';
import { type Attempt, type Crowd, type Load, startLoad } from './load.ts';
import { expectHonest, expectKept, isGood, ofOneAgain, untilWell, whatEachTook } from './under-load.ts';

/** A fault of the connections of services under load. */
export interface Fault {
  /** What must be so before each strike. */
  prepare?(): unknown;
  /** Closes connections, or prevents new ones. */
  strike(): unknown;
  /** Milliseconds until the cause is removed; 0 by default. */
  lasts?: number;
  /** Removes the cause. */
  mend?(): unknown;
}

const path = '/quotes?select=id&limit=5';
/** More concurrent requests of one caller than its share of connections, so that some carry two messages. */
export const heavy: Crowd = { customers: 1, readers: 3, writers: 7, path, pause: 5 };
/** The same, with pauses for other requests; after a fault, all are sent at once. */
const steady: Crowd = { ...heavy, pause: 80 };
/** No more requests of the caller than it has connections of the pool, so that nobody waits for another's answer. */
export const modest: Crowd = { customers: 1, readers: 2, writers: 3, path, pause: 80 };
/** For a service with a connection for each request. */
export const light: Crowd = { customers: 1, readers: 2, writers: 2, path, pause: 80 };
/** Milliseconds within which a request is answered whose connection has ended, on top of what it takes. */
const seenWithin = 1000;
/** Milliseconds after which all requests succeed, once a good server is there, on top of what one takes. */
const goodWithin = 2000;
/** How many of the latest requests between faults are compared to tell what one takes here and now. */
const calmRequests = 200;
/** In one of so many rounds the sweep is run too, whose connections end like the others. */
const roundsPerSweep = 4;
/** After this many successes, a failure is too late. */
const goodInARow = 5;
/** Milliseconds for all rounds where the machine has much else to do. */
export const timeout = 60_000 + faultRounds * 30_000;
/** Milliseconds after which nothing more is waited for. */
const answerTimeout = 60_000;

/**
 * Strikes again and again, each time while a read and a write are under way. Every request under way must be answered in
 * time, and everything must succeed again in time. Returns how many requests met the fault.
 */
export async function endureRounds(
  database: TestDatabase,
  services: Service[],
  { prepare, strike, lasts = 0, mend }: Fault,
  crowds = [steady],
): Promise<Record<Attempt['is'], number>> {
  const loads = await Promise.all(
    services.map((service, index) => startLoad(service, crowds[index] ?? light)),
  );
  const met = { read: 0, write: 0 };
  /** Milliseconds of each request between faults, in all rounds so far: a single round has few. */
  const calm: number[] = [];
  let well = Date.now();
  try {
    await Promise.all(loads.map(load => untilWell(load, answerTimeout)));
    for (let round = 0; round < faultRounds; round++) {
      await prepare?.();
      await untilUnderWay(loads);
      calm.push(...whatEachTook(loads, well));
      const takes = ofOneAgain * Math.max(0, ...calm.slice(-calmRequests));
      const before = loads.map(({ attempts }) => attempts.length);
      const struck = Date.now();
      await strike();
      await sleep(lasts);
      await mend?.();
      const good = Date.now();
      await Promise.all(loads.map(load => untilWell(load, goodWithin + takes, goodInARow)));
      well = Date.now();
      if (round % roundsPerSweep === 0) {
        await Promise.all(services.map(expectSweep));
      }
      await Promise.all(loads.map(load => untilAnswered(load, good)));
      for (const [index, load] of loads.entries()) {
        for (const attempt of load.attempts.slice(before[index])) {
          const { is, began, took } = attempt;
          const told = () =>
            `service ${index}, round ${round}, begun ${began - struck} ms after the strike, ` +
            `mended after ${good - struck} ms: ${JSON.stringify(attempt)}`;
          if (began <= good) {
            met[is] += 1;
            expectHonest(attempt);
            if (began + took - good >= takes + seenWithin) {
              expect.fail(`too late: ${told()}`);
            }
          } else if (began >= well && !isGood(attempt)) {
            expect.fail(`not good again: ${told()}`);
          }
        }
      }
    }
  } finally {
    await Promise.all(loads.map(load => load.stop()));
  }
  await expectKept(database, loads);
  return met;
}

async function untilUnderWay(loads: Load[]): Promise<void> {
  const isUnderWay = (what: Attempt['is']) =>
    loads.some(({ underWay }) => [...underWay].some(({ is }) => is === what));
  await vi.waitUntil(() => isUnderWay('read') && isUnderWay('write'), {
    timeout: answerTimeout,
    interval: 1,
  });
}

async function untilAnswered({ underWay }: Load, begunBefore: number): Promise<void> {
  const left = () => [...underWay].filter(({ began }) => began <= begunBefore).length;
  await expect.poll(left, { timeout: answerTimeout, interval: 20 }).toBe(0);
}

/** Sweeps, which succeeds. */
export async function expectSweep(service: Service): Promise<void> {
  const lines = () => service.logs.filter(line => line.includes('"event":"sweep"'));
  const before = lines().length;
  await service.sweep();
  await expect.poll(() => lines().length, { timeout: answerTimeout, interval: 20 }).toBeGreaterThan(before);
  expect(lines().at(-1)).not.toContain('"code"');
}
