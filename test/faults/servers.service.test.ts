/**
 * Postgres, or a PgBouncer before it, is stopped under load and started again.
 * @module-tag full
 */
import { describe, it } from 'vitest';
import { startPgBouncer } from '../setup/deployed/pgbouncer.ts';
import { use } from '../setup/use.ts';
import { startCluster } from './cluster.ts';
import { eachTime, endureRounds, type Fault, light, modest } from './under-load.ts';
import { startAllWays, startWays } from './ways.ts';

const cluster = use(startCluster, 'remove');
const stopped = (how: 'fast' | 'immediate'): Fault => ({
  strike: () => cluster.stop(how),
  mend: () => cluster.start(),
});
const stops: [what: string, fault: Fault][] = [
  ['Postgres is stopped immediately', stopped('immediate')],
  ['Postgres is stopped fast', stopped('fast')],
];

describe('without a pooler', () => {
  const all = use(() => startAllWays({ database: cluster.database }), 'stop');

  it.each(stops)(`%s and started again, ${eachTime}`, async (_, fault) => {
    await endureRounds(cluster.database, all.services, fault, [modest, light, light]);
  });
});

describe('through PgBouncer, in session and in transaction mode', { tags: ['pgbouncer'] }, () => {
  const start = (mode: 'session' | 'transaction') => () =>
    startPgBouncer({ mode, database: cluster.database });
  const poolers = [use(start('session'), 'remove'), use(start('transaction'), 'remove')];
  const behind = poolers.map(pooler =>
    use(
      () => startWays(['pool', 'hyperdrive'], { database: cluster.database, databasePort: pooler.port }),
      'stop',
    ),
  );
  const killed: Fault = {
    strike: () => Promise.all(poolers.map(pooler => pooler.kill())),
    mend: () => Promise.all(poolers.map(pooler => pooler.start())),
  };

  it.each<[what: string, fault: Fault]>([
    ['PgBouncer is killed', killed],
    ['Postgres is stopped immediately', stopped('immediate')],
  ])(`%s and started again, ${eachTime}`, async (_, fault) => {
    const services = behind.flatMap(ofPooler => ofPooler.services);
    await endureRounds(cluster.database, services, fault, [modest, light, modest, light]);
  });
});
