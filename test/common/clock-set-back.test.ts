/** A machine's clock that is set back by an hour: what was measured before it goes on, and nothing waits for that hour. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Env } from '../../functions/common/env.ts';
import { LruCache } from '../../functions/common/lru-cache.ts';
import { monotonicNow } from '../../functions/common/monotonic.ts';
import { Leases } from '../../functions/database/leases.ts';
import { nudgeDelivery } from '../../functions/delivery/delivery-object.ts';
import { nudge } from '../../functions/live/live-objects.ts';
import { Report } from '../../functions/live/live-report.ts';

const hour = 3_600_000;
const start = 1_800_000_000_000;
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: start }));
afterEach(() => void vi.useRealTimers());

const setBack = () => void vi.setSystemTime(Date.now() - hour);
const pass = (milliseconds: number) => void vi.setSystemTime(Date.now() + milliseconds);

/** A namespace of one object, whose calls are counted. */
function namespace(answer: unknown) {
  const object = {
    nudges: 0,
    async nudge() {
      object.nudges += 1;
      return answer;
    },
  };
  return { object, binding: { idFromName: (name: string) => name, get: () => object } };
}

it('a measured time never decreases, and passes as fast as before', () => {
  const before = monotonicNow();
  setBack();
  expect(monotonicNow()).toBe(before);
  pass(1500);
  expect(monotonicNow()).toBe(before + 1500);
});

it('writes still nudge deliveries when the clock is set back', async () => {
  const { object, binding } = namespace(undefined);
  const env = { DELIVERY: binding } as unknown as Env;
  pass(hour);
  await nudgeDelivery(env);
  setBack();
  pass(60_000);
  await nudgeDelivery(env);
  expect(object.nudges).toBe(2);
});

it('writes still nudge live updates when the clock is set back, also after a moment without listeners', async () => {
  const { object, binding } = namespace(false);
  const env = { LIVE: binding } as unknown as Env;
  pass(hour);
  await nudge(env);
  setBack();
  await nudge(env);
  pass(60_000);
  await nudge(env);
  expect(object.nudges).toBe(2);
});

it('a feed that is not read counts as late, even when the clock is set back', () => {
  const report = new Report();
  report.begin();
  setBack();
  expect(report.status).toBe('reading');
  pass(60_000);
  expect(report.status).toBe('late');
});

it('a cached value expires, even when the clock is set back', () => {
  const cache = new LruCache<string>(10);
  cache.set('a', 'value', 1, 1000);
  setBack();
  expect(cache.get('a')).toBe('value');
  pass(1000);
  expect(cache.get('a')).toBeUndefined();
});

it('a lease that nobody releases expires, even when the clock is set back', () => {
  const leases = new Leases({ ofAll: 1, ofCaller: 1 }, 1000);
  leases.take('a', 1, monotonicNow());
  setBack();
  expect(leases.take('b', 1, monotonicNow())).toBe('full');
  pass(1000);
  expect(leases.take('b', 1, monotonicNow())).toMatchObject({ owner: 'b' });
});
