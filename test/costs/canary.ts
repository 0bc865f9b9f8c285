/** Sends requests of other callers during an attack: `/health`, and a read of another caller's rows. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type CostlyRequest, Sender } from './sender.ts';

export interface Sightings {
  /** Milliseconds of the slowest response before the attack, and during it. */
  usual: number;
  slowest: number;
  /** Responses other than 200, by status and code. */
  failures: string[];
  answers: number;
}

/** Milliseconds between two rounds, whether or not the previous one has its responses. */
const every = 250;

/** Rounds before an attack, which tell what a response takes here and now. */
const roundsBefore = 5;

/** Sends the requests repeatedly. The returned function stops that, and waits for the last responses. */
export async function startCanary(url: string, requests: CostlyRequest[]): Promise<() => Promise<Sightings>> {
  const sender = new Sender(url, 64);
  const before = await sender.sendAll(Array(roundsBefore).fill(requests).flat(), requests.length);
  const usual = Math.max(...before.map(({ milliseconds }) => milliseconds));
  const sightings: Sightings = { usual, slowest: 0, failures: [], answers: 0 };
  let stopped = false;
  async function look(request: CostlyRequest): Promise<void> {
    const first = await sender.send(request);
    // A second attempt within the same time: what counts is how long a caller is kept waiting by others.
    const reply = first.status === 200 ? first : await sender.send(request);
    const milliseconds = first.milliseconds + (reply === first ? 0 : reply.milliseconds);
    sightings.answers += 1;
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
