/** PgBouncer between the service and Postgres: PgBouncer is killed, and Postgres is stopped behind it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Cluster, startCluster } from './cluster.ts';
import { findPgBouncer, type PgBouncer, startPgBouncer } from './pgbouncer.ts';
import { endureRounds, rounds } from './rounds.ts';
import { type BothWays, isGood, startBothWays, underLoad } from './under-load.ts';

const program = await findPgBouncer();
if (program === undefined) {
  console.log('PgBouncer is not installed: test/faults/poolers is left out (apt-get install pgbouncer).');
}

describe.skipIf(program === undefined)('through PgBouncer', { timeout: 60_000 }, () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.remove());

  describe.each(['session', 'transaction'] as const)('in %s mode', mode => {
    let pooler: PgBouncer;
    let both: BothWays;
    beforeAll(async () => {
      pooler = await startPgBouncer({ program: program ?? '', mode, database: cluster.database });
      const database = { ...cluster.database, drop: async () => {} };
      both = await startBothWays({ database, databasePort: pooler.port });
    });
    afterAll(async () => {
      await both.stop();
      await pooler.remove();
    });

    it('it is killed and started again, each time', async () => {
      const met = await endureRounds(cluster.database, both.services, {
        strike: () => pooler.kill(),
        mend: () => pooler.start(),
      });
      expect(met.read).toBeGreaterThan(rounds);
      expect(met.write).toBeGreaterThan(rounds);
    });

    it.each(['fast', 'immediate'] as const)('Postgres is stopped %s and started again', async how => {
      const attempts = await underLoad(cluster.database, both.services, async () => {
        await cluster.stop(how);
        await cluster.start();
      });
      for (const ofService of attempts) {
        expect(ofService.filter(isGood).length).toBeGreaterThan(20);
      }
    });
  });
});
