/** Causes faults under load, and checks the promises, which are the same for every fault. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import type { TestDatabase } from '../setup/database.ts';
import { mapAtOnce } from '../setup/map-at-once.ts';
import type { Service } from '../setup/service.ts';
import {
  type Attempt,
  type Crowd,
  type Load,
  pauseAfterFailure,
  send,
  startLoad,
  type Target,
  type Write,
} from './load.ts';

/** Milliseconds after which a request hangs. Nothing else is timed: a busy machine is slow, and what fails is counted. */
export const patience = 60_000;
/** How often a caller is refused at most after a fault. It pauses each time: for 2 s after a short fault, and 5 s after a long one. */
const [refusals, refusalsAfterLong] = [2000 / pauseAfterFailure, 5000 / pauseAfterFailure];
/** Milliseconds of a fault which is so short that nobody may wait for a timeout: connecting has one of 5 s. */
const short = 2500;
/** Writes that are sent again together. */
const atOnce = 8;
/** Rounds of a fault, which depend on chance. */
export const faultRounds = 2;
/** For the title of a test with that many rounds. */
export const eachTime = 'twice';

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

/** Returns all requests, by service, when the promises were kept. If the service itself fails, some may have no answer. */
export async function underLoad(
  database: TestDatabase,
  services: Target[],
  fault: () => Promise<unknown>,
  isItself = false,
): Promise<Attempt[][]> {
  const loads = await Promise.all(services.map(service => startLoad(service)));
  try {
    await Promise.all(loads.map(load => untilWell(load, 20)));
    await fault();
    const mended = Date.now();
    await Promise.all(loads.map(load => untilWell(load, 20)));
    expectSoonGood(loads, mended, refusalsAfterLong);
  } finally {
    await Promise.all(loads.map(load => load.stop()));
  }
  const attempts = loads.map(load => load.attempts);
  attempts
    .flat()
    .filter(({ status }) => status !== 0 || !isItself)
    .forEach(expectHonest);
  await expectKept(database, loads);
  return attempts;
}

/** Strikes while a read and a write are under way, which must be answered at once. Then everything must soon succeed. */
export async function endureRounds(
  database: TestDatabase,
  services: Service[],
  { prepare, strike, lasts = 0, mend }: Fault,
  crowds: Crowd[] = [],
): Promise<void> {
  const usual = (index: number): Crowd => (index === 0 ? steady : light);
  const loads = await Promise.all(services.map((service, n) => startLoad(service, crowds[n] ?? usual(n))));
  const met = { read: 0, write: 0 };
  /** By round, the lines of requests that waited for a timeout. A very busy machine may cause one, too, but not each time. */
  const timeouts: string[][] = [];
  try {
    await Promise.all(loads.map(load => untilWell(load)));
    for (let round = 0; round < faultRounds; round++) {
      await prepare?.();
      await untilUnderWay(loads);
      const before = loads.map(({ attempts }) => attempts.length);
      const linesBefore = services.map(({ logs }) => logs.length);
      const struck = Date.now();
      await strike();
      await sleep(lasts);
      await mend?.();
      const good = Date.now();
      await Promise.all(loads.map(load => untilWell(load)));
      const well = Date.now();
      expectSoonGood(loads, good, refusals);
      if (round === 0) {
        // Its connections have ended like the others.
        await Promise.all(services.map(expectSweep));
      }
      await Promise.all(loads.map(load => untilAnswered(load, good)));
      for (const attempt of loads.flatMap(({ attempts }, index) => attempts.slice(before[index]))) {
        const { is, began } = attempt;
        const when = `round ${round}, ${began - struck} ms after the strike, mended after ${good - struck} ms`;
        if (began <= good) {
          met[is] += 1;
          expectHonest(attempt);
        } else if (began >= well) {
          expect(isGood(attempt), `${when}: ${JSON.stringify(attempt)}`).toBe(true);
        }
      }
      const lines = services.flatMap(({ logs }, n) => logs.slice(linesBefore[n]).filter(isTimeout));
      timeouts.push(good - struck < short ? lines : []);
    }
  } finally {
    await Promise.all(loads.map(load => load.stop()));
  }
  expect(
    timeouts.every(lines => lines.length > 0),
    timeouts.join('\n'),
  ).toBe(false);
  await expectKept(database, loads);
  // The faults struck reads and writes.
  expect(Math.min(met.read, met.write)).toBeGreaterThanOrEqual(faultRounds);
}

