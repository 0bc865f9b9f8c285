import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { retrySchedules, secondsUntilRetry } from '../../functions/delivery/retry-schedule.ts';

const middle = 0.5;
const hours = (schedule: readonly number[]) => schedule.reduce((sum, seconds) => sum + seconds, 0) / 3600;

describe('a webhook', () => {
  it('is called ten times in three days, as Standard Webhooks recommends', () => {
    expect(retrySchedules.webhook).toHaveLength(9);
    expect(hours(retrySchedules.webhook)).toBeCloseTo(75.6, 1);
    expect(secondsUntilRetry(retrySchedules.webhook, { attempts: 1 }, middle)).toBe(5);
    expect(secondsUntilRetry(retrySchedules.webhook, { attempts: 9 }, middle)).toBe(24 * 3600);
    expect(secondsUntilRetry(retrySchedules.webhook, { attempts: 10 }, middle)).toBeUndefined();
  });
});

describe('an e-mail', () => {
  it('is sent nine times in two days', () => {
    const minutes = retrySchedules.mail.map(seconds => seconds / 60);
    expect(minutes).toEqual([1, 5, 15, 60, 180, 360, 720, 1440]);
    expect(secondsUntilRetry(retrySchedules.mail, { attempts: 9 }, middle)).toBeUndefined();
  });
});

describe('the time until the next attempt', () => {
  const schedule = fc.constantFrom(retrySchedules.webhook, retrySchedules.mail);
  const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

  it('is within a fifth of the schedule’s, in whole seconds', () => {
    fc.assert(
      fc.property(schedule, fc.integer({ min: 1, max: 8 }), random, (schedule, attempts, random) => {
        const seconds = secondsUntilRetry(schedule, { attempts }, random) ?? Number.NaN;
        expect(Number.isInteger(seconds)).toBe(true);
        expect(Math.abs(seconds / (schedule[attempts - 1] ?? 0) - 1)).toBeLessThanOrEqual(0.2);
      }),
    );
  });

  it('reaches both ends of that, so that what failed together comes back apart', () => {
    const next = (random: number) => secondsUntilRetry(retrySchedules.mail, { attempts: 4 }, random);
    expect([next(0), next(0.999_999)]).toEqual([2880, 4320]);
  });

  it('is what the receiver asks for when that is later, and never sooner than it', () => {
    fc.assert(
      fc.property(
        schedule,
        fc.integer({ min: 1, max: 8 }),
        fc.nat(86_400),
        (schedule, attempts, retryAfter) => {
          const alone = secondsUntilRetry(schedule, { attempts }, middle) ?? 0;
          expect(secondsUntilRetry(schedule, { attempts, retryAfter }, middle)).toBe(
            Math.max(alone, retryAfter),
          );
        },
      ),
    );
  });

  it('does not exist after the last attempt, whatever the receiver asks for', () => {
    expect(
      secondsUntilRetry(retrySchedules.webhook, { attempts: 10, retryAfter: 60 }, middle),
    ).toBeUndefined();
  });
});
