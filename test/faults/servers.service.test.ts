/** Postgres, or a PgBouncer before it, is stopped under load and started again. */
import { describe, it } from 'vitest';
import { startPgBouncer } from '../setup/deployed/pgbouncer.ts';
import { sample } from '../setup/full-size.ts';
import { use } from '../setup/use.ts';
import { startCluster } from './cluster.ts';
import { eachTime, endureRounds, type Fault, light, modest } from './under-load.ts';
import { startBothWays } from './ways.ts';

const cluster = use(startCluster, 'remove');
const stopped = (how: 'fast' | 'immediate'): Fault => ({
  strike: () => cluster.stop(how),
  mend: () => cluster.start(),
});
const stops: [what: string, fault: Fault][] = [
  ['Postgres is stopped immediately', stopped('immediate')],
  ['Postgres is stopped fast', stopped('fast')],
];

describe('without a pooler', { tags: ['full'] }, () => {
  const both = use(() => startBothWays({ database: cluster.database }), 'stop');

  it.each(stops)(`%s and started again, ${eachTime}`, async (_, fault) => {
    await endureRounds(cluster.database, both.services, fault, [modest, light]);
  });
});

describe('through PgBouncer', { tags: ['pgbouncer'] }, () => {
  const pooler = use(() => startPgBouncer({ database: cluster.database }), 'remove');
  const both = use(() => startBothWays({ database: cluster.database, databasePort: pooler.port }), 'stop');
  const killed: Fault = { strike: () => pooler.kill(), mend: () => pooler.start() };

  const faults: [what: string, fault: Fault][] = [
    ['Postgres is stopped immediately', stopped('immediate')],
    ['PgBouncer is killed', killed],
  ];
  it.each(sample(1, faults))(`%s and started again, ${eachTime}`, async (_, fault) => {
    await endureRounds(cluster.database, both.services, fault, [modest, light]);
  });
});
