/**
 * The time that bodies have to arrive. One loop ends those that take too long: a timer and a race for each body took 10 to
 * 17 µs (measured on workerd 1.20260426), and nearly all arrive with their request.
 */
import { waitUntil } from 'cloudflare:workers';
import { limits, second } from '../../common/limits.ts';
import { monotonicNow } from '../../common/monotonic.ts';

interface Arrival {
  /** By monotonicNow(). */
  due: number;
  end: () => void;
}

/** Milliseconds between two looks. */
const interval = second;
const arrivalTime = limits.body.arrivalSeconds * second;

/** Those that are awaited, the oldest first. */
const arrivals = new Set<Arrival>();

/** The latest loop; older ones end. */
let loop = { startedAt: Number.NEGATIVE_INFINITY, lookedAt: Number.NEGATIVE_INFINITY };

/** Returns the result of `work`, or `late` when it takes longer than a body may, at most a second later. */
export async function arrive<T>(work: Promise<T>, late: T): Promise<T> {
  // The loop runs in another request, which can resolve only a promise of withResolvers: see database/isolate-channel.ts.
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const arrival = { due: monotonicNow() + arrivalTime, end: () => resolve(late) };
  arrivals.add(arrival);
  startLoop();
  work.then(resolve, reject);
  try {
    return await promise;
  } finally {
    arrivals.delete(arrival);
  }
}

/**
 * Starts the loop in this request, if none runs. Cloudflare ends what a request leaves behind 30 s after its response, so
 * after ten seconds another request takes over; the last bodies of the one before have ten more.
 */
function startLoop(): void {
  const now = monotonicNow();
  if (now - loop.lookedAt < 2 * interval && now - loop.startedAt < arrivalTime) {
    return;
  }
  loop = { startedAt: now, lookedAt: now };
  waitUntil(endLate(loop));
}

async function endLate(own: typeof loop): Promise<void> {
  while (arrivals.size > 0 && own === loop) {
    await scheduler.wait(interval);
    own.lookedAt = monotonicNow();
    for (const arrival of arrivals) {
      if (arrival.due > own.lookedAt) {
        break;
      }
      arrivals.delete(arrival);
      arrival.end();
    }
  }
  // The next body starts another.
  own.lookedAt = Number.NEGATIVE_INFINITY;
}
