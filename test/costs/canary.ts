/** Sends requests of other callers during an attack: `/health`, and a read of another caller's rows. */
import { setTimeout as sleep } from 'node:timers/promises';
import { waitedForCpu } from './processes.ts';
import { type CostlyRequest, Sender } from './sender.ts';

export interface Sightings {
  /** Milliseconds of the slowest response, without those in which other programs had all CPUs. */
  slowest: number;
  /** Responses other than 200, by status and code. */
  failures: string[];
}

/** Milliseconds between two rounds, whether or not the previous one has its responses. */
const every = 250;

/** How often each request is sent to see what it takes here and now. */
const calibrations = 5;

/** Milliseconds of the slowest response while nothing is attacked, as other programs allow. */
export async function slowestAtRest(url: string, requests: CostlyRequest[]): Promise<number> {
  const sender = new Sender(url, 64);
  const replies = await sender.sendAll(Array<CostlyRequest[]>(calibrations).fill(requests).flat(), 2);
  sender.close();
  return Math.max(...replies.map(({ milliseconds }) => milliseconds));
}

/** Sends the requests to a worker repeatedly. The returned function stops that, and waits for the last responses. */
export function startCanary(
  url: string,
  worker: number,
  requests: CostlyRequest[],
): () => Promise<Sightings> {
  const sender = new Sender(url, 64);
  const sightings: Sightings = { slowest: 0, failures: [] };
  const waited = () => waitedForCpu(worker) + waitedForCpu(process.pid);
  let stopped = false;
  async function look(request: CostlyRequest): Promise<void> {
    const before = waited();
    const first = await sender.send(request);
    // Another attempt counts with the first: what matters is how long a caller waits for its answer.
    const reply = first.status === 200 ? first : await sender.send(request);
    const took = first.milliseconds + (reply === first ? 0 : reply.milliseconds);
    const milliseconds = took - (waited() - before);
    sightings.slowest = Math.max(sightings.slowest, milliseconds);
    if (reply.status !== 200) {
      sightings.failures.push(
        `${request.path}: ${[first, reply].map(each => `${each.status} ${each.code} after ${Math.round(each.milliseconds)} ms`).join(', then ')}`,
      );
    }
  }
  const looks: Promise<void>[] = [];
  const running = (async () => {
    while (!stopped) {
      looks.push(...requests.map(look));
      await sleep(every);
    }
  })();
  return async () => {
    stopped = true;
    await running;
    await Promise.all(looks);
    sender.close();
    return sightings;
  };
}
