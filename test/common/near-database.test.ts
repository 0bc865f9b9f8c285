import { expect, it } from 'vitest';
import type { Env } from '../../functions/common/env.ts';
import { liveObject } from '../../functions/live/live-objects.ts';

/** What a worker asks Cloudflare for when it calls the object of live updates. */
function calledWith(variables: Pick<Env, 'DATABASE_LOCATION'>): unknown[] {
  const calls: unknown[] = [];
  const LIVE = { idFromName: (name: string) => name, get: (...args: unknown[]) => calls.push(args) };
  liveObject({ LIVE: LIVE as never, ...variables }, 0);
  return calls;
}

it('the object of live updates is called for near the database, and near the caller where nothing is known', () => {
  expect(calledWith({ DATABASE_LOCATION: 'weur' })).toEqual([['live', { locationHint: 'weur' }]]);
  expect(calledWith({})).toEqual([['live', {}]]);
});
