/** Tells the object of live updates that something was written. It may get lost: the object looks each second anyway. */
import type { Env } from '../common/env.ts';
import { limits } from '../common/limits.ts';
import type { LiveStatus } from '../common/live-object.ts';
import { nearDatabase } from '../common/near-database.ts';

/** Returns the one object that holds all sockets. */
export const liveObject = (env: Pick<Env, 'LIVE' | 'DATABASE_LOCATION'>) =>
  env.LIVE?.get(env.LIVE.idFromName('live'), nearDatabase(env));

/** What this isolate knows: when the nudge under way began, whether another is to follow, and until when nobody listens. */
let underWaySince = 0;
let isWanted = false;
let nobodyListensUntil = 0;

/** Nudges when the response to a write is sent. */
export function nudgeAfter(context: Pick<ExecutionContext, 'waitUntil'>, env: Env): void {
  const nudging = nudge(env);
  if (nudging) {
    context.waitUntil(nudging);
  }
}

/**
 * Sends a nudge: one is under way and one follows, however many writes there are. Never rejects; returns undefined where
 * there is nothing to wait for.
 */
export function nudge(env: Env): Promise<void> | undefined {
  const now = Date.now();
  if (now < nobodyListensUntil) {
    return undefined;
  }
  isWanted = true;
  return now - underWaySince < limits.live.nudgeTimeout ? undefined : nudgeWhileWanted(env);
}

async function nudgeWhileWanted(env: Env): Promise<void> {
  const live = liveObject(env);
  try {
    while (live !== undefined && isWanted) {
      isWanted = false;
      underWaySince = Date.now();
      if (!(await live.nudge())) {
        nobodyListensUntil = Date.now() + limits.live.idleFor;
      }
    }
  } catch {
    // The object's alarm does it.
  }
  underWaySince = 0;
}

/** Asks whether the feed is read. Undefined where there are no live updates, or the object does not answer. */
export async function liveStatus(env: Env): Promise<LiveStatus | undefined> {
  try {
    return await liveObject(env)?.status();
  } catch {
    return 'late';
  }
}
