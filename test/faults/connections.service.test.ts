/**
 * Connections to Postgres that run out, stall, go silent, or close with a request in flight.
 * @module-tag full
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { databaseLimits } from '../../functions/database/limits.ts';
import { untilBlocked } from '../setup/locks.ts';
import { aQuote } from '../setup/rows.ts';
import { postgresPort, type Service } from '../setup/service.ts';
import { use } from '../setup/use.ts';
import { type Caller, type Reply, signIn } from '../setup/wire.ts';
import { cutInAnswer, silenceNext } from './ends.ts';
import { startLink } from './link.ts';
import { eachTime, expectSweep, faultRounds, isGood, timeLimit, underLoad } from './under-load.ts';
import { startBothWays } from './ways.ts';

const link = use(() => startLink(postgresPort()), 'stop');
const both = use(() => startBothWays({ databasePort: link.port }), 'stop');

/** Milliseconds, for all requests. */
const longest = (attempts: { took: number }[] = []) => Math.max(...attempts.map(({ took }) => took));

it('requests end at their deadline when the link to Postgres stalls', async () => {
  const attempts = await underLoad(both.database, both.services, async () => {
    link.stall();
    await sleep(11_500);
    await link.resume();
  });
  expect(attempts.map(ofService => ofService.every(isGood))).toEqual([false, false]);
  expect(longest(attempts[0])).toBeGreaterThan(9000);
  // With a connection for each request, mostly connecting stalls, which times out after 5 s.
  expect(longest(attempts[1])).toBeGreaterThan(4000);
});

it('every acknowledged write is stored once when Postgres has no connection left', async () => {
  const { sql } = both.database;
  const allow = async (connections: number) => {
    const [row] = await sql`select current_database() as name`;
    await sql.unsafe(`alter database ${row?.['name']} connection limit ${connections}`);
  };
  for (const service of both.services) {
    service.logs.length = 0;
  }
  const isRefused = ({ logs }: Service) => logs.some(line => line.includes('53300'));
  const attempts = await underLoad(both.database, both.services, async () => {
    await allow(1);
    link.cut();
    await vi.waitUntil(() => both.services.every(isRefused), { timeout: 20_000 }).finally(() => allow(-1));
  });
  expect(attempts.map(ofService => ofService.every(isGood))).toEqual([false, false]);
});

it(`only the requests on a connection that goes silent wait for their deadline, ${eachTime}`, async () => {
  let first = 0;
  const attempts = await underLoad(both.database, both.services, async () => {
    first = Date.now();
    for (let round = 0; round < faultRounds; round++) {
      await silenceNext(link);
      await sleep(200);
    }
    // Until the last of them has reached its deadline.
    await sleep(12_000);
  });
  const late = attempts
    .flat()
    .filter(({ began, took }) => began + took > first && took >= databaseLimits.deadline);
  expect(late.length).toBeGreaterThanOrEqual(faultRounds);
  // A connection of the pool may carry two.
  expect(late.length).toBeLessThanOrEqual(2 * faultRounds);
  expect(longest(late)).toBeLessThan(timeLimit);
  await Promise.all(both.services.map(expectSweep));
});

it(`no request waits for its deadline after Postgres crashed while there were none, ${eachTime}`, async () => {
  const account = randomUUID();
  const customers = await Promise.all(both.services.map(service => signIn(service, { account })));
  const askAll = async (): Promise<number[]> => {
    const began = Date.now();
    const requests = customers.flatMap(customer =>
      Array.from({ length: 4 }, () => [
        customer.get('/quotes?select=id&limit=5'),
        customer.send('POST', '/quotes', aQuote(account)),
      ]),
    );
    const replies = await Promise.all(requests.flat());
    expect(Date.now() - began).toBeLessThan(databaseLimits.deadline);
    return replies.map(({ status }) => status);
  };
  const statuses: number[] = [];
  for (let round = 0; round < faultRounds; round++) {
    await expect.poll(async () => (await askAll()).every(status => status < 300)).toBe(true);
    link.crash();
    statuses.push(...(await askAll()));
  }
  expect([200, 201, 503]).toEqual(expect.arrayContaining(statuses));
  // Reads are sent again; writes over the pool fail on the dead connections, unless a read has found them all before.
  expect(statuses.filter(status => status === 200)).toHaveLength(2 * 4 * faultRounds);
  expect(statuses.filter(status => status === 503).length).toBeGreaterThanOrEqual(
    Math.floor(faultRounds / 2),
  );
});

describe.each([
  ['the pool', 0],
  ['a connection for each request', 1],
])('a connection that closes with a request in flight, over %s', (_, index) => {
  const account = randomUUID();
  let service: Service;
  let customer: Caller;
  beforeAll(async () => {
    service = both.services[index] as Service;
    customer = await signIn(service, { account });
  });

  /** Sends a request that waits for a lock, and terminates its connection so many times; `after` waits while it is held. */
  async function interrupted(request: () => Promise<Reply>, times: number, after: () => Promise<void>) {
    let reply: Promise<Reply> | undefined;
    await both.database.sql.begin(async holder => {
      await holder`lock table builder.quotes in access exclusive mode`;
      reply = request();
      for (let time = 0; time < times; time++) {
        await untilBlocked(service);
        // Before any is terminated, because the retried messages would be found as well.
        await both.database.sql`
          select pg_terminate_backend(pid, 2000) from unnest((
            select array_agg(pid) from pg_stat_activity
            where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0
          )) pid`;
      }
      await after();
    });
    return [(await reply)?.status, (await reply)?.headers.get('retry-after')];
  }

  it('fails no read, which is sent again, unless it closes twice', async () => {
    const read = () => customer.get('/quotes');
    expect(await interrupted(read, 1, () => untilBlocked(service))).toEqual([200, null]);
    expect(await interrupted(read, 2, () => untilBlocked(service, 0))).toEqual([503, '1']);
  });

  it('fails a write, which is not sent again', async () => {
    const company = randomUUID();
    const write = () => customer.send('POST', '/quotes', aQuote(account, { company }));
    // A retried message would wait for the lock while it is held.
    const after = async () => {
      await sleep(300);
      await untilBlocked(service, 0);
    };
    expect(await interrupted(write, 1, after)).toEqual([503, '1']);
    expect((await customer.get(`/quotes?company=eq.${company}`)).body).toEqual([]);
  });

  it('in the middle of a long reply: the read succeeds completely', async () => {
    const [company, customization] = [randomUUID(), { text: 'x'.repeat(200_000) }];
    await customer.send('POST', '/quotes', aQuote(account, { company, customization }));
    const cut = cutInAnswer(link);
    const reply = await customer.get(`/quotes?company=eq.${company}&select=customization`);
    await cut;
    expect([reply.status, reply.body]).toEqual([200, [{ customization }]]);
  });
});
