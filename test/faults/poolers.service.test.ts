/** PgBouncer between the service and Postgres: PgBouncer is killed, and Postgres is stopped behind it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eachTime, faultRounds, sample } from '../setup/full-size.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { type PgBouncer, startPgBouncer } from './pgbouncer.ts';
import { endureRounds, type Fault, light, modest, timeout } from './rounds.ts';
import { type Services, startWays } from './under-load.ts';

const name = `through PgBouncer, in session and in transaction mode, good again at once, ${eachTime}`;

describe(name, { timeout, tags: ['pgbouncer'] }, () => {
  let cluster: Cluster;
  let poolers: PgBouncer[];
  let behind: Services[];
  beforeAll(async () => {
    cluster = await startCluster();
    const { database } = cluster;
    const modes = ['session', 'transaction'] as const;
    poolers = await Promise.all(modes.map(mode => startPgBouncer({ mode, database })));
    behind = await Promise.all(
      poolers.map(({ port }) => startWays(['pool', 'hyperdrive'], { database, databasePort: port })),
    );
  });
  afterAll(async () => {
    await Promise.all(behind.map(services => services.stop()));
    await Promise.all(poolers.map(pooler => pooler.remove()));
    await cluster.remove();
  });

  const faults: [what: string, fault: Fault][] = [
    [
      'it is killed and started again',
      {
        strike: () => Promise.all(poolers.map(pooler => pooler.kill())),
        mend: () => Promise.all(poolers.map(pooler => pooler.start())),
      },
    ],
    [
      'Postgres is stopped fast and started again',
      { strike: () => cluster.stop('fast'), mend: () => cluster.start() },
    ],
    [
      'Postgres is stopped immediately and started again',
      { strike: () => cluster.stop('immediate'), mend: () => cluster.start() },
    ],
  ];
  it.each(sample(1, faults))('%s', async (_, fault) => {
    const services = behind.flatMap(ofPooler => ofPooler.services);
    const met = await endureRounds(cluster.database, services, fault, [modest, light, modest, light]);
    expect(met.read).toBeGreaterThanOrEqual(faultRounds);
    expect(met.write).toBeGreaterThanOrEqual(faultRounds);
  });
});
