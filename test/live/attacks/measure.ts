/** Runs an attack on a service of its own, and measures what a bystander and workerd's memory notice of it. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import WebSocket from 'ws';
import { loopback, tryPort } from '../../../functions/local/port.ts';
import { childrenNamed, forgetPeak, memoryOf } from '../../costs/processes.ts';
import { startService } from '../../setup/service.ts';
import { startBystander } from './bystander.ts';
import { type Attack, isFullSize, Target } from './target.ts';

/** Milliseconds that the bystander may wait, and megabytes by which workerd may grow; more where other tests run too. */
const bounds = isFullSize ? { wait: 2000, grown: 100 } : { wait: Number.POSITIVE_INFINITY, grown: 150 };
/** Refusals that depend on times, after which a client tries again. */
const temporary = /\b(429|503)$|PGRST001/;

/**
 * Expects that nobody else notices an attack: the bystander is refused nothing and waits for nothing long, and workerd grows
 * little. Resolves to counts of what the attackers met. `rateLimits` has requests in ten seconds; without them nobody counts.
 */
export async function expectUnharmed(
  name: string,
  attack: Attack | undefined,
  rateLimits?: Record<string, number>,
): Promise<Record<string, number>> {
  const others = childrenNamed('workerd');
  // With a port of its own it is no service that other files use too.
  const inspectorPort = (await tryPort(0)) ?? 0;
  const service = await startService({ inspectorPort, ...(rateLimits && { rateLimits }) });
  const [worker = 0] = childrenNamed('workerd').filter(pid => !others.includes(pid));
  expect(worker).toBeGreaterThan(0);
  const target = new Target(service);
  // Everything has been used once before it is measured.
  await (await startBystander(service, worker))();
  const begin = await attack?.(target);
  const stop = await startBystander(service, worker);
  try {
    await collectGarbage(inspectorPort);
    forgetPeak(worker);
    const before = memoryOf(worker)?.now ?? 0;
    await begin?.();
    await sleep(1000);
    target.end();
    await sleep(2000);
    const { waits, refusals } = await stop();
    const grown = (memoryOf(worker)?.peak ?? 0) - before;
    console.log(name, JSON.stringify({ ...waits, refusals, grown: Math.round(grown), met: target.met }));
    const late = Object.entries(waits).filter(([, wait]) => wait > bounds.wait);
    const refused = Object.entries(refusals).filter(([what]) => isFullSize || !temporary.test(what));
    expect({ late, refused }).toEqual({ late: [], refused: [] });
    expect(grown).toBeLessThan(bounds.grown);
    return target.met;
  } finally {
    target.end();
    await stop();
    await service.stop();
  }
}

/** Asks V8's inspector, without which nothing is collected while nothing happens. workerd answers late or never. */
async function collectGarbage(inspectorPort: number): Promise<void> {
  const inspector = new WebSocket(`ws://${loopback}:${inspectorPort}/core:user:all`);
  await once(inspector, 'open');
  inspector.send(JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' }));
  await sleep(500);
  inspector.close();
}
