/** However a connection ends, its end is seen, each time: over the pool, and with a connection for each request. */
import { describe, expect, it } from 'vitest';
import { eachTime, faultRounds, sample } from '../setup/full-size.ts';
import { postgresPort } from '../setup/service.ts';
import { use } from '../setup/use.ts';
import { endsUnderWay, endsWhileMade } from './ends.ts';
import { startLink } from './link.ts';
import { endureRounds, heavy, timeout } from './rounds.ts';
import { startAllWays } from './under-load.ts';

const link = use(() => startLink(postgresPort()), 'stop');
const all = use(() => startAllWays({ databasePort: link.port }), 'stop');

describe.each([
  ['connections that carry requests may end', endsUnderWay],
  ['connections may end while they are made', endsWhileMade],
])(`%s, ${eachTime}`, { timeout }, (_, ends) => {
  it.each(sample(1, ends))('%s', async (_how, faultOf) => {
    const { database, services } = all;
    const met = await endureRounds(database, services, faultOf({ link, database }));
    expect(met.read).toBeGreaterThanOrEqual(faultRounds);
    expect(met.write).toBeGreaterThanOrEqual(faultRounds);
  });
});

it(`all connections of a busy pool may end at once, ${eachTime}`, { timeout }, async () => {
  const strike = () => link.cut();
  const met = await endureRounds(all.database, all.services.slice(0, 1), { strike }, [heavy]);
  expect(met.read).toBeGreaterThanOrEqual(faultRounds);
  expect(met.write).toBeGreaterThanOrEqual(faultRounds);
});
