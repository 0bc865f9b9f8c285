/** How attempts ended → what the database is told, and the lines of the log. */
import { writeLog } from '../log/write-log.ts';
import type { Settlement } from '../statement/delivery.ts';
import type { Outcome } from './outcome.ts';
import { retrySchedules, secondsUntilRetry } from './retry-schedule.ts';

export interface Attempt {
  kind: 'mail' | 'webhook';
  id: string;
  claim: number;
  attempt: number;
  /** The host that it goes to: of a mail, the domain of its address. */
  host: string;
  /** Milliseconds since 1970. */
  began: number;
}

/**
 * Returns the settlement: what failed for the last time is dead. `pause`: seconds that everything waits when nothing can be
 * sent.
 */
export function settlementOf(
  { kind, id, claim, attempt }: Attempt,
  outcome: Outcome,
  pause: number,
): Settlement {
  const settled = { id, claim };
  switch (outcome.is) {
    case 'sent':
      return { ...settled, is: 'sent' };
    case 'dead':
      return { ...settled, is: 'dead', reason: outcome.reason, refuses: outcome.refuses ?? false };
    case 'unavailable':
      return { ...settled, is: 'unavailable', reason: outcome.reason, seconds: pause };
    case 'failed': {
      const { reason, retryAfter } = outcome;
      const seconds = secondsUntilRetry(
        retrySchedules[kind],
        { attempts: attempt, retryAfter },
        Math.random(),
      );
      return seconds === undefined
        ? { ...settled, is: 'dead', reason }
        : { ...settled, is: 'failed', reason, seconds };
    }
  }
}

export const logAttempt = (
  { kind, id, attempt, host, began }: Attempt,
  { is, reason, seconds }: Settlement,
): void =>
  writeLog({
    event: 'delivery',
    delivery: kind,
    id,
    attempt,
    outcome: is,
    host,
    ...(reason !== undefined && { reason }),
    ...(seconds !== undefined && { retry_s: Math.round(seconds) }),
    total_ms: Date.now() - began,
  });
