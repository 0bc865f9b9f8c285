/** Postgres is stopped under load and started again. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { use } from '../setup/use.ts';
import { startCluster } from './cluster.ts';
import { isGood, startAllWays, underLoad } from './under-load.ts';

const cluster = use(startCluster, 'remove');
const all = use(() => startAllWays({ database: cluster.database }), 'stop');

it.each([
  ['fast', 'for a second', 1000],
  ['immediate', 'and started again at once', 0],
] as const)(
  'stopped %s, %s: what was acknowledged is there, once',
  { timeout: 90_000 },
  async (how, _, milliseconds) => {
    const attempts = await underLoad(all.database, all.services, async () => {
      await cluster.stop(how);
      await sleep(milliseconds);
      await cluster.start();
    });
    for (const ofService of attempts) {
      expect(ofService.filter(isGood).length).toBeGreaterThan(20);
      expect(ofService.filter(attempt => !isGood(attempt)).length).toBeGreaterThan(0);
    }
  },
);
