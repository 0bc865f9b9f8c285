/** A machine's clock that is set back by an hour: what was measured before it goes on, and nothing waits for that hour. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { monotonicNow } from '../../functions/common/monotonic.ts';

const hour = 3_600_000;
const start = 1_800_000_000_000;
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: start }));
afterEach(() => void vi.useRealTimers());

const setBack = () => void vi.setSystemTime(Date.now() - hour);
const pass = (milliseconds: number) => void vi.setSystemTime(Date.now() + milliseconds);

it('a measured time never decreases, and passes as fast as before', () => {
  const before = monotonicNow();
  setBack();
  expect(monotonicNow()).toBe(before);
  pass(1500);
  expect(monotonicNow()).toBe(before + 1500);
});
