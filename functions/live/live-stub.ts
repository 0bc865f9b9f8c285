/**
 * The objects that hold the sockets: how many there are, that something was written, and their status. They share nothing: each
 * holds the sockets of some networks, and polls the feed for itself.
 */
import { type Env, type LiveStatus, nearDatabase } from '../common/env.ts';
import { hashOf } from '../common/hash.ts';
import { second } from '../common/limits.ts';
import { monotonicNow } from '../common/monotonic.ts';

/** The most objects that LIVE_OBJECTS may set. Without it there is one. */
export const mostObjects = 100;

/** Milliseconds for which an isolate remembers that there are no listeners. */
const idleFor = second;

/** Milliseconds after which a nudge counts as lost. */
const nudgeTimeout = 2 * second;

type ObjectsEnv = Pick<Env, 'LIVE' | 'LIVE_OBJECTS' | 'DATABASE_LOCATION'>;

/** Returns how many objects share the sockets. A deployment sets the same number for all of its workers. */
export function objectCount({ LIVE_OBJECTS = '' }: ObjectsEnv): number {
  const count = Number(LIVE_OBJECTS);
  return Number.isInteger(count) && count >= 1 ? Math.min(count, mostObjects) : 1;
}

export const liveObject = (env: ObjectsEnv, number: number) =>
  env.LIVE?.get(env.LIVE.idFromName(number === 0 ? 'live' : `live ${number}`), nearDatabase(env));

const liveObjects = (env: ObjectsEnv) =>
  Array.from({ length: objectCount(env) }, (_, number) => liveObject(env, number)).filter(
    object => object !== undefined,
  );

/** Returns the number of the object for the sockets of a network, one of so many. */
export const numberFor = (network: string, count: number): number => hashOf(network) % count;

/** When the nudge of this isolate that is under way began, whether another is to follow, and until when there are no listeners. */
let underWaySince = 0;
let isWanted = false;
let nobodyListensUntil = 0;

/**
 * Reports to the objects that something was written. Best effort, as they poll anyway: one nudge is under way and one
 * follows. Never rejects; returns undefined where there is nothing to wait for.
 */
export function nudge(env: Env): Promise<void> | undefined {
  const now = monotonicNow();
  if (now < nobodyListensUntil) {
    return undefined;
  }
  isWanted = true;
  return now - underWaySince < nudgeTimeout ? undefined : nudgeWhileWanted(env);
}

async function nudgeWhileWanted(env: Env): Promise<void> {
  const objects = liveObjects(env);
  while (objects.length > 0 && isWanted) {
    isWanted = false;
    underWaySince = monotonicNow();
    const outcomes = await Promise.allSettled(objects.map(object => object.nudge()));
    if (outcomes.every(outcome => outcome.status === 'fulfilled' && !outcome.value)) {
      nobodyListensUntil = monotonicNow() + idleFor;
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
