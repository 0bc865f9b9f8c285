/**
 * However a connection ends, it is noticed at once: over the pool, and over Hyperdrive.
 * @module-tag full
 */
import { describe, expect, it } from 'vitest';
import { postgresPort, type Service } from '../setup/service.ts';
import { use } from '../setup/use.ts';
import { callerOf } from '../setup/wire.ts';
import { endsUnderWay, endsWhileMade } from './ends.ts';
import { startLink } from './link.ts';
import { eachTime, endureRounds, heavy, light } from './under-load.ts';
import { startBothWays } from './ways.ts';

const link = use(() => startLink(postgresPort()), 'stop');
const both = use(() => startBothWays({ databasePort: link.port }), 'stop');

describe.each([
  ['connections that carry requests end', endsUnderWay],
  ['connections end while they are made:', endsWhileMade],
])(`%s`, (_, ends) => {
  it.each(ends)(`%s, ${eachTime}`, async (_how, faultOf) => {
    const { database, services } = both;
    await endureRounds(database, services, faultOf(link, database));
  });
});

it(`all connections of a busy pool end at once, ${eachTime}`, async () => {
  await endureRounds(both.database, both.services, { strike: () => link.cut() }, [heavy, light]);
});

it('Hyperdrive without a database is 58000 in the log, and a 503 until the database is back', async () => {
  const service = both.services[1] as Service;
  const { get } = callerOf(service, service.secretKey);
  await link.refuse();
  service.logs.length = 0;
  expect((await get('/quotes')).status).toBe(503);
  await expect.poll(() => service.logs.join('\n')).toContain('"reason":"58000"');
  await link.resume();
  expect((await get('/quotes')).status).toBe(200);
});
