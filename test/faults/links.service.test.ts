/** The link to Postgres stalls, is closed, or leads nowhere. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { databaseLimits } from '../../functions/database/limits.ts';
import { aQuote } from '../setup/rows.ts';
import { postgresPort, type Service } from '../setup/service.ts';
import { use } from '../setup/use.ts';
import { type Caller, representation, signIn } from '../setup/wire.ts';
import { startLink } from './link.ts';
import { isGood, startBothWays, underLoad } from './under-load.ts';

const link = use(() => startLink(postgresPort()), 'stop');
const both = use(() => startBothWays({ databasePort: link.port }), 'stop');

/** Milliseconds, for all requests. */
const longest = (attempts: { took: number }[]) => Math.max(...attempts.map(({ took }) => took));

it('that stalls: requests end at their deadline', async () => {
  const attempts = await underLoad(both.database, both.services, async () => {
    link.stall();
    await sleep(11_500);
    link.resume();
  });
  // With a connection for each request, mostly connecting stalls, which times out after 5 s.
  for (const [index, seconds] of [9, 4].entries()) {
    expect(attempts[index]?.every(isGood)).toBe(false);
    expect(longest(attempts[index] ?? [])).toBeGreaterThan(seconds * 1000);
  }
});

it('that is closed repeatedly: every acknowledged write is stored once', async () => {
  await underLoad(both.database, both.services, async () => {
    for (let time = 0; time < 10; time++) {
      link.cut();
      await sleep(100);
    }
  });
});

it('that accepts and closes every connection: no request waits for it', async () => {
  const attempts = await underLoad(both.database, both.services, async () => {
    link.turnAway();
    await sleep(1500);
    link.resume();
  });
  for (const ofService of attempts) {
    expect(ofService.filter(({ status }) => status === 503).length).toBeGreaterThan(10);
    // Whoever waits for a connection that does not come does so for that long.
    expect(longest(ofService)).toBeLessThan(databaseLimits.connectSeconds * 1000);
  }
});

describe.each([
  ['the pool', 0],
  ['a connection for each request', 1],
])('closed in the middle of a reply, over %s', (_, index) => {
  const account = randomUUID();
  const aLongRow = (length: number) => ({
    ...aQuote(account),
    company: randomUUID(),
    customization: { text: 'x'.repeat(length) },
  });
  let service: Service;
  let customer: Caller;
  beforeAll(async () => {
    service = both.services[index] as Service;
    customer = await signIn(service, { account });
  });

  it('a read still succeeds completely', async () => {
    const written = aLongRow(200_000);
    await customer.send('POST', '/quotes', written);
    link.cutAnswerAfter(50_000);
    const reply = await customer.get(`/quotes?company=eq.${written.company}&select=customization`);
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual([{ customization: written.customization }]);
  });

  it('a write is a 503, and can be retried safely', async () => {
    // A response of more than 64 KiB would not be stored.
    const written = aLongRow(60_000);
    const headers = { 'idempotency-key': randomUUID(), ...representation };
    const write = () => customer.send('POST', '/quotes', written, headers);
    link.cutAnswerAfter(20_000);
    const first = await write();
    expect([first.status, first.headers.get('retry-after')]).toEqual([503, '1']);
    const again = await write();
    expect([again.status, again.body[0].company]).toEqual([201, written.company]);
    expect((await customer.get(`/quotes?company=eq.${written.company}&select=id`)).body).toHaveLength(1);
  });
});
