/**
 * Changes → messages to those who see them. What a caller sees, Postgres decides, as that caller; one message reads for
 * several. A reading belongs to everybody: each caller has a share of its time. A caller over its share is retried alone and
 * last; if that takes too long as well, its clients must read again.
 */
import type { Failure } from '../common/failure/failure.ts';
import { ok, type Result } from '../common/failure/result.ts';
import { causeOf } from '../common/failure/sqlstates.ts';
import { monotonicNow } from '../common/monotonic.ts';
import type { SendMessage } from '../database/execute.ts';
import { concerns } from './accounts.ts';
import type { Channel } from './channel.ts';
import type { Channels } from './channels.ts';
import type { Change } from './feed.ts';
import type { Report } from './live-report.ts';
import {
  changeMessages,
  publishLimits,
  type ReadRow,
  readChanges,
  type Times,
  type Unread,
} from './read-changes.ts';
import type { Sockets } from './sockets.ts';

const { linesAtOnce, callerShare, readingTime, aloneTime, aloneTimeOfRound } = publishLimits;

interface PublishParts {
  ask: SendMessage;
  channels: Channels;
  sockets: Sockets;
  report: Report;
}

/**
 * Sends the channels that are live now these changes, in their order. Fails when the database can't be reached; some may
 * have been sent then.
 */
export async function publish(changes: Change[], parts: PublishParts): Promise<Result<void>> {
  const channels = parts.channels.all.filter(({ isLive }) => isLive);
  for (let at = 0; at < changes.length; at += linesAtOnce) {
    const callers = unreadOf(changes.slice(at, at + linesAtOnce), channels);
    const published = await publishSome(callers, parts);
    if (!published.ok) {
      return published;
    }
  }
  parts.report.published(changes.map(({ at }) => at));
  return ok(undefined);
}

async function publishSome(callers: Unread[], parts: PublishParts): Promise<Result<void>> {
  const deferred: Unread[] = [];
  for (const group of groupsOf(callers)) {
    const published = await publishGroup(group, deferred, parts);
    if (!published.ok) {
      return published;
    }
  }
  const until = monotonicNow() + aloneTimeOfRound;
  // Those with few channels first: they are rarely the costly ones, only late where the machine is busy.
  deferred.sort((one, other) => one.channels.length - other.channels.length);
  for (const unread of deferred) {
    const published = monotonicNow() > until ? ok(false) : await publishAlone(unread, parts);
    if (!published.ok) {
      return published;
    }
    if (!published.value) {
      parts.channels.miss(unread.channels, 'time');
    }
  }
  return ok(undefined);
}

/** Reads for these callers, in as many messages as it takes. Those over their share are deferred. */
async function publishGroup(group: Unread[], deferred: Unread[], parts: PublishParts): Promise<Result<void>> {
  for (let rest = group; rest.length > 0; ) {
    const read = await readAndSend(rest, { share: callerShare, total: readingTime }, parts);
    if (!read.ok) {
      return read;
    }
    const { costly, unreached } = read.value;
    deferred.push(...costly);
    if (unreached.length === rest.length) {
      // There was no time even for the first.
      deferred.push(...unreached.splice(0, 1));
    }
    rest = unreached;
  }
  return ok(undefined);
}

/** Reads for one caller as long as that may take. Resolves to whether it was read for to the end. */
async function publishAlone(unread: Unread, parts: PublishParts): Promise<Result<boolean>> {
  const until = monotonicNow() + aloneTime;
  let rest = unread;
  let wasStuck = false;
  for (let left = aloneTime; left > 0; left = until - monotonicNow()) {
    const total = Math.min(left, readingTime);
    const read = await readAndSend([rest], { share: total, total }, parts);
    if (!read.ok) {
      return read;
    }
    const { costly, unreached } = read.value;
    const [next] = [...costly, ...unreached];
    const isStuck = next?.changes.length === rest.changes.length;
    if (next === undefined || (isStuck && wasStuck)) {
      return ok(next === undefined);
    }
    // On a busy machine a connection's first reading takes long, and the second does not.
    wasStuck = isStuck;
    rest = next;
  }
  return ok(false);
}

/** What a message had no time for: changes of callers over their share, and callers that were not reached. */
type Left = Record<'costly' | 'unreached', Unread[]>;

/** Reads changes for callers of one audience, and sends them, in their order, to their channels. */
async function readAndSend(callers: Unread[], times: Times, parts: PublishParts): Promise<Result<Left>> {
  const read = await readChanges(callers, times, parts.ask);
  if (!read.ok && isCostly(read.failure)) {
    parts.report.failed(read.failure);
    // Postgres does not say whose part it was.
    return ok({ costly: callers, unreached: [] });
  }
  if (!read.ok) {
    return read;
  }
  const left: Left = { costly: [], unreached: [] };
  for (const [index, unread] of callers.entries()) {
    const outcome = read.value[index];
    if (outcome === undefined) {
      left.unreached.push(unread);
      continue;
    }
    for (const { change, row } of outcome.seen) {
      send(change, row, unread.channels, parts);
    }
    const channels = unread.channels.filter(({ isLive }) => isLive);
    if (channels.length > 0 && outcome.unread.length > 0) {
      left.costly.push({ ...unread, channels, changes: outcome.unread });
    }
  }
  return ok(left);
}

/** Whether Postgres refused or stopped a message for what it asks, and would again; a lock is no such reason. */
const isCostly = (failure: Failure): boolean =>
  failure.is === 'database' && causeOf(failure.sqlstate) !== 'busy';

function send(change: Change, row: ReadRow | undefined, channels: Channel[], parts: PublishParts): void {
  for (const channel of channels) {
    for (const message of changeMessages(change, channel.bindings, row)) {
      const bytes = channel.sendChange(message);
      if (bytes > 0 && !parts.sockets.countBytes(channel.asked.socket, bytes)) {
        parts.channels.miss([channel], 'bytes');
      }
    }
  }
}

/** Returns the callers whom the changes may concern, those with the least to read first. */
function unreadOf(changes: Change[], channels: Channel[]): Unread[] {
  const open = channels.filter(({ isLive }) => isLive);
  return [...Map.groupBy(open, channel => channel.caller)]
    .map(([caller, own]) => {
      const bound = new Set(own.flatMap(({ bindings }) => bindings.map(({ collection }) => collection.name)));
      const isWanted = (change: Change) => bound.has(change.collection) && concerns(change, caller);
      return { caller, channels: own, changes: changes.filter(isWanted) };
    })
    .filter(unread => unread.changes.length > 0)
    .sort((a, b) => a.changes.length - b.changes.length);
}

/**
 * Divides callers into groups of one audience that one message asks for. A condition that several have counts for each,
 * which makes a group smaller than it could be.
 */
function groupsOf(callers: Unread[]): Unread[][] {
  const groups: Unread[][] = [];
  for (const ofAudience of Map.groupBy(callers, ({ caller }) => caller.caller.audience).values()) {
    let conditions = Number.POSITIVE_INFINITY;
    for (const unread of ofAudience) {
      const bindings = unread.channels.flatMap(channel => channel.bindings);
      const own = bindings.reduce((sum, { filter }) => sum + filter.conditions.size, 0);
      conditions += own;
      if (conditions > publishLimits.conditions || groups.at(-1)?.length === publishLimits.callers) {
        groups.push([]);
        conditions = own;
      }
      groups.at(-1)?.push(unread);
    }
  }
  return groups;
}
