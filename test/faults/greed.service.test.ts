/** One caller who wants everything, and the others, who notice nothing. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { untilBlocked } from '../service/locks.ts';
import { aQuote, type Caller, callerOf, type Reply, representation } from '../service/wire.ts';
import type { Service } from '../setup/service.ts';
import { type BothWays, startBothWays } from './under-load.ts';

let both: BothWays;
beforeAll(async () => {
  both = await startBothWays();
});
afterAll(() => both.stop());

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
])('a caller whose every request is slow, over %s, keeps nobody else from an answer', async (_, index, share) => {
  const requests = 150;
  const service = both.services[index] as Service;
  const greedy = await newCustomer(service);
  const others = await Promise.all([newCustomer(service), newCustomer(service), newCustomer(service)]);
  const made = await greedy.customer.send(
    'POST',
    '/quotes?select=id',
    aQuote(greedy.account),
    representation,
  );
  const path = `/quotes?id=eq.${made.body[0].id}`;
  let flood: Promise<Reply>[] = [];
  let answers: Reply[] = [];
  await both.database.sql.begin(async holder => {
    await holder`select from builder.quotes where id = ${made.body[0].id} for update`;
    flood = Array.from({ length: requests }, () => greedy.customer.send('PATCH', path, { sport: 'golf' }));
    await untilBlocked(service, share);
    answers = (await Promise.all(others.map(useForAWhile))).flat();
    // It has so many under way, and no more.
    await untilBlocked(service, share);
    await Promise.all(flood);
  });

  const { 200: read = 0, 201: written = 0, ...failed } = tally(answers);
  expect(failed).toEqual({});
  expect(Math.min(read, written)).toBeGreaterThan(50);

  const replies = await Promise.all(flood);
  expect(tally(replies)).toEqual({ 504: share, 429: requests - share });
  for (const { headers, body } of replies.filter(({ status }) => status === 429)) {
    expect([headers.get('retry-after'), body.code]).toEqual(['1', 'PT429']);
  }
  const later = await Promise.all(Array.from({ length: 20 }, () => greedy.customer.get('/quotes')));
  expect(tally(later)).toEqual({ 200: 20 });
});

async function useForAWhile({ account, customer }: Customer): Promise<Reply[]> {
  const answers: Reply[] = [];
  for (const end = Date.now() + 2000; Date.now() < end; await sleep(5)) {
    answers.push(
      await customer.get('/quotes?limit=5'),
      await customer.send('POST', '/quotes', aQuote(account)),
    );
  }
  return answers;
}

describe('four hundred connections at once', () => {
  const load = (service: Service, requests: autocannon.Request[]) =>
    autocannon({ url: service.url, connections: 400, duration: 2, timeout: 15, requests });
  const statuses = ({ statusCodeStats = {} }: autocannon.Result) => Object.keys(statusCodeStats).map(Number);

  it('of twenty customers are all answered', async () => {
    const service = both.services[0] as Service;
    const customers = await Promise.all(Array.from({ length: 20 }, () => newCustomer(service)));
    const requests = customers.flatMap(({ account, headers }): autocannon.Request[] => [
      { path: '/rest/v1/quotes?limit=5', headers: { ...headers } },
      {
        method: 'POST',
        path: '/rest/v1/quotes',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(aQuote(account)),
      },
    ]);
    const result = await load(service, requests);
    expect({ errors: result.errors, timeouts: result.timeouts }).toEqual({ errors: 0, timeouts: 0 });
    expect([200, 201, 429, 503]).toEqual(expect.arrayContaining(statuses(result)));
    expect(result['2xx']).toBeGreaterThan(400);
  });

  it('of one customer are answered, or told that they are too many', async () => {
    const service = both.services[0] as Service;
    const { headers } = await newCustomer(service);
    const result = await load(service, [{ path: '/rest/v1/quotes', headers: { ...headers } }]);
    expect({ errors: result.errors, timeouts: result.timeouts }).toEqual({ errors: 0, timeouts: 0 });
    expect(statuses(result).sort()).toEqual([200, 429]);
  });
});
