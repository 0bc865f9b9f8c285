/** Connections to Postgres that run out, stall, go silent, or close with a request in flight. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { countBlocked } from '../setup/locks.ts';
import { aQuote } from '../setup/rows.ts';
import { postgresPort, type Service } from '../setup/service.ts';
import { use } from '../setup/use.ts';
import { type Caller, type Reply, signIn } from '../setup/wire.ts';
import { cutInAnswer, silenceNext } from './ends.ts';
import { startLink } from './link.ts';
import { eachTime, expectSweep, faultRounds, isTimeout, patience, underLoad } from './under-load.ts';
import { startBothWays } from './ways.ts';

const link = use(() => startLink(postgresPort()), 'stop');
const both = use(() => startBothWays({ databasePort: link.port }), 'stop');

/** The lines of requests that have reached their deadline. */
const late = () =>
  both.services.flatMap(({ logs }) => logs.filter(line => line.includes('"reason":"DEADLINE"')));
const forgetLogs = (): void => {
  for (const { logs } of both.services) {
    logs.length = 0;
  }
};

it('requests end at their deadline when the link to Postgres stalls', { tags: ['full'] }, async () => {
  forgetLogs();
  await underLoad(both.database, both.services, async () => {
    link.stall();
    const haveTimedOut = () => both.services.every(({ logs }) => logs.some(isTimeout));
    await vi.waitUntil(haveTimedOut, { timeout: patience });
    await link.resume();
  });
});

it('every acknowledged write is stored once when Postgres has no connection left', async () => {
  const { sql } = both.database;
  const allow = async (connections: number) => {
    const [row] = await sql`select current_database() as name`;
    await sql.unsafe(`alter database ${row?.['name']} connection limit ${connections}`);
  };
  forgetLogs();
  const isRefused = ({ logs }: Service) => logs.some(line => line.includes('53300'));
  await underLoad(both.database, both.services, async () => {
    await allow(1);
    link.cut();
    await vi.waitUntil(() => both.services.every(isRefused), { timeout: patience }).finally(() => allow(-1));
  });
});

it(`only the request on a connection that goes silent waits for its deadline, ${eachTime}`, {
  tags: ['full'],
}, async () => {
  forgetLogs();
  await underLoad(both.database, both.services, async () => {
    for (let round = 0; round < faultRounds; round++) {
      await silenceNext(link);
    }
    await vi.waitUntil(() => late().length >= faultRounds, { timeout: patience });
  });
  expect(late()).toHaveLength(faultRounds);
  await Promise.all(both.services.map(expectSweep));
});

it(`no request waits for its deadline after Postgres crashed while there were none, ${eachTime}`, async () => {
  const account = randomUUID();
  const customers = await Promise.all(both.services.map(service => signIn(service, { account })));
  forgetLogs();
  const askAll = async (): Promise<number[]> => {
    const requests = customers.flatMap(customer =>
      Array.from({ length: 4 }, () => [
        customer.get('/quotes?select=id&limit=5'),
        customer.send('POST', '/quotes', aQuote(account)),
      ]),
    );
    const replies = await Promise.all(requests.flat());
    return replies.map(({ status }) => status);
  };
  const statuses: number[] = [];
  for (let round = 0; round < faultRounds; round++) {
    await expect.poll(async () => (await askAll()).every(status => status < 300)).toBe(true);
    link.crash();
    statuses.push(...(await askAll()));
  }
  expect(late()).toEqual([]);
  expect([200, 201, 503]).toEqual(expect.arrayContaining(statuses));
  // Reads are sent again; a write over the pool may have met a dead connection.
  expect(statuses.filter(status => status === 200)).toHaveLength(2 * 4 * faultRounds);
});

describe.each([
  ['the pool', 0],
  ['Hyperdrive', 1],
])('a connection that closes with a request in flight, over %s', (_, index) => {
  const account = randomUUID();
  let service: Service;
  let customer: Caller;
  beforeAll(async () => {
    service = both.services[index] as Service;
    customer = await signIn(service, { account });
  });

  /** Sends a request that waits for a lock, and terminates its connection so many times, while it is there. */
  async function interrupted(request: () => Promise<Reply>, times: number) {
    let reply: Reply | undefined;
    const { sent } = await both.database.sql.begin(async holder => {
      await holder`lock table builder.quotes in access exclusive mode`;
      const sent = request().then(received => {
        reply = received;
      });
      const waitsOrEnds = () =>
        vi.waitUntil(async () => reply || (await countBlocked(service)) === 1, { timeout: patience });
      for (let time = 0; time < times; time++) {
        await waitsOrEnds();
        // Before any is terminated, because the retried messages would be found as well.
        await both.database.sql`
          select pg_terminate_backend(pid, 2000) from unnest((
            select array_agg(pid) from pg_stat_activity
            where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0
          )) pid`;
      }
      // A message that was sent again waits for the lock, too.
      await waitsOrEnds();
      return { sent };
    });
    await sent;
    return [reply?.status, reply?.headers.get('retry-after')];
  }

  it('fails no read, which is sent again, unless it closes twice', async () => {
    const read = () => customer.get('/quotes');
    // A read that is lost later than 2 s after its start is not sent again.
    await expect.poll(() => interrupted(read, 1), { timeout: patience }).toEqual([200, null]);
    expect(await interrupted(read, 2)).toEqual([503, '1']);
  });

  it('fails a write, which is not sent again', async () => {
    const company = randomUUID();
    const write = () => customer.send('POST', '/quotes', aQuote(account, { company }));
    expect(await interrupted(write, 1)).toEqual([503, '1']);
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
