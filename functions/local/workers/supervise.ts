/** Starts a process again whenever it ends. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds before it is started again: twice as long each time, until one has run for a while. */
const firstDelay = 100;
const longestDelay = 30_000;
const steadyAfter = 10_000;

interface Running {
  /** How it ended. */
  ended: Promise<string>;
}

/** Goes on until the signal. `report` gets a line each time. */
export async function supervise(
  name: string,
  first: Running,
  start: () => Running,
  signal: AbortSignal,
  report: (line: string) => void = console.error,
): Promise<void> {
  let delay = firstDelay;
  for (let running = first; ; running = start()) {
    const since = Date.now();
    const how = await running.ended;
    if (signal.aborted) {
      return;
    }
    delay = Date.now() - since < steadyAfter ? delay : firstDelay;
    report(`${name} ended (${how}); it is started again in ${delay} ms.`);
    await sleep(delay, undefined, { signal }).catch(() => {});
    if (signal.aborted) {
      return;
    }
    delay = Math.min(2 * delay, longestDelay);
  }
}
