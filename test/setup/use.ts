import { afterAll, beforeAll } from 'vitest';

/** Starts what a test file or a `describe` uses before its tests, and stops it after them. Until then it has no properties. */
export function use<Used extends Record<Stop, () => unknown>, Stop extends string = never>(
  start: () => Promise<Used>,
  stop?: Stop,
): Used {
  const used = {} as Used;
  beforeAll(async () => {
    // With its getters.
    Object.defineProperties(used, Object.getOwnPropertyDescriptors(await start()));
  });
  afterAll(async () => {
    // Nothing was started when that failed.
    await (stop && used[stop]?.());
  });
  return used;
}
