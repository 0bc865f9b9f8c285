/** Runs an attack on a service of its own, and measures what a bystander and workerd's memory notice of it. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import WebSocket from 'ws';
import { loopback, tryPort } from '../../../functions/local/port.ts';
import { childrenNamed, forgetPeak, memoryOf } from '../../costs/processes.ts';
import { type Service, startService } from '../../setup/service.ts';
import { Bystander, type Waits } from './bystander.ts';

/** Attacks take half an hour at their full size: `ATTACKS=1 npm test -- test/live/attacks --no-file-parallelism`. */
export const isFullSize = process.env['ATTACKS'] === '1';

export interface Figures {
  waits: Waits;
  refusals: Record<string, number>;
  /** Resident megabytes at the peak, above those before. */
  grownMegabytes: number;
  /** What lives in V8's heap while the attacker holds its sockets, above what lived in it before. */
  heldMegabytes: number;
  /** Counts of what the attacker met. */
  met: Record<string, number>;
}

/** Measures an attack, and prints the figures. `rateLimits` has requests in ten seconds; without them nobody counts. */
export async function measureAttack(name: string, rateLimits?: Record<string, number>): Promise<Figures> {
  const others = childrenNamed('workerd');
  const inspectorPort = (await tryPort(0)) ?? 0;
  const service = await startService({ inspectorPort, ...(rateLimits && { rateLimits }) });
  const [worker = 0] = childrenNamed('workerd').filter(pid => !others.includes(pid));
  const attacker = await startAttacker(name, service);
  try {
    // Everything has been used once before it is measured.
    await (await Bystander.start(service, worker)).stop();
    const heap = await heapMegabytes(inspectorPort);
    forgetPeak(worker);
    const megabytes = memoryOf(worker)?.now ?? 0;
    const bystander = await Bystander.start(service, worker);
    attacker.send('attack');
    const [met] = await once(attacker, 'message', { signal: AbortSignal.timeout(120_000) });
    await sleep(1000);
    const held = await heapMegabytes(inspectorPort);
    await end(attacker);
    await sleep(2000);
    const { waits, refusals } = await bystander.stop();
    const grown = (memoryOf(worker)?.peak ?? 0) - megabytes;
    const figures = { waits, refusals, grownMegabytes: Math.round(grown), heldMegabytes: held - heap, met };
    console.log(name, JSON.stringify(figures));
    return figures;
  } finally {
    await end(attacker);
    await service.stop();
  }
}

/** Megabytes by which workerd may grow: what is promised, and what a machine gets which is busy with other tests. */
export const mayGrow = isFullSize ? 100 : 150;
/** Refusals that depend on times, after which a client tries again. */
const temporary = /\b(429|503)$|PGRST001/;

/** Expects that the bystander was refused nothing, and waited for nothing longer than is promised on a quiet machine. */
export function expectUnharmed({ waits, refusals }: Figures): void {
  const late = Object.entries(waits).filter(([, wait]) => isFullSize && wait > 2000);
  const refused = Object.entries(refusals).filter(([what]) => isFullSize || !temporary.test(what));
  expect({ late, refused }).toEqual({ late: [], refused: [] });
}

/** Starts a process that attacks; resolves when it is prepared. */
async function startAttacker(name: string, service: Service): Promise<ChildProcess> {
  const { url, publishableKey, jwtSecret, database } = service;
  const place = { url, publishableKey, jwtSecret, ownerUrl: database.ownerUrl, isFullSize };
  const child = fork(fileURLToPath(new URL('attacker.ts', import.meta.url)), [name, JSON.stringify(place)], {
    execArgv: ['--import', 'tsx'],
  });
  const exited = once(child, 'exit').then(([code]) => Promise.reject(new Error(`It exited with ${code}.`)));
  exited.catch(() => {});
  await Promise.race([once(child, 'message'), exited]);
  return child;
}

/** Ends its process, and with it all of its sockets. */
async function end(attacker: ChildProcess): Promise<void> {
  if (attacker.exitCode === null && attacker.signalCode === null) {
    const exit = once(attacker, 'exit');
    attacker.kill('SIGKILL');
    await exit;
  }
}

/** Collects all garbage, and returns the megabytes of the worker's isolate, its objects included. V8's inspector says so. */
async function heapMegabytes(inspectorPort: number): Promise<number> {
  const inspector = new WebSocket(`ws://${loopback}:${inspectorPort}/core:user:all`);
  await once(inspector, 'open');
  const send = (id: number, method: string) => inspector.send(JSON.stringify({ id, method }));
  try {
    const usage = new Promise<number>(resolve =>
      inspector.on('message', data => {
        const { id, result } = JSON.parse(String(data));
        if (id === 2) {
          resolve(Math.round(result.usedSize / 2 ** 20));
        }
      }),
    );
    // workerd collects it, and answers late or never.
    send(1, 'HeapProfiler.collectGarbage');
    await sleep(500);
    send(2, 'Runtime.getHeapUsage');
    return await usage;
  } finally {
    inspector.close();
  }
}
