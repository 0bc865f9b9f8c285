/** However a connection ends, over the pool and with a connection for each request, its end is seen, each time. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresPort } from '../setup/service.ts';
import { endsUnderWay, endsWhileMade } from './ends.ts';
import { cutBetweenMessages } from './inspectors.ts';
import { type Link, startLink } from './link.ts';
import { endureRounds, heavy, rounds } from './rounds.ts';
import { type BothWays, startBothWays } from './under-load.ts';

let link: Link;
let both: BothWays;
beforeAll(async () => {
  link = await startLink(postgresPort());
  both = await startBothWays({ databasePort: link.port });
});
afterAll(async () => {
  await both.stop();
  await link.stop();
});

describe.each([
  ['connections that carry requests may end', endsUnderWay],
  ['connections may end while they are made', endsWhileMade],
])('%s', { timeout: 90_000 }, (_, ends) => {
  it.each(ends)('%s', async (_how, faultOf) => {
    const { database, services } = both;
    const met = await endureRounds(database, services, faultOf({ link, database }));
    expect(met.read).toBeGreaterThan(rounds);
    expect(met.write).toBeGreaterThan(rounds);
  });
});

it('all at once, while many carry two messages', { timeout: 90_000 }, async () => {
  const [pool] = both.services;
  const strike = () => link.cut();
  const met = await endureRounds(both.database, pool ? [pool] : [], { strike }, [heavy]);
  expect(met.read).toBeGreaterThan(rounds);
  expect(met.write).toBeGreaterThan(rounds);
});

it('between the answers to two messages, over the pool', { timeout: 90_000 }, async () => {
  const [pool] = both.services;
  const strike = () => cutBetweenMessages(link);
  const met = await endureRounds(both.database, pool ? [pool] : [], { strike }, [heavy]);
  expect(met.read + met.write).toBeGreaterThan(rounds);
});
