/** However a connection ends behind Hyperdrive, its end is seen, each time. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { postgresPort, type Service, startService } from '../setup/service.ts';
import { callerOf } from '../setup/wire.ts';
import { endsUnderWay, endsWhileMade } from './ends.ts';
import { type HyperdriveStandIn, startHyperdrive } from './hyperdrive.ts';
import { type Link, startLink } from './link.ts';
import { endureRounds, light, rounds } from './rounds.ts';

let link: Link;
let hyperdrive: HyperdriveStandIn;
let service: Service;
beforeAll(async () => {
  link = await startLink(postgresPort());
  hyperdrive = await startHyperdrive(link.port);
  service = await startService({ hyperdrive: 'direct', databasePort: hyperdrive.port });
});
afterAll(async () => {
  await service.stop();
  await hyperdrive.stop();
  await link.stop();
});

it.each([...endsUnderWay, ...endsWhileMade])('%s', { timeout: 60_000 }, async (_, faultOf) => {
  const { database } = service;
  const met = await endureRounds(database, [service], faultOf({ link, database }), [light]);
  expect(met.read + met.write).toBeGreaterThan(rounds);
});

it('a database that is down is 58000 in the log, and a 503 until it is back', async () => {
  const { get } = callerOf(service, service.secretKey);
  await link.refuse();
  service.logs.length = 0;
  expect((await get('/quotes')).status).toBe(503);
  await expect.poll(() => service.logs.join('\n')).toContain("reason: '58000'");
  await link.resume();
  expect((await get('/quotes')).status).toBe(200);
});
