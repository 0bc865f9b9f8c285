/**
 * Changes → messages to those who see them. A reading belongs to everybody: each caller has a share of its time. A caller
 * over its share is retried alone and last; if that takes too long as well, its clients must read again.
 */
import { everyone } from '../../schema/everyone.ts';
import { ok, type Result } from '../common/result.ts';
import type { Failure } from '../failure/failure.ts';
import type { Admission } from './admission.ts';
import type { Channel, LiveCaller } from './channel.ts';
import type { Ask, Change } from './feed.ts';
import { liveLimits } from './limits.ts';
import { changeMessages, type Delivery, type Read, readChanges, type Times } from './reading.ts';
import type { MissedWhy, Report } from './report.ts';

const { linesAtOnce, callerShare, readingTime, aloneTime, aloneTimeOfRound } = liveLimits;

export interface Parts {
  ask: Ask;
  live: () => Channel[];
  report: Report;
  admission: Admission;
  /** The channels can't be sent every change. */
  missed: (channels: Channel[], why: MissedWhy) => void;
}

/**
 * Sends the channels that are live now these changes, in their order. Fails when the database can't be reached; some may
 * have been sent then.
 */
export async function publish(changes: Change[], parts: Parts): Promise<Result<void>> {
  const channels = changes.length > 0 ? parts.live() : [];
  for (let at = 0; at < changes.length && channels.length > 0; at += linesAtOnce) {
    const published = await publishSome(changes.slice(at, at + linesAtOnce), channels, parts);
    if (!published.ok) {
      return published;
    }
  }
  parts.report.published(changes);
  return ok(undefined);
}

async function publishSome(changes: Change[], channels: Channel[], parts: Parts): Promise<Result<void>> {
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
      parts.missed(delivery.channels, 'time');
    }
  }
  return ok(undefined);
}

/** Reads for these callers, in as many messages as it takes. Those over their share are deferred. */
async function publishGroup(group: Delivery[], deferred: Delivery[], parts: Parts): Promise<Result<void>> {
  for (let rest = group; rest.length > 0; ) {
    const read = await readAndSend(rest, { share: callerShare, total: readingTime }, parts);
    if (!read.ok) {
      return read;
    }
    if (read.value === 'too costly') {
      // Postgres does not say whose part it was.
      deferred.push(...rest);
      return ok(undefined);
    }
    const { seen } = read.value;
    deferred.push(...unreadOf(read.value));
    const left = rest.filter(delivery => !seen.has(delivery));
    if (left.length === rest.length) {
      // There was no time even for the first.
      deferred.push(...left.splice(0, 1));
    }
    rest = left;
  }
  return ok(undefined);
}

/** Reads for one caller as long as that may take. Resolves to whether it was read for to the end. */
async function publishAlone(delivery: Delivery, parts: Parts): Promise<Result<boolean>> {
  const until = Date.now() + aloneTime;
  let rest: Delivery | undefined = delivery;
  for (let left = aloneTime; rest && left > 0; left = until - Date.now()) {
    const total = Math.min(left, readingTime);
    const read = await readAndSend([rest], { share: total, total }, parts);
    if (!read.ok) {
      return read;
    }
    const known: Read | undefined =
      read.value !== 'too costly' && read.value.seen.has(rest) ? read.value : undefined;
    const unread: Delivery | undefined = known && unreadOf(known)[0];
    if (!known || unread?.changes.length === rest.changes.length) {
      return ok(false);
    }
    rest = unread;
  }
  return ok(rest === undefined);
}

type Outcome = Result<Read | 'too costly'>;

/** Reads changes and sends them, in their order, to the channels of their callers. */
async function readAndSend(deliveries: Delivery[], times: Times, parts: Parts): Promise<Outcome> {
  const read = await readChanges(deliveries, times, parts.ask);
  if (!read.ok && isCostly(read.failure)) {
    parts.report.failed(read.failure);
    return ok('too costly');
  }
  if (!read.ok) {
    return read;
  }
  for (const [{ channels }, { seen }] of read.value.seen) {
    for (const change of seen) {
      for (const channel of channels) {
        for (const message of changeMessages(change, channel.bindings, read.value.rows.get(change))) {
          const bytes = channel.sendChange(message);
          if (bytes > 0 && parts.admission.sent(channel.joined.socket, bytes)) {
            parts.missed([channel], 'bytes');
          }
        }
      }
    }
  }
  return read;
}

/** Returns what was not read for callers that were asked for. */
const unreadOf = ({ seen }: Read): Delivery[] =>
  [...seen].flatMap(([{ caller, channels }, { unread: changes }]) => {
    const open = channels.filter(({ isLive }) => isLive);
    return open.length > 0 && changes.length > 0 ? [{ caller, channels: open, changes }] : [];
  });

/** Whether Postgres refused or stopped a message for what it asks, and would again; a lock is no such reason. */
const isCostly = (failure: Failure): boolean => failure.is === 'database' && failure.sqlstate !== '55P03';

/** Returns the callers whom the changes may concern, those with the least to read first. */
function deliveriesOf(changes: Change[], channels: Channel[]): Delivery[] {
  const open = channels.filter(({ isLive }) => isLive);
  return [...Map.groupBy(open, channel => channel.caller)]
    .map(([caller, own]) => {
      const bound = new Set(own.flatMap(({ bindings }) => bindings.map(({ collection }) => collection.name)));
      const concerning = changes.filter(change => bound.has(change.collection) && mayConcern(change, caller));
      return { caller, channels: own, changes: concerning };
    })
    .filter(delivery => delivery.changes.length > 0)
    .sort((a, b) => a.changes.length - b.changes.length);
}

const mayConcern = ({ account }: Change, { caller, accounts }: LiveCaller): boolean =>
  caller.audience === 'staff' || account === everyone || accounts.has(account);

/** Divides them into callers of one audience that one message asks for. */
function groupsOf(deliveries: Delivery[]): Delivery[][] {
  const groups: Delivery[][] = [];
  for (const ofAudience of Map.groupBy(deliveries, ({ caller }) => caller.caller.audience).values()) {
    let group: Delivery[] = [];
    let conditions = 0;
    for (const delivery of ofAudience) {
      const own = countConditions(delivery);
      conditions += own;
      if (group.length === 0 || group.length >= liveLimits.callers || conditions > liveLimits.conditions) {
        group = [];
        groups.push(group);
        conditions = own;
      }
      group.push(delivery);
    }
  }
  return groups;
}

/** Counts conditions. One that several callers have counts for each, which makes a group smaller than it could be. */
const countConditions = ({ channels }: Delivery): number =>
  channels.flatMap(({ bindings }) => bindings).reduce((sum, { filter }) => sum + filter.conditions.size, 0);
