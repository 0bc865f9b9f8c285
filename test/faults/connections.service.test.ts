/** Connections to Postgres that are closed or refused while Postgres itself works. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { untilBlocked } from '../setup/locks.ts';
import { aQuote } from '../setup/rows.ts';
import type { Service } from '../setup/service.ts';
import { use } from '../setup/use.ts';
import { type Caller, type Reply, signIn } from '../setup/wire.ts';
import { isGood, startBothWays, underLoad } from './under-load.ts';

const both = use(startBothWays, 'stop');

it('terminated one by one: every acknowledged write is stored once', async () => {
  let terminated = 0;
  await underLoad(both.database, both.services, async () => {
    for (let time = 0; time < 40; time++) {
      const rows = await both.database.sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and usename = 'builder_api' order by random() limit 1`;
      terminated += rows.length;
      await sleep(25);
    }
  });
  expect(terminated).toBeGreaterThan(20);
});

it('used up: every acknowledged write is stored once', async () => {
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
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and usename = 'builder_api'`;
    await expect.poll(() => both.services.filter(isRefused).length, { timeout: 20_000 }).toBe(2);
    await allow(-1);
  });
  expect(attempts.map(ofService => ofService.every(isGood))).toEqual([false, false]);
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

  /** Sends a request that waits for a lock, and terminates its connection so many times meanwhile. */
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
    return reply;
  }

  it('does not fail a read, which is sent again', async () => {
    const reply = await interrupted(
      () => customer.get('/quotes'),
      1,
      () => untilBlocked(service),
    );
    expect(reply?.status).toBe(200);
  });

  it('twice, is a 503', async () => {
    const read = customer.get;
    const reply = await interrupted(
      () => read('/quotes'),
      2,
      () => untilBlocked(service, 0),
    );
    expect([reply?.status, reply?.headers.get('retry-after')]).toEqual([503, '1']);
  });

  it.each([
    ['POST', '/quotes'],
    ['PATCH', '/quotes?sport=eq.golf'],
    ['DELETE', '/quotes?sport=eq.golf'],
  ])('is a 503 for a %s, which is not sent again', async (method, path) => {
    const company = randomUUID();
    const body =
      method === 'DELETE' ? undefined : method === 'PATCH' ? { company } : aQuote(account, { company });
    // A retried message would wait for the lock while it is held.
    const reply = await interrupted(
      () => customer.send(method, path, body),
      1,
      async () => {
        await sleep(300);
        await untilBlocked(service, 0);
      },
    );
    expect([reply?.status, reply?.headers.get('retry-after')]).toEqual([503, '1']);
    expect((await customer.get(`/quotes?company=eq.${company}`)).body).toEqual([]);
  });
});
