/** Causes a fault under load, and checks the guarantees, which are the same for every fault. */
import { expect } from 'vitest';
import { createDatabase, type TestDatabase } from '../setup/database.ts';
import { type Service, type ServiceOptions, startService } from '../setup/service.ts';
import { startHyperdrive } from './hyperdrive.ts';
import { type Attempt, type Load, send, startLoad, type Target, type Write } from './load.ts';

/** Milliseconds within which a request gets its response: 2 s before a retry, 3 s for a connection, 10 s for the reply. */
export const timeLimit = 15_000;
/** Milliseconds for the first answers, where the machine has much else to do. */
const start = 60_000;
/** Milliseconds after which nothing is felt any more of a fault whose cause is gone, on top of what a request takes. */
const recovery = 5000;
/** The last requests before a fault, which tell what any takes here and now. */
const recent = 20;
/** Usual requests that take as long as one that is sent again, over a connection to be made. */
export const ofOneAgain = 3;
/** Writes that are sent again together. */
const atOnce = 8;
/** After this many successes in a row, the service has recovered. */
const row = 20;

export interface Services {
  database: TestDatabase;
  /** In the order of the ways that were asked for. */
  services: Service[];
  stop(): Promise<void>;
}

/** How a service reaches Postgres: over its pool, with a connection for each request, or with that by way of Hyperdrive. */
export type Way = 'pool' | 'direct' | 'hyperdrive';

/** Services over one database, so that a fault is one for all. */
export async function startWays(ways: Way[], options: ServiceOptions = {}): Promise<Services> {
  const database = options.database ?? (await createDatabase());
  const databasePort = options.databasePort ?? Number(new URL(database.ownerUrl).port);
  const standIn = ways.includes('hyperdrive') ? await startHyperdrive(databasePort) : undefined;
  const optionsOf: Record<Way, ServiceOptions> = {
    pool: { databasePort },
    direct: { databasePort, hyperdrive: 'direct' },
    hyperdrive: { databasePort: standIn?.port ?? databasePort, hyperdrive: 'direct' },
  };
  const services = await Promise.all(
    ways.map(way => startService({ ...options, database, ...optionsOf[way] })),
  );
  return {
    database,
    services,
    async stop() {
      await Promise.all(services.map(service => service.stop()));
      await standIn?.stop();
    },
  };
}

export const startBothWays = (options?: ServiceOptions): Promise<Services> =>
  startWays(['pool', 'direct'], options);
export const startAllWays = (options?: ServiceOptions): Promise<Services> =>
  startWays(['pool', 'direct', 'hyperdrive'], options);

/**
 * Returns every request that was sent, by service, once the promises have been found kept. The cause is gone when
 * `fault` has resolved. Where the service itself is what fails, requests may end without an answer.
 */
export async function underLoad(
  database: TestDatabase,
  services: Target[],
  fault: () => Promise<unknown>,
  isItself = false,
): Promise<Attempt[][]> {
  const began = Date.now();
  const loads = await Promise.all(services.map(service => startLoad(service)));
  await Promise.all(loads.map(load => untilWell(load, start)));
  const takes = whatOneTakes(loads, began);
  await fault();
  await Promise.all(loads.map(load => untilWell(load, recovery + takes)));
  await Promise.all(loads.map(load => load.stop()));
  for (const { attempts } of loads) {
    attempts.filter(({ status }) => status !== 0 || !isItself).forEach(expectHonest);
  }
  await expectKept(database, loads);
  return loads.map(({ attempts }) => attempts);
}

/** Every acknowledged write is stored once, and every other write can be retried. */
export async function expectKept(database: TestDatabase, loads: Pick<Load, 'writes'>[]): Promise<void> {
  for (const { writes } of loads) {
    await sendAgain(writes);
  }
  await expectExactlyOnce(
    database,
    loads.flatMap(({ writes }) => writes),
  );
}

export const isGood = ({ status }: Attempt): boolean => status === 200 || status === 201;

/** Milliseconds within which a request is answered here and now that has to be sent again, by those begun since. */
export const whatOneTakes = (loads: Load[], since: number): number =>
  ofOneAgain * Math.max(0, ...whatEachTook(loads, since));

/** Milliseconds that the latest requests took, of those begun since. */
export const whatEachTook = (loads: Load[], since: number): number[] =>
  loads.flatMap(({ attempts }) =>
    attempts
      .filter(({ began }) => began >= since)
      .slice(-recent)
      .map(({ took }) => took),
  );

/** Waits until so many in a row of the requests that are sent from now on succeed. */
export async function untilWell({ attempts }: Load, timeout: number, inARow = row): Promise<void> {
  const now = Date.now();
  const latest = () => attempts.filter(({ began }) => began >= now).slice(-inARow);
  await expect
    .poll(() => latest().length === inARow && latest().every(isGood), { timeout, interval: 20 })
    .toBe(true);
}

/** A response in time: a success, or an error with Retry-After. */
export function expectHonest(attempt: Attempt): void {
  const { status, retryAfter, body, took } = attempt;
  expect(took, JSON.stringify(attempt)).toBeLessThan(timeLimit);
  if (!isGood(attempt)) {
    expect([503, 504], JSON.stringify(attempt)).toContain(status);
    expect(retryAfter, JSON.stringify(attempt)).toBe(status === 503 ? '1' : null);
    expect(body).toMatchObject({ code: expect.any(String), message: expect.any(String) });
  }
}

/** Retries the writes without a response, with the same keys. */
async function sendAgain(writes: Write[]): Promise<void> {
  const lost = writes.filter(({ acknowledged }) => !acknowledged);
  for (let from = 0; from < lost.length; from += atOnce) {
    for (const { status, text } of await Promise.all(lost.slice(from, from + atOnce).map(send))) {
      expect(status, text).toBe(201);
    }
  }
}

/** Every write that was acknowledged, at once or after a retry, is stored, and none twice. */
async function expectExactlyOnce({ sql }: TestDatabase, writes: Write[]): Promise<void> {
  const rows = await sql<{ company: string; count: number }[]>`
    select company, count(*)::int as count from builder.quotes
    where company = any(${writes.map(({ company }) => company)}) group by company`;
  const counts = new Map(rows.map(({ company, count }) => [company, count]));
  expect(writes.length).toBeGreaterThan(20);
  expect(writes.filter(({ company }) => counts.get(company) !== 1)).toEqual([]);
}
