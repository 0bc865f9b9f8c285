/** What other callers notice of an attack: they do something again and again, and each time must succeed soon. */
import { setTimeout as sleep } from 'node:timers/promises';
import { timeWithCpu } from './processes.ts';

/** Something that another caller does. Rejects when it fails. */
export type Look = () => Promise<unknown>;

export interface Sightings {
  /** Milliseconds of the slowest look, without those in which other programs had all CPUs. */
  slowest: number;
  failures: string[];
}

/** Milliseconds between two rounds, whether or not the previous one has ended. */
const every = 250;

/** How often each look is taken to see what it takes here and now. */
const calibrations = 5;

/** Milliseconds of the slowest look while nothing is attacked, as other programs allow. */
export async function slowestAtRest(looks: Look[]): Promise<number> {
  const times: number[] = [];
  for (const look of Array<Look[]>(calibrations).fill(looks).flat()) {
    const began = performance.now();
    await look();
    times.push(performance.now() - began);
  }
  return Math.max(...times);
}

/** Takes the looks at a worker repeatedly. The returned function stops that, and waits for the last ones. */
export function startCanary(worker: number, looks: Look[]): () => Promise<Sightings> {
  const sightings: Sightings = { slowest: 0, failures: [] };
  let stopped = false;
  async function take(look: Look): Promise<void> {
    const began = timeWithCpu(worker);
    await look().catch(error => sightings.failures.push(error.message));
    sightings.slowest = Math.max(sightings.slowest, timeWithCpu(worker) - began);
  }
  const taken: Promise<void>[] = [];
  const running = (async () => {
    while (!stopped) {
      taken.push(...looks.map(take));
      await sleep(every);
    }
  })();
  return async () => {
    stopped = true;
    await running;
    await Promise.all(taken);
    return sightings;
  };
}