/** More concurrent requests of one caller than its share of connections, so that some carry two messages. */
export const heavy: Crowd = { customers: 1, readers: 3, writers: 7, pause: 20 };
/** The same, with pauses for other requests; after a fault, all are sent at once. */
const steady: Crowd = { ...heavy, pause: 150 };
/** No more requests of the caller than it has connections of the pool, so that nobody waits for another's answer. */
export const modest: Crowd = { customers: 1, readers: 2, writers: 3, pause: 150 };
/** For a service with a connection for each request. */
export const light: Crowd = { customers: 1, readers: 2, writers: 2, pause: 150 };

export const isGood = ({ status }: Attempt): boolean => status === 200 || status === 201;

/** Whether a line of the log is about a request that a timeout has ended. */
export const isTimeout = (line: string): boolean =>
  /"reason":"(?:DEADLINE|CONNECT_TIMEOUT|POOL_BUSY)"/.test(line);

/** Waits until so many in a row of the requests that are sent from now on succeed. */
async function untilWell({ attempts }: Load, inARow = 5): Promise<void> {
  const now = Date.now();
  const latest = () => attempts.filter(({ began }) => began >= now).slice(-inARow);
  const isWell = () => latest().length === inARow && latest().every(isGood);
  await vi
    .waitUntil(isWell, { timeout: patience, interval: 20 })
    .catch(() => expect.fail(`The latest requests did not all succeed: ${JSON.stringify(latest())}`));
}

/** Expects that nobody was refused more often than this since then. */
function expectSoonGood(loads: Load[], since: number, most: number): void {
  const times = new Map<string, number>();
  const refused = loads.flatMap(({ attempts }) => attempts.filter(one => one.began > since && !isGood(one)));
  for (const { by } of refused) {
    times.set(by, (times.get(by) ?? 0) + 1);
  }
  expect(Math.max(0, ...times.values()), JSON.stringify(refused.slice(-5))).toBeLessThanOrEqual(most);
}

async function untilUnderWay(loads: Load[]): Promise<void> {
  const isUnderWay = (what: Attempt['is']) =>
    loads.some(({ underWay }) => [...underWay].some(({ is }) => is === what));
  const both = () => isUnderWay('read') && isUnderWay('write');
  await vi.waitUntil(both, { timeout: patience, interval: 1 });
}

async function untilAnswered({ underWay }: Load, begunBefore: number): Promise<void> {
  const left = () => [...underWay].filter(({ began }) => began <= begunBefore).length;
  await expect.poll(left, { timeout: patience, interval: 20 }).toBe(0);
}

/** Sweeps until it succeeds: on a very busy machine connecting may take too long the first time. */
export async function expectSweep(service: Service): Promise<void> {
  const lines = () => service.logs.filter(line => line.includes('"event":"sweep"'));
  const sweep = async () => {
    const before = lines().length;
    await service.sweep();
    await vi.waitUntil(() => lines().length > before, { timeout: patience, interval: 20 });
    return lines().at(-1);
  };
  await expect.poll(sweep, { timeout: patience }).not.toContain('"code"');
}

/** A response: a success, or an error with Retry-After. */
function expectHonest(attempt: Attempt): void {
  const { status, retryAfter, body, took } = attempt;
  expect(took, JSON.stringify(attempt)).toBeLessThan(patience);
  if (!isGood(attempt)) {
    expect([503, 504], JSON.stringify(attempt)).toContain(status);
    expect(retryAfter, JSON.stringify(attempt)).toBe(status === 503 ? '1' : null);
    expect(body).toMatchObject({ code: expect.any(String), message: expect.any(String) });
  }
}

/** Retries the writes without a response, with the same keys; then every write is stored, and none twice. */
async function expectKept({ sql }: TestDatabase, loads: Pick<Load, 'writes'>[]): Promise<void> {
  const writes: Write[] = loads.flatMap(load => load.writes);
  const lost = writes.filter(({ acknowledged }) => !acknowledged);
  for (const { status, text } of await mapAtOnce(lost, atOnce, send)) {
    expect(status, text).toBe(201);
  }
  const rows = await sql<{ company: string; count: number }[]>`
    select company, count(*)::int as count from builder.quotes
    where company = any(${writes.map(({ company }) => company)}) group by company`;
  const counts = new Map(rows.map(({ company, count }) => [company, count]));
  expect(writes.length).toBeGreaterThan(20);
  expect(writes.filter(({ company }) => counts.get(company) !== 1)).toEqual([]);
}
