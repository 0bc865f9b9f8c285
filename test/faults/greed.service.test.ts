/** One caller with excessive load does not affect the others. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { countBlocked } from '../setup/locks.ts';
import { aQuote } from '../setup/rows.ts';
import type { Service } from '../setup/service.ts';
import { use } from '../setup/use.ts';
import { callerOf, type Reply, representation } from '../setup/wire.ts';
import { patience } from './under-load.ts';
import { startBothWays } from './ways.ts';

const both = use(startBothWays, 'stop');

async function newCustomer(service: Service) {
  const account = randomUUID();
  const token = await service.token({ account });
  return { account, customer: callerOf(service, service.publishableKey, token) };
}

it.each([
  ['the pool', 0, 5, 150],
  ['a connection for each request', 1, 20, 50],
])('a caller with only slow requests, over %s, does not block the others', async (_, index, share, count) => {
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
    const flooding = Promise.all(Array.from({ length: count }, () => repeat(flood, change, 1000)));
    await expect.poll(() => countBlocked(service), { timeout: patience }).toBeGreaterThan(0);
    const using = others.flatMap(({ account, customer }) => [
      repeat(reads, () => customer.get('/quotes?limit=5'), 5),
      repeat(writes, () => customer.send('POST', '/quotes', aQuote(account)), 5),
    ]);
    const served = async () => {
      most = Math.max(most, await countBlocked(service));
      return Math.min(reads.length, writes.length);
    };
    await expect.poll(served, { interval: 50, timeout: patience }).toBeGreaterThan(5);
    await expect.poll(() => refused().length, { timeout: patience }).toBeGreaterThan(0);
    stopped = true;
    await Promise.all(using);
    return { flooding };
  });
  await flooding;

  const statuses = (replies: Reply[]) => [...new Set(replies.map(({ status }) => status))];
  expect([statuses(reads), statuses(writes)]).toEqual([[200], [201]]);
  // Statements that were cancelled may still wait for a moment when the next ones begin.
  expect(most).toBeLessThanOrEqual(share * 2);
  for (const { headers, body } of refused()) {
    expect([headers.get('retry-after'), body.code]).toEqual(['1', 'PT429']);
  }
  // A change is made in the end, or has waited too long for the row (504) or for a connection (503).
  expect([204, 429, 503, 504]).toEqual(expect.arrayContaining(statuses(flood)));
  expect((await greedy.customer.get('/quotes')).status).toBe(200);
});

it('four hundred connections of twenty customers at once succeed, or get the answer to try again', {
  tags: ['full'],
}, async () => {
  const service = both.services[0] as Service;
  const customers = await Promise.all(Array.from({ length: 20 }, () => newCustomer(service)));
  const counts: Record<number, number> = {};
  const sending = Array.from({ length: 400 }, async (_, connection) => {
    const { account, customer } = customers[connection % 20] as (typeof customers)[number];
    for (let sent = 0; sent < 5; sent++) {
      const { status } = await (connection % 40 < 20
        ? customer.get('/quotes?limit=5')
        : customer.send('POST', '/quotes', aQuote(account)));
      counts[status] = (counts[status] ?? 0) + 1;
    }
  });
  await Promise.all(sending);
  const { 200: read, 201: written, 503: _later, 429: _fewer, ...others } = counts;
  expect(others).toEqual({});
  // On a busy machine most have waited too long.
  expect(Math.min(read ?? 0, written ?? 0)).toBeGreaterThan(0);
});
