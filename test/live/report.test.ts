/** Which object holds the sockets of a network. */
import { expect, it } from 'vitest';
import { liveLimits } from '../../functions/live/limits.ts';
import { numberFor, objectCount } from '../../functions/live/report.ts';

it('networks are spread evenly, and each has always the same object', () => {
  const networks = Array.from({ length: 3000 }, (_, n) => `10.${n >> 8}.${n & 255}.1`);
  const counts = [0, 0, 0];
  for (const network of networks) {
    counts[numberFor(network, 3)] = (counts[numberFor(network, 3)] ?? 0) + 1;
  }
  expect(Math.min(...counts)).toBeGreaterThan(800);
  expect(numberFor('2001:db8:0:1', 1)).toBe(0);
});

it.each([
  [undefined, 1],
  ['', 1],
  ['3', 3],
  ['0', 1],
  ['1.5', 1],
  ['many', 1],
  ['1000000', liveLimits.mostObjects],
])('LIVE_OBJECTS = %j is read as %i', (value, count) => {
  expect(objectCount({ ...(value !== undefined && { LIVE_OBJECTS: value }) })).toBe(count);
});
