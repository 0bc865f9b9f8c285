/**
 * What workers ask of the objects that hold the sockets: an upgrade of the one, a nudge and the status of all. They share
 * nothing: each holds the sockets of some networks, and polls the feed for itself.
 */
import { countAddress, originOf } from '../admission/rate-limit.ts';
import { identifyBearer, isForServers } from '../caller/caller.ts';
import { isFromBrowser } from '../caller/origin.ts';
import { type Env, type LiveStatus, nearDatabase } from '../common/env.ts';
import { limits } from '../common/limits.ts';
import { fail, ok, type Result } from '../common/result.ts';
import type { Failure } from '../failure/failure.ts';
import { refuseCredentials } from '../token/signature.ts';
import { liveLimits } from './limits.ts';

export const livePath = '/realtime/v1/websocket';

/** Headers that the worker sets for the object: whose key opens the socket, `anon` or `service`, and the object's number. */
export const keyKindHeader = 'x-live-key';
export const objectHeader = 'x-live-object';

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

/** Returns the response of a request that gets its socket; the failure of another. */
export async function upgrade(request: Request, env: Env): Promise<Result<Response>> {
  const number = numberFor(originOf(request.headers), objectCount(env));
  const live = liveObject(env, number);
  if (live === undefined) {
    return fail<Failure>({ is: 'misconfigured', reason: 'LIVE is not bound' });
  }
  if (request.url.length > limits.request.url) {
    return fail<Failure>({ is: 'url too long' });
  }
  const key = new URL(request.url).searchParams.get('apikey') ?? '';
  const holder =
    key === ''
      ? fail<Failure>({ is: 'credentials missing', what: 'apikey in its address' })
      : await identifyBearer(key, env);
  const kind = holder.ok && holder.value.kind === 'anon' ? 'publishable' : 'secret';
  const counted = await countAddress(request, kind, env);
  if (!counted.ok) {
    return counted;
  }
  if (!holder.ok) {
    return holder;
  }
  if (holder.value.kind !== 'anon' && !isForServers(holder.value)) {
    return refuseCredentials('The apikey is not a key of this service');
  }
  if (isForServers(holder.value) && isFromBrowser(request.headers)) {
    return fail<Failure>({ is: 'secret in browser', kind: holder.value.kind });
  }
  if (holder.value.kind === 'reader') {
    return fail<Failure>({ is: 'read key', refused: 'live' });
  }
  if (request.headers.get('upgrade')?.toLowerCase() !== 'websocket') {
    return fail<Failure>({ is: 'no upgrade' });
  }
  const headers = new Headers(request.headers);
  headers.set(keyKindHeader, holder.value.kind);
  headers.set(objectHeader, String(number));
  try {
    const response = await live.fetch(new Request(request, { headers }));
    return response.status === 101 ? ok(response) : fail<Failure>(await response.json());
  } catch {
    return fail<Failure>({ is: 'overloaded', reason: 'LIVE_UNREACHABLE' });
  }
}

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
