/**
 * Changes → messages to those who see them. A reading belongs to everybody: each caller has a share of its time. A caller
 * over its share is retried alone and last; if that takes too long as well, its clients must read again.
 */
import { everyone } from '../../schema/everyone.ts';
import { ok, type Result } from '../common/result.ts';
import type { Failure } from '../failure/failure.ts';
import type { Channel, LiveCaller } from './channel.ts';
import { type DeliverParts, deliver } from './deliver.ts';
import type { Ask, Change } from './feed.ts';
import { liveLimits } from './limits.ts';
import { type Delivery, readChanges, type Times } from './reading.ts';

const { linesAtOnce, callerShare, readingTime, aloneTime, aloneTimeOfRound } = liveLimits;

export interface PublishParts extends DeliverParts {
  ask: Ask;
  /** Reports a failure of Postgres that is about what a message asks. */
  failed: (failure: Failure) => void;
  live: () => Channel[];
}

/**
 * Sends the channels that are live now these changes, in their order. Fails when the database can't be reached; some may
 * have been sent then.
 */
export async function publish(changes: Change[], parts: PublishParts): Promise<Result<void>> {
  const channels = changes.length > 0 ? parts.live() : [];
  for (let at = 0; at < changes.length && channels.length > 0; at += linesAtOnce) {
    const published = await publishSome(changes.slice(at, at + linesAtOnce), channels, parts);
    if (!published.ok) {
      return published;
    }
  }
  return ok(undefined);
}

async function publishSome(
  changes: Change[],
  channels: Channel[],
  parts: PublishParts,
): Promise<Result<void>> {
  const deferred: Delivery[] = [];
  for (const group of groupsOf(deliveriesOf(changes, channels))) {
    const published = await publishGroup(group, deferred, parts);
    if (!published.ok) {
      return published;
    }
  }
  const until = Date.now() + aloneTimeOfRound;
  for (const delivery of deferred) {
    const published = Date.now() > until ? ok(false) : await publishAlone(delivery, parts);
    if (!published.ok) {
      return published;
    }
    if (!published.value) {
      for (const channel of delivery.channels) {
        parts.missed(channel, 'time');
      }
    }
  }
  return ok(undefined);
}

/** Reads for these callers, in as many messages as it takes. Those over their share are deferred. */
async function publishGroup(
  group: Delivery[],
  deferred: Delivery[],
  parts: PublishParts,
): Promise<Result<void>> {
  for (let rest = group; rest.length > 0; ) {
    const read = await readAndDeliver(rest, { share: callerShare, total: readingTime }, parts);
    if (!read.ok && isCostly(read.failure)) {
      parts.failed(read.failure);
      // Postgres does not say whose part it was.
      deferred.push(...rest);
      return ok(undefined);
    }
    if (!read.ok) {
      return read;
    }
    const { done, unread } = read.value;
    deferred.push(...unread);
    const left = rest.filter(delivery => !done.has(delivery));
    if (left.length === rest.length) {
      // There was no time even for the first.
      deferred.push(...left.splice(0, 1));
    }
    rest = left;
  }
  return ok(undefined);
}

/** Reads for one caller as long as that may take. Resolves to whether it was read for to the end. */
async function publishAlone(delivery: Delivery, parts: PublishParts): Promise<Result<boolean>> {
  const until = Date.now() + aloneTime;
  let rest: Delivery | undefined = delivery;
  for (let left = aloneTime; rest && left > 0; left = until - Date.now()) {
    const total = Math.min(left, readingTime);
    const read = await readAndDeliver([rest], { share: total, total }, parts);
    if (!read.ok && isCostly(read.failure)) {
      parts.failed(read.failure);
      return ok(false);
    }
    if (!read.ok) {
      return read;
    }
    const unread: Delivery | undefined = read.value.unread[0];
    const isStuck = !read.value.done.has(rest) || unread?.changes.length === rest.changes.length;
    if (isStuck) {
      return ok(false);
    }
    rest = unread;
  }
  return ok(rest === undefined);
}

/** Resolves to the callers that were read for, and to the parts of theirs that are unread. */
async function readAndDeliver(
  deliveries: Delivery[],
  times: Times,
  parts: PublishParts,
): Promise<Result<{ done: Set<Delivery>; unread: Delivery[] }>> {
  const read = await readChanges(deliveries, times, parts.ask);
  if (!read.ok) {
    return read;
  }
  const rest: Delivery[] = [];
  for (const [{ caller, channels }, { seen, unread }] of read.value.seen) {
    deliver(seen, read.value.rows, channels, parts);
    const open = channels.filter(({ isLive }) => isLive);
    if (unread.length > 0 && open.length > 0) {
      rest.push({ caller, channels: open, changes: unread });
    }
  }
  return ok({ done: new Set(read.value.seen.keys()), unread: rest });
}

/** Whether Postgres refused or stopped a message for what it asks, and would again; a lock is no such reason. */
const isCostly = (failure: Failure): boolean => failure.is === 'database' && failure.sqlstate !== '55P03';

/** Returns the callers whom the changes may concern, those with the least to read first. */
function deliveriesOf(changes: Change[], channels: Channel[]): Delivery[] {
  const deliveries: Delivery[] = [];
  const open = channels.filter(({ isLive }) => isLive);
  for (const [caller, own] of Map.groupBy(open, channel => channel.caller)) {
    const bound = new Set(own.flatMap(({ bindings }) => bindings.map(({ collection }) => collection.name)));
    const concerning = changes.filter(change => bound.has(change.collection) && mayConcern(change, caller));
    if (concerning.length > 0) {
      deliveries.push({ caller, channels: own, changes: concerning });
    }
  }
  return deliveries.sort((a, b) => a.changes.length - b.changes.length);
}

const mayConcern = ({ account }: Change, { caller, accounts }: LiveCaller): boolean =>
  caller.audience === 'staff' || account === everyone || accounts.has(account);

/** Divides them into callers of one audience that one message asks for. */
function groupsOf(deliveries: Delivery[]): Delivery[][] {
  const { callers, conditions } = liveLimits;
  const groups: Delivery[][] = [];
  for (const ofAudience of Map.groupBy(deliveries, ({ caller }) => caller.caller.audience).values()) {
    let group: Delivery[] = [];
    let count = 0;
    for (const delivery of ofAudience) {
      const own = countConditions(delivery);
      if (group.length === 0 || group.length >= callers || count + own > conditions) {
        group = [];
        groups.push(group);
        count = 0;
      }
      group.push(delivery);
      count += own;
    }
  }
  return groups;
}

/** Counts conditions. One that several callers have counts for each, which makes a group smaller than it could be. */
const countConditions = ({ channels }: Delivery): number =>
  channels.flatMap(({ bindings }) => bindings).reduce((sum, { filter }) => sum + filter.conditions.size, 0);
