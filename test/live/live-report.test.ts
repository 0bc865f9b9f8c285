/** How many objects hold sockets; test/live/hyperdrive shows that they share them out. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { mostObjects, objectCount } from '../../functions/live/live-objects.ts';
import { Report } from '../../functions/live/live-report.ts';

it.each([
  [undefined, 1],
  ['', 1],
  ['3', 3],
  ['0', 1],
  ['1.5', 1],
  ['many', 1],
  ['1000000', mostObjects],
])('LIVE_OBJECTS = %j is read as %i', (value, count) => {
  expect(objectCount({ ...(value !== undefined && { LIVE_OBJECTS: value }) })).toBe(count);
});

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('an object is late when it has not read the feed for ten seconds', () => {
  const report = new Report();
  vi.advanceTimersByTime(10_000);
  expect(report.status).toBe('reading');
  vi.advanceTimersByTime(1);
  expect(report.status).toBe('late');
});
