/**
 * What is reported to the objects that hold the sockets, and by them: that something was written, their status, and a line a
 * minute. The objects share nothing: each holds the sockets of some networks, and polls the feed for itself.
 */
import { type Env, type LiveStatus, nearDatabase } from '../common/env.ts';
import { minute, second } from '../common/limits.ts';
import { monotonicNow } from '../common/monotonic.ts';
import type { Failure } from '../failure/failure.ts';
import { loggedOf } from '../failure/render.ts';
import type { Result } from '../failure/result.ts';
import { crashLine } from '../log/crash-line.ts';

/** The most objects that LIVE_OBJECTS may set. Without it there is one. */
export const mostObjects = 100;

/** Milliseconds between two lines of the log. */
const reportInterval = minute;

/** Milliseconds after which a feed that was not read is late. */
const lateAfter = 10 * second;

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

/** Returns the number of the object for the sockets of a network: FNV-1a, spread evenly over so many. */
export function numberFor(network: string, count: number): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < network.length; at++) {
    hash = Math.imul(hash ^ network.charCodeAt(at), 0x01000193);
  }
  return (hash >>> 0) % count;
}

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

/** Why a client must read again: the feed has a gap, it was sent or took too much, or it sees more accounts than before. */
export type MissedWhy = 'gap' | 'bytes' | 'time' | 'accounts';

/** What happened since the last line. */
const newMinute = () => ({
  since: monotonicNow(),
  sent: 0,
  lag: 0,
  missed: {} as Record<string, number>,
  closed: {} as Record<string, number>,
  failed: {},
});

/** What one object reports. */
export class Report {
  /** The object's number, from 0. */
  number = 0;
  #readAt = monotonicNow();
  #minute = newMinute();

  /** Records that the feed was read, or could not be. */
  read(result: Result<void>): void {
    if (result.ok) {
      this.#readAt = monotonicNow();
    } else {
      this.failed(result.failure);
    }
  }

  failed(failure: Failure): void {
    this.#minute.failed = loggedOf(failure);
  }

  /** Records changes that were sent: the times at which their transactions began. */
  published(times: string[]): void {
    this.#minute.sent += times.length;
    this.#minute.lag = Math.max(this.#minute.lag, ...times.map(at => Date.now() - Date.parse(at)));
  }

  /** Counts a channel whose client must read again, or a socket that is closed. */
  count(what: 'missed' | 'closed', why: string): void {
    const counts = this.#minute[what];
    counts[why] = (counts[why] ?? 0) + 1;
  }

  crashed = (error: unknown): void => console.error(crashLine(error as Error));

  /** Starts the first minute, when the first socket opens. */
  begin(): void {
    this.#minute = newMinute();
    this.#readAt = monotonicNow();
  }

  get status(): LiveStatus {
    return monotonicNow() - this.#readAt > lateAfter ? 'late' : 'reading';
  }

  /** Returns the line when it is due, with how many there are at the moment. `lag_ms` is the longest delay of a change. */
  line(counts: object): object | undefined {
    const { since, sent, lag, missed, closed, failed } = this.#minute;
    if (monotonicNow() - since < reportInterval) {
      return undefined;
    }
    this.#minute = newMinute();
    const sums = { ...countsOf('missed', missed), ...countsOf('closed', closed) };
    return { event: 'live', object: this.number, ...counts, sent, lag_ms: lag, ...sums, ...failed };
  }
}

/** Returns the fields of counts: their sum, and each as `gap 3, bytes 1`. */
const countsOf = (name: string, counts: Record<string, number>): object => ({
  [name]: Object.values(counts).reduce((sum, count) => sum + count, 0),
  [`${name}_because`]: Object.entries(counts)
    .map(([why, count]) => `${why} ${count}`)
    .join(', '),
});
