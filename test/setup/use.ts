import { afterAll, beforeAll } from 'vitest';

/**
 * What a test file, or a `describe`, uses: it is started before its tests and stopped after them by the method of that
 * name, the last one first. Until it is started it has no properties.
 */
export function use<Stop extends string, Used extends Record<Stop, () => unknown>>(
  start: () => Promise<Used>,
  stop: Stop,
): Used {
  const used = {} as Used;
  beforeAll(async () => {
    // With its getters.
    Object.defineProperties(used, Object.getOwnPropertyDescriptors(await start()));
  });
  afterAll(async () => {
    // Nothing was started when that failed.
    await used[stop]?.();
  });
  return used;
}
