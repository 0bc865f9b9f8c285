/** When what could not be delivered is tried again. */

const minute = 60;
const hour = 60 * minute;

/** Seconds to wait after each failed attempt; after one more there is no other. */
export const retrySchedules = {
  /** Standard Webhooks' ten attempts, over three days. */
  webhook: [5, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour],
  /** Greylisting ends within minutes, a full mailbox or a broken server within days. */
  mail: [1 * minute, 5 * minute, 15 * minute, 1 * hour, 3 * hour, 6 * hour, 12 * hour, 24 * hour],
} as const;

/** What was due at once is spread by as much to either side, so that it doesn't come back at once. */
const jitter = 0.2;

export interface Failed {
  /** Attempts so far, the failed one among them. */
  attempts: number;
  /** Seconds that the receiver wants to be left alone. */
  retryAfter?: number | undefined;
}

/**
 * Returns the seconds after which it is tried again, or undefined when that was the last attempt. `random` is from 0 up to
 * but not including 1.
 */
export function secondsUntilRetry(
  schedule: readonly number[],
  { attempts, retryAfter = 0 }: Failed,
  random: number,
): number | undefined {
  const seconds = schedule[attempts - 1];
  return seconds && Math.max(Math.round(seconds * (1 + jitter * (2 * random - 1))), retryAfter);
}
