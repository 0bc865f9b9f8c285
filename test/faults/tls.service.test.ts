/** Every end of a connection with TLS is detected, during the handshake too. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase } from '../setup/database.ts';
import { eachTime, faultRounds, sample } from '../setup/full-size.ts';
import { startService } from '../setup/service.ts';
import { callerOf } from '../setup/wire.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { endNew, endsUnderWay } from './ends.ts';
import { type Link, startLink } from './link.ts';
import { endureRounds, light, timeout } from './rounds.ts';
import { type Services, startBothWays } from './under-load.ts';

let cluster: Cluster;
let link: Link;
let both: Services;
beforeAll(async () => {
  cluster = await startCluster({ tls: true });
  link = await startLink(Number(new URL(cluster.database.ownerUrl).port));
  const [apiUrl, sweeperUrl] = [cluster.database.apiUrl, cluster.database.sweeperUrl].map(encrypted);
  const database = { ...cluster.database, apiUrl: apiUrl ?? '', sweeperUrl: sweeperUrl ?? '' };
  both = await startBothWays({ database, databasePort: link.port });
});
afterAll(async () => {
  await both.stop();
  await link.stop();
  await cluster.remove();
});

const encrypted = (url: string): string =>
  Object.assign(new URL(url), { hostname: 'localhost', search: 'sslmode=require' }).href;

it('connections are encrypted', async () => {
  const service = both.services[0];
  expect((await service?.fetch('/health'))?.status).toBe(200);
  const plain = await cluster.database.sql`
    select from pg_stat_ssl join pg_stat_activity using (pid) where usename = 'builder_api' and not ssl`;
  expect(plain).toHaveLength(0);
});

it.each([
  ['prefer', 200, ''],
  ['require', 503, '"reason":"NO_TLS"'],
])('a server without TLS, with sslmode=%s, is %i', async (mode, status, said) => {
  const database = await createDatabase();
  const bindings = { DATABASE_URL: `${database.apiUrl}?sslmode=${mode}` };
  const service = await startService({ database, bindings });
  expect((await callerOf(service, service.secretKey).get('/quotes')).status).toBe(status);
  await expect.poll(() => service.logs.join('\n')).toContain(said);
  await service.stop();
});

describe.each([
  ['connections that carry requests may end', endsUnderWay.filter(([how]) => how === 'with FIN')],
  [
    'connections may end while they are made',
    [
      endNew('when TLS is asked for', 'client', 1),
      endNew('when TLS is granted', 'server', 1),
      endNew('when the handshake has begun', 'client', 2),
    ],
  ],
])(`%s, ${eachTime}`, { timeout }, (_, ends) => {
  it.each(sample(1, ends))('%s', async (_how, faultOf) => {
    const { database } = cluster;
    const met = await endureRounds(database, both.services, faultOf({ link, database }), [light, light]);
    expect(met.read).toBeGreaterThanOrEqual(faultRounds);
    expect(met.write).toBeGreaterThanOrEqual(faultRounds);
  });
});
