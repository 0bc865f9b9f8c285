/** Connections that end without a FIN or RST. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { databaseLimits } from '../../functions/database/limits.ts';
import { eachTime, faultRounds } from '../setup/full-size.ts';
import { aQuote } from '../setup/rows.ts';
import { postgresPort } from '../setup/service.ts';
import { use } from '../setup/use.ts';
import { type Caller, callerOf } from '../setup/wire.ts';
import { silenceNext } from './inspectors.ts';
import { startLink } from './link.ts';
import { expectSweep } from './rounds.ts';
import { startBothWays, timeLimit, underLoad } from './under-load.ts';

const link = use(() => startLink(postgresPort()), 'stop');
const both = use(() => startBothWays({ databasePort: link.port }), 'stop');

// Side by side, since each takes as long as the deadline.
it(`a connection goes silent, ${eachTime}: who is on it is answered in time, the others sooner`, {
  timeout: 90_000,
}, async () => {
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
  expect(Math.max(...late.map(({ took }) => took))).toBeLessThan(timeLimit);
  await Promise.all(both.services.map(expectSweep));
});

it(`the server crashed while nobody asked, ${eachTime}: the connections are found dead by who asks next`, {
  timeout: 60_000,
}, async () => {
  const customers = await Promise.all(
    both.services.map(async service => {
      const account = randomUUID();
      const token = await service.token({ account });
      return { account, customer: callerOf(service, service.publishableKey, token) };
    }),
  );
  const counted = { read: 0, written: 0, refused: 0 };
  const ask = (customer: Caller, account: string) => [
    ...Array.from({ length: 4 }, () => customer.get('/quotes?select=id&limit=5')),
    ...Array.from({ length: 4 }, () => customer.send('POST', '/quotes', aQuote(account))),
  ];
  const askAll = async () => {
    const began = Date.now();
    const replies = await Promise.all(customers.flatMap(({ customer, account }) => ask(customer, account)));
    // No request waits until its deadline.
    expect(Date.now() - began).toBeLessThan(databaseLimits.deadline);
    return replies;
  };
  for (let round = 0; round < faultRounds; round++) {
    await expect.poll(async () => (await askAll()).every(({ status }) => status < 300)).toBe(true);
    link.crash();
    for (const { status } of await askAll()) {
      expect([200, 201, 503]).toContain(status);
      counted.read += status === 200 ? 1 : 0;
      counted.written += status === 201 ? 1 : 0;
      counted.refused += status === 503 ? 1 : 0;
    }
  }
  // Reads are sent again; writes over the pool fail on the dead connections, unless a read has found them all before.
  expect(counted.read).toBe(2 * 4 * faultRounds);
  expect(counted.refused).toBeGreaterThanOrEqual(Math.floor(faultRounds / 2));
});
