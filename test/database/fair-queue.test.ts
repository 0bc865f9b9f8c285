import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Acquisition, FairQueue } from '../../functions/database/fair-queue.ts';

const bounds = { slots: 4, share: 2, waiters: 6, waitersPerCaller: 4 };

/** Records who acquired a slot, in that order, and every outcome. */
function watch(queue = new FairQueue(bounds)) {
  const served: string[] = [];
  const outcomes: [callerKey: string, outcome: Acquisition][] = [];
  const note = (callerKey: string, outcome: Acquisition): void => {
    outcomes.push([callerKey, outcome]);
    if (outcome === 'acquired') {
      served.push(callerKey);
    }
  };
  const acquire = (callerKey: string, until = 1000): void => {
    const outcome = queue.acquire(callerKey);
    if (outcome === 'wait') {
      queue.wait(callerKey, { until, resolve: outcome => note(callerKey, outcome) });
    } else {
      note(callerKey, outcome);
    }
  };
  return { queue, served, outcomes, acquire };
}

describe('a fair queue', () => {
  it('keeps its bounds, settles every waiter and leaves no slot free that somebody waits for, whatever happens', () => {
    const callerKey = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
    const steps = fc.array(
      fc.record({ does: fc.constantFrom('acquire', 'acquire', 'release', 'time out'), callerKey }),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(steps, all => {
        const { queue, outcomes, acquire } = watch();
        const acquired = new Map<string, number>();
        let requested = 0;
        let seen = 0;
        const count = () => {
          for (const [who, outcome] of outcomes.slice(seen)) {
            acquired.set(who, (acquired.get(who) ?? 0) + (outcome === 'acquired' ? 1 : 0));
          }
          seen = outcomes.length;
          const held = [...acquired.values()];
          expect(Math.max(0, ...held)).toBeLessThanOrEqual(bounds.share);
          expect(held.reduce((sum, of) => sum + of, 0)).toBeLessThanOrEqual(bounds.slots);
          expect(requested - outcomes.length).toBeLessThanOrEqual(bounds.waiters);
        };
        for (const [now, { does, callerKey: who }] of all.entries()) {
          if (does === 'acquire') {
            requested += 1;
            acquire(who, now + 10);
          } else if (does === 'time out') {
            queue.timeOut(now);
          } else if ((acquired.get(who) ?? 0) > 0) {
            acquired.set(who, (acquired.get(who) ?? 0) - 1);
            queue.release(who);
          }
          count();
        }
        // The remaining waiters acquire the slots as they are released.
        for (let left = requested + 1; left > 0; left--) {
          const holder = [...acquired].find(([, slots]) => slots > 0)?.[0];
          if (holder !== undefined) {
            acquired.set(holder, (acquired.get(holder) ?? 0) - 1);
            queue.release(holder);
          }
          count();
        }
        expect(outcomes).toHaveLength(requested);
        expect([...acquired.values()].every(slots => slots === 0)).toBe(true);
        // The queue is as it was at first.
        expect(['g', 'g', 'h', 'h'].map(who => queue.acquire(who))).toEqual(Array(4).fill('acquired'));
      }),
      { numRuns: 100 },
    );
  });
});
