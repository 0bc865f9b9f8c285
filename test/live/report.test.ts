/** How many objects hold sockets; test/live/hyperdrive shows that they share them out. */
import { expect, it } from 'vitest';
import { mostObjects, objectCount } from '../../functions/live/report.ts';

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
