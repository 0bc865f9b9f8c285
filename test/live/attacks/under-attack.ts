/** Runs an attack on a service of its own, and measures what a bystander and workerd's memory notice of it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { tryPort } from '../../../functions/local/port.ts';
import { childrenNamed, forgetPeak, memoryOf } from '../../costs/processes.ts';
import { type Service, startService } from '../../setup/service.ts';
import { startAttacker } from './attacker-process.ts';
import { Bystander, type Waits } from './bystander.ts';
import { heapMegabytes } from './heap.ts';
import { isFullSize, size } from './size.ts';

export interface Figures extends Waits {
  /** The longest of a bystander’s times before the attack. */
  calm: number;
  /**
   * Resident megabytes above those before: the peak, the least within a minute after the attacker has gone, and what is kept
   * when V8 has collected its garbage, which it does not do by itself while nothing happens.
   */
  grownMegabytes: number;
  leftMegabytes: number;
  keptMegabytes: number;
  /** What lives in V8's heap above what lived in it before: with the attacker's sockets, if that is measured, and in the end. */
  heldMegabytes: number;
  heapMegabytes: number;
  /** Transactions that Postgres rolled back. */
  rollbacks: number;
  /** What the attacker met, by how often. */
  met: Record<string, number>;
}

/** Milliseconds. */
const calmFor = size(1500, 3000);
const attackTimeout = 90_000;
/** A worker that is up to so many megabytes above what it had before counts as the same: its heap is collected now and then. */
const restMegabytes = 30;
/** Milliseconds for which it is waited for that. What it keeps is measured in either case. */
const restTimeout = size(0, 60_000);

export interface AttackOptions {
  /** Requests in ten seconds, by the name of the binding that counts them; without it nobody counts. */
  rateLimits?: Record<string, number>;
  /** Garbage is collected before the attacker has gone, to tell what it holds. */
  measuresHeld?: boolean;
}

export async function measureAttack(
  name: string,
  { rateLimits, measuresHeld = false }: AttackOptions = {},
): Promise<Figures> {
  const others = childrenNamed('workerd');
  const inspectorPort = (await tryPort(0)) ?? 0;
  const service = await startService({ inspectorPort, ...(rateLimits && { rateLimits }) });
  const [worker = 0] = childrenNamed('workerd').filter(pid => !others.includes(pid));
  const attacker = await startAttacker(name, placeOf(service));
  try {
    const before = await Bystander.start(service, worker);
    await sleep(calmFor);
    const calm = await before.stop();
    const heap = await heapMegabytes(inspectorPort);
    forgetPeak(worker);
    const megabytes = memoryOf(worker)?.now ?? 0;
    const rolledBack = await countRollbacks(service);
    const bystander = await Bystander.start(service, worker);
    const met = await attacker.attack(attackTimeout);
    await sleep(1000);
    const held = measuresHeld ? await heapMegabytes(inspectorPort) : Number.NaN;
    await attacker.end();
    await sleep(2000);
    const waits = await bystander.stop();
    const grown = (memoryOf(worker)?.peak ?? 0) - megabytes;
    return {
      ...waits,
      calm: Math.max(calm.told, calm.joined, calm.rest, calm.health),
      grownMegabytes: Math.round(grown),
      leftMegabytes: Math.round(await untilRested(worker, megabytes)),
      heldMegabytes: Math.round(held - heap),
      heapMegabytes: Math.round((await heapMegabytes(inspectorPort)) - heap),
      keptMegabytes: Math.round((memoryOf(worker)?.now ?? 0) - megabytes),
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
  isFullSize,
});

async function countRollbacks({ sql }: Service): Promise<number> {
  const [row] = await sql`select xact_rollback from pg_stat_database where datname = current_database()`;
  return Number(row?.['xact_rollback']);
}

/** The megabytes above those before, as soon as they are few. */
async function untilRested(worker: number, before: number): Promise<number> {
  const until = Date.now() + restTimeout;
  const now = () => (memoryOf(worker)?.now ?? 0) - before;
  let left = now();
  while (Date.now() < until && left > restMegabytes) {
    await sleep(1000);
    left = Math.min(left, now());
  }
  return left;
}
