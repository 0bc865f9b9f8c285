/** Attempts side by side. */
import { limits } from '../common/limits.ts';

/** Claims at most so many. */
type Claim<T> = (most: number) => Promise<T[]>;

/**
 * Claims as many as there are free slots, and attempts each in one, until nothing is claimed any more and all have ended. An
 * attempt that takes long keeps its slot alone: the others go on, also with what becomes due meanwhile. `attempt` never
 * rejects.
 */
export async function fillSlots<T>(
  slots: number,
  claim: Claim<T>,
  attempt: (claimed: T) => Promise<void>,
): Promise<void> {
  const running = new Set<Promise<void>>();
  for (;;) {
    const free = slots - running.size;
    for (const claimed of free > 0 ? await claim(free) : []) {
      const attempting = attempt(claimed).finally(() => running.delete(attempting));
      running.add(attempting);
    }
    if (running.size === 0) {
      return;
    }
    await Promise.race([...running, scheduler.wait(limits.delivery.lookInterval)]);
  }
}
