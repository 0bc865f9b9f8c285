/**
 * The objects that hold the sockets, as workers see them: a nudge and the status of all. They share nothing: each holds the
 * sockets of some networks, and polls the feed for itself.
 */
import { type Env, type LiveStatus, nearDatabase } from '../common/env.ts';
import { liveLimits } from './limits.ts';

type ObjectsEnv = Pick<Env, 'LIVE' | 'LIVE_OBJECTS' | 'DATABASE_LOCATION'>;

/** Returns how many objects share the sockets. A deployment sets the same number for all of its workers. */
export function objectCount({ LIVE_OBJECTS = '' }: ObjectsEnv): number {
  const count = Number(LIVE_OBJECTS);
  return Number.isInteger(count) && count >= 1 ? Math.min(count, liveLimits.mostObjects) : liveLimits.objects;
}

export const liveObject = (env: ObjectsEnv, number: number) =>
  env.LIVE?.get(env.LIVE.idFromName(number === 0 ? 'live' : `live ${number}`), nearDatabase(env));

const liveObjects = (env: ObjectsEnv) =>
  Array.from({ length: objectCount(env) }, (_, number) => liveObject(env, number)).filter(
    object => object !== undefined,
  );

/** Returns the number of the object for the sockets of a network: FNV-1a, spread evenly over so many. */
export function numberFor(network: string, count: number): number {
  let hash = fnv.offset;
  for (let at = 0; at < network.length; at++) {
    hash = Math.imul(hash ^ network.charCodeAt(at), fnv.prime);
  }
  return (hash >>> 0) % count;
}

const fnv = { offset: 0x811c9dc5, prime: 0x01000193 };

/** When the nudge of this isolate that is under way began, whether another is to follow, and until when nobody listens. */
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
 * Tells the objects that something was written. Best effort, as they poll anyway: one nudge is under way and one follows.
 * Never rejects; returns undefined where there is nothing to wait for.
 */
export function nudge(env: Env): Promise<void> | undefined {
  const now = Date.now();
  if (now < nobodyListensUntil) {
    return undefined;
  }
  isWanted = true;
  return now - underWaySince < liveLimits.nudgeTimeout ? undefined : nudgeWhileWanted(env);
}

async function nudgeWhileWanted(env: Env): Promise<void> {
  const objects = liveObjects(env);
  while (objects.length > 0 && isWanted) {
    isWanted = false;
    underWaySince = Date.now();
    const outcomes = await Promise.allSettled(objects.map(object => object.nudge()));
    if (outcomes.every(outcome => outcome.status === 'fulfilled' && !outcome.value)) {
      nobodyListensUntil = Date.now() + liveLimits.idleFor;
    }
  }
  underWaySince = 0;
}

/** From the one that matters least. */
const statuses: LiveStatus[] = ['idle', 'reading', 'late'];

/** Asks whether all of them read the feed. Undefined where there are no live updates; one that does not answer is late. */
export async function liveStatus(env: Env): Promise<LiveStatus | undefined> {
  const asked = await Promise.allSettled(liveObjects(env).map(object => object.status()));
  const all = asked.map(one => (one.status === 'fulfilled' ? one.value : 'late'));
  return statuses.findLast(status => all.includes(status));
}
