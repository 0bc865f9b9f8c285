/** Runs an attack on a service of its own, and measures what a bystander and workerd's memory notice of it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { childrenNamed, forgetPeak, memoryOf } from '../../costs/processes.ts';
import { rounds } from '../../setup/full-size.ts';
import { type Service, type ServiceOptions, startService } from '../../setup/service.ts';
import { startAttacker } from './attacker-process.ts';
import { Bystander, type Waits } from './bystander.ts';

export interface Figures extends Waits {
  /** Of a bystander before the attack: the longest of its times. */
  calm: number;
  /** Resident megabytes: the peak, and what is left a minute after the attacker has gone, above those before. */
  grownMegabytes: number;
  leftMegabytes: number;
  /** Transactions that Postgres rolled back. */
  rollbacks: number;
  /** What the attacker met, by how often. */
  met: Record<string, number>;
}

const calmFor = 3000;
const attackTimeout = 90_000;
/** A worker that is up to so many megabytes above what it had before counts as the same: its heap is collected now and then. */
const restMegabytes = 30;
const restTimeout = 60_000;

export async function measureAttack(name: string, rateLimits?: Record<string, number>): Promise<Figures> {
  const others = childrenNamed('workerd');
  const options: ServiceOptions = { bindings: {}, ...(rateLimits && { rateLimits }) };
  const service = await startService(options);
  const [worker = 0] = childrenNamed('workerd').filter(pid => !others.includes(pid));
  const attacker = await startAttacker(name, placeOf(service));
  try {
    const before = await Bystander.start(service);
    await sleep(calmFor);
    const calm = await before.stop();
    forgetPeak(worker);
    const megabytes = memoryOf(worker)?.now ?? 0;
    const rolledBack = await countRollbacks(service);
    const bystander = await Bystander.start(service);
    const met = await attacker.attack(attackTimeout);
    await sleep(1000);
    await attacker.end();
    await sleep(2000);
    const waits = await bystander.stop();
    const grown = (memoryOf(worker)?.peak ?? 0) - megabytes;
    return {
      ...waits,
      calm: Math.max(calm.told, calm.joined, calm.rest, calm.health),
      grownMegabytes: Math.round(grown),
      leftMegabytes: Math.round(await untilRested(worker, megabytes)),
      rollbacks: (await countRollbacks(service)) - rolledBack,
      met,
    };
  } finally {
    await attacker.end();
    await service.stop();
  }
}

const placeOf = ({ url, publishableKey, jwtSecret, database }: Service) => ({
  url,
  publishableKey,
  jwtSecret,
  ownerUrl: database.ownerUrl,
  isFullSize: rounds(0, 1) === 1,
});

async function countRollbacks({ sql }: Service): Promise<number> {
  const [row] = await sql`select xact_rollback from pg_stat_database where datname = current_database()`;
  return Number(row?.['xact_rollback']);
}

/** The megabytes above those before, as soon as they are few. */
async function untilRested(worker: number, before: number): Promise<number> {
  const until = Date.now() + restTimeout;
  let left = Number.POSITIVE_INFINITY;
  while (Date.now() < until && left > restMegabytes) {
    await sleep(1000);
    left = Math.min(left, (memoryOf(worker)?.now ?? 0) - before);
  }
  return left;
}
