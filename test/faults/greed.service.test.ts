/** One caller with excessive load does not affect the others. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import { describe, expect, it } from 'vitest';
import { rounds } from '../setup/full-size.ts';
import { countBlocked, untilBlocked } from '../setup/locks.ts';
import { aQuote } from '../setup/rows.ts';
import type { Service } from '../setup/service.ts';
import { use } from '../setup/use.ts';
import { type Caller, callerOf, type Reply, representation } from '../setup/wire.ts';
import { startBothWays } from './under-load.ts';

const both = use(startBothWays, 'stop');

interface Customer {
  account: string;
  customer: Caller;
  headers: Record<string, string>;
}

async function newCustomer(service: Service): Promise<Customer> {
  const account = randomUUID();
  const token = await service.token({ account });
  return {
    account,
    customer: callerOf(service, service.publishableKey, token),
    headers: { ...service.headers(token) },
  };
}

const tally = (replies: Pick<Reply, 'status'>[]): Record<number, number> =>
  replies.reduce<Record<number, number>>((counts, { status }) => {
    counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  }, {});

it.each([
  ['the pool', 0, 5],
  ['a connection for each request', 1, 20],
])(
  'a caller with only slow requests, over %s, does not block the others',
  { timeout: 180_000 },
  async (_, index, share) => {
    const service = both.services[index] as Service;
    const greedy = await newCustomer(service);
    const others = await Promise.all([newCustomer(service), newCustomer(service), newCustomer(service)]);
    const quote = aQuote(greedy.account);
    const made = await greedy.customer.send('POST', '/quotes?select=id', quote, representation);
    const { id } = made.body[0];
    let stopped = false;
    async function repeat(replies: Reply[], send: () => Promise<Reply>, pause: number): Promise<void> {
      for (; !stopped; await sleep(pause)) {
        replies.push(await send());
      }
    }
    const change = () => greedy.customer.send('PATCH', `/quotes?id=eq.${id}`, { sport: 'golf' });

    const flood: Reply[] = [];
    const reads: Reply[] = [];
    const writes: Reply[] = [];
    const refused = () => flood.filter(({ status }) => status === 429);
    let most = 0;
    const { flooding } = await both.database.sql.begin(async holder => {
      await holder`select from builder.quotes where id = ${id} for update`;
      const flooding = Promise.all(Array.from({ length: 150 }, () => repeat(flood, change, 1000)));
      await untilBlocked(service, share);
      const using = others.flatMap(({ account, customer }) => [
        repeat(reads, () => customer.get('/quotes?limit=5'), 5),
        repeat(writes, () => customer.send('POST', '/quotes', aQuote(account)), 5),
      ]);
      const served = async () => {
        most = Math.max(most, await countBlocked(service));
        return Math.min(reads.length, writes.length);
      };
      await expect.poll(served, { interval: 50, timeout: 60_000 }).toBeGreaterThan(50);
      await expect.poll(() => refused().length, { interval: 50, timeout: 60_000 }).toBeGreaterThan(10);
      stopped = true;
      await Promise.all(using);
      return { flooding };
    });
    await flooding;

    expect(Object.keys(tally(reads))).toEqual(['200']);
    expect(Object.keys(tally(writes))).toEqual(['201']);
    // A statement that was cancelled may still wait for a moment when the next one begins.
    expect(most).toBeGreaterThanOrEqual(share);
    expect(most).toBeLessThan(share * 2);
    for (const { headers, body } of refused()) {
      expect([headers.get('retry-after'), body.code]).toEqual(['1', 'PT429']);
    }
    // A change is made in the end, or has waited too long for the row (504) or for a connection (503).
    expect([204, 429, 503, 504]).toEqual(expect.arrayContaining(Object.keys(tally(flood)).map(Number)));
    expect((await greedy.customer.get('/quotes')).status).toBe(200);
  },
);

describe('four hundred connections at once', { timeout: 60_000 }, () => {
  const amount = rounds(1000, 2000);

  /** Expects a response to every request, and counts them by status. */
  async function answersTo(requests: autocannon.Request[]): Promise<Record<string, number>> {
    const { url } = both.services[0] as Service;
    const broken = new Set<string>();
    const { statusCodeStats = {} } = await new Promise<autocannon.Result>((resolve, reject) => {
      const options = { url, connections: 400, amount, timeout: 30, requests };
      const running = autocannon(options, (error, result) => (error ? reject(error) : resolve(result)));
      running.on('reqError', error => broken.add(error.message));
    });
    const counts = Object.entries(statusCodeStats).map(([status, { count = 0 }]) => [status, count] as const);
    expect([...broken]).toEqual([]);
    expect(counts.reduce((sum, [, count]) => sum + count, 0)).toBe(amount);
    return Object.fromEntries(counts);
  }

  /** Why requests failed, as the log says. */
  const reasonsIn = ({ logs }: Service): string =>
    logs
      .join('')
      .match(/"reason":".*?"/g)
      ?.join(', ') ?? 'none';

  it('of one customer succeed, or are refused as too many', async () => {
    const service = both.services[0] as Service;
    const { headers } = await newCustomer(service);
    const { 200: read, 429: _fewer, ...others } = await answersTo([{ path: '/rest/v1/quotes', headers }]);
    expect(others, reasonsIn(service)).toEqual({});
    expect(read).toBeGreaterThan(20);
  });

  // The last, as the sender goes away before all is answered, and what is left of twenty customers takes its time.
  it('of twenty customers all succeed', async () => {
    const service = both.services[0] as Service;
    const customers = await Promise.all(Array.from({ length: 20 }, () => newCustomer(service)));
    const {
      200: read,
      201: written,
      503: _later,
      429: _fewer,
      ...others
    } = await answersTo(
      customers.flatMap(({ account, headers }): autocannon.Request[] => [
        { path: '/rest/v1/quotes?limit=5', headers },
        {
          method: 'POST',
          path: '/rest/v1/quotes',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify(aQuote(account)),
        },
      ]),
    );
    expect(others).toEqual({});
    // On a busy machine most have waited too long.
    expect(Math.min(read ?? 0, written ?? 0)).toBeGreaterThan(20);
  });
});
