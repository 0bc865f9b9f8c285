/** Runs an attack on a service of its own, and measures what a bystander and workerd's memory notice of it. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import WebSocket from 'ws';
import { loopback, tryPort } from '../../../functions/local/port.ts';
import { childrenNamed, forgetPeak, memoryOf } from '../../costs/processes.ts';
import { type Service, startService } from '../../setup/service.ts';
import { Bystander, type Waits } from './bystander.ts';
import type { Attack } from './target.ts';

/** Attacks take half an hour at their full size: `ATTACKS=1 npm test -- test/live/attacks --no-file-parallelism`. */
export const isFullSize = process.env['ATTACKS'] === '1';

export const size = (few: number, full: number): number => (isFullSize ? full : few);

/** Returns names of a few of the attacks, spread evenly over them; all of them at full size. */
export const sampleOfAttacks = (few: number, attacks: Record<string, Attack>): string[] => {
  const names = Object.keys(attacks);
  return names.filter((_, index) => isFullSize || index % Math.ceil(names.length / few) === 0);
};

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
  /** Counts of what the attacker met. */
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
  const attacker = await startAttacker(name, service);
  try {
    const before = await Bystander.start(service, worker);
    await sleep(calmFor);
    const calm = await before.stop();
    const heap = await heapMegabytes(inspectorPort);
    forgetPeak(worker);
    const megabytes = memoryOf(worker)?.now ?? 0;
    const bystander = await Bystander.start(service, worker);
    const met = await attack(attacker);
    await sleep(1000);
    const held = measuresHeld ? await heapMegabytes(inspectorPort) : Number.NaN;
    await end(attacker);
    await sleep(2000);
    const waits = await bystander.stop();
    const grown = (memoryOf(worker)?.peak ?? 0) - megabytes;
    return {
      ...waits,
      calm: Math.max(calm.informed, calm.joined, calm.rest, calm.health),
      grownMegabytes: Math.round(grown),
      leftMegabytes: Math.round(await untilRested(worker, megabytes)),
      heldMegabytes: Math.round(held - heap),
      heapMegabytes: Math.round((await heapMegabytes(inspectorPort)) - heap),
      keptMegabytes: Math.round((memoryOf(worker)?.now ?? 0) - megabytes),
      met,
    };
  } finally {
    await end(attacker);
    await service.stop();
  }
}

/** Returns the megabytes above those before, as soon as they are few. */
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

/** Starts a process that attacks; resolves when it is prepared. */
async function startAttacker(name: string, service: Service): Promise<ChildProcess> {
  const { url, publishableKey, jwtSecret, database } = service;
  const place = { url, publishableKey, jwtSecret, ownerUrl: database.ownerUrl, isFullSize };
  const child = fork(fileURLToPath(new URL('attacker.ts', import.meta.url)), [name, JSON.stringify(place)], {
    execArgv: ['--import', 'tsx'],
  });
  await Promise.race([once(child, 'message'), exited(child)]);
  return child;
}

/** Attacks, and resolves to what the attacker met. It keeps its sockets. */
async function attack(attacker: ChildProcess): Promise<Record<string, number>> {
  const signal = AbortSignal.timeout(attackTimeout);
  const tooLong = [{ 'the attack did not end in time': 1 }];
  const met = once(attacker, 'message', { signal }).catch(() => tooLong);
  attacker.send('attack');
  const [message] = await Promise.race([met, exited(attacker)]);
  return message;
}

const exited = (child: ChildProcess): Promise<never> =>
  once(child, 'exit').then(([code]) => Promise.reject(new Error(`The attacker exited with ${code}.`)));

/** Ends its process, and with it all of its sockets. */
async function end(attacker: ChildProcess): Promise<void> {
  if (attacker.exitCode === null && attacker.signalCode === null) {
    const exit = once(attacker, 'exit');
    attacker.kill('SIGKILL');
    await exit;
  }
}

/** Collects all garbage, and returns the megabytes of the worker's isolate, its objects included. V8's inspector says so. */
export async function heapMegabytes(inspectorPort: number): Promise<number> {
  const inspector = new WebSocket(`ws://${loopback}:${inspectorPort}/core:user:all`);
  await once(inspector, 'open');
  const send = (id: number, method: string) => inspector.send(JSON.stringify({ id, method }));
  try {
    // workerd collects it, and answers late or never.
    send(1, 'HeapProfiler.collectGarbage');
    await sleep(500);
    const usage = new Promise<number>(resolve =>
      inspector.on('message', data => {
        const { id, result } = JSON.parse(String(data));
        if (id === 2) {
          resolve(result.usedSize / 2 ** 20);
        }
      }),
    );
    send(2, 'Runtime.getHeapUsage');
    return await usage;
  } finally {
    inspector.close();
  }
}
