/**
 * Changes → messages to those who see them. What a caller sees, Postgres says, as that caller. A reading belongs to
 * everybody: each caller has a share of its time; who needs more is read for alone and last, and who needs more than that
 * is told to read again.
 */
import { limits } from '../common/limits.ts';
import { ok, type Result } from '../common/result.ts';
import type { Failure } from '../failure/failure.ts';
import type { Change } from './changes.ts';
import type { Channel, MissedWhy } from './channel.ts';
import type { Channels } from './channels.ts';
import { deliver, type Listener } from './deliver.ts';
import { audienceOf, type Delivery, deliveriesOf, groupsOf } from './deliveries.ts';
import type { Ask } from './feed.ts';
import { readChanges, type Times } from './read-changes.ts';
import type { Sockets } from './sockets.ts';

const { linesAtOnce, callerShare, readingTime, aloneTime, aloneTimeOfRound, splittingTime } = limits.live;

export interface PublishParts {
  channels: Channels;
  sockets: Sockets;
  ask: Ask;
}

/** A channel that is not told of everything. */
export interface Miss {
  channel: Channel;
  why: MissedWhy;
}

/**
 * Tells listeners of the changes, in their order. Returns those that miss some of them. Fails when the database can't be
 * reached; some may have been told then.
 */
export async function publish(
  changes: Change[],
  listeners: Listener[],
  parts: PublishParts,
): Promise<Result<Miss[]>> {
  const publication = new Publication(parts);
  for (let at = 0; at < changes.length; at += linesAtOnce) {
    const published = await publication.publish(changes.slice(at, at + linesAtOnce), listeners);
    if (!published.ok) {
      return published;
    }
  }
  return ok(publication.misses);
}

class Publication {
  readonly #parts: PublishParts;
  readonly #missed = new Map<Channel, Miss>();
  /** When a message that fails is no longer taken apart, in milliseconds since 1970. */
  readonly #splitUntil = Date.now() + splittingTime;

  constructor(parts: PublishParts) {
    this.#parts = parts;
  }

  get misses(): Miss[] {
    return [...this.#missed.values()];
  }

  async publish(changes: Change[], listeners: Listener[]): Promise<Result<void>> {
    const told = listeners.filter(({ channel }) => channel.state !== 'ended' && !this.#missed.has(channel));
    const deferred: Delivery[] = [];
    for (const group of groupsOf(deliveriesOf(changes, told, this.#parts.channels))) {
      const published = await this.#publishGroup(group, deferred);
      if (!published.ok) {
        return published;
      }
    }
    const until = Date.now() + aloneTimeOfRound;
    for (const delivery of deferred) {
      if (Date.now() > until) {
        this.#miss(delivery, 'time');
        continue;
      }
      const published = await this.#publishAlone(delivery);
      if (!published.ok) {
        return published;
      }
    }
    return ok(undefined);
  }

  /** Reads for these callers, in as many messages as it takes. Who exceeds its share is left for later. */
  async #publishGroup(group: Delivery[], deferred: Delivery[]): Promise<Result<void>> {
    for (let rest = group; rest.length > 0; ) {
      const read = await this.#readAndDeliver(rest, { share: callerShare, total: readingTime });
      if (!read.ok) {
        return isCostly(read.failure) ? this.#publishHalves(rest, deferred) : read;
      }
      const { done, unread } = read.value;
      deferred.push(...unread);
      const left = rest.filter(delivery => !done.has(delivery));
      if (left.length === rest.length) {
        // Not even one was asked for.
        deferred.push(...left.slice(0, 1));
      }
      rest = left.length === rest.length ? left.slice(1) : left;
    }
    return ok(undefined);
  }

  /** Looks in halves for whom Postgres stopped the message, as long as that may take. */
  async #publishHalves(group: Delivery[], deferred: Delivery[]): Promise<Result<void>> {
    if (group.length === 1 || Date.now() > this.#splitUntil) {
      for (const delivery of group) {
        this.#miss(delivery, 'time');
      }
      return ok(undefined);
    }
    const middle = Math.ceil(group.length / 2);
    const first = await this.#publishGroup(group.slice(0, middle), deferred);
    return first.ok ? this.#publishGroup(group.slice(middle), deferred) : first;
  }

  async #publishAlone(delivery: Delivery): Promise<Result<void>> {
    const read = await this.#readAndDeliver([delivery], { share: aloneTime, total: aloneTime });
    if (!read.ok && !isCostly(read.failure)) {
      return read;
    }
    if (!read.ok || read.value.unread.length > 0 || !read.value.done.has(delivery)) {
      this.#miss(delivery, 'time');
    }
    return ok(undefined);
  }

  /** Resolves to those that were read for, and to what of theirs is unread. */
  async #readAndDeliver(
    deliveries: Delivery[],
    times: Times,
  ): Promise<Result<{ done: Set<Delivery>; unread: Delivery[] }>> {
    const { ask, sockets } = this.#parts;
    const read = await readChanges(audienceOf(deliveries), deliveries, times, ask);
    if (!read.ok) {
      return read;
    }
    const { rows, deliveries: read_ } = read.value;
    const rest: Delivery[] = [];
    for (const [delivery, { seen, unread }] of read_) {
      const open = delivery.listeners.filter(({ channel }) => channel.state !== 'ended');
      for (const channel of deliver(seen, rows, open, sockets)) {
        this.#missed.set(channel, { channel, why: 'bytes' });
      }
      const listeners = open.filter(({ channel }) => !this.#missed.has(channel));
      if (unread.length > 0 && listeners.length > 0) {
        rest.push({ caller: delivery.caller, listeners, changes: unread });
      }
    }
    return ok({ done: new Set(read_.keys()), unread: rest });
  }

  #miss({ listeners }: Delivery, why: Miss['why']): void {
    for (const { channel } of listeners) {
      this.#missed.set(channel, { channel, why });
    }
  }
}

/** Whether Postgres refused or stopped a message for what it asks, and would again; a lock that somebody holds is no such reason. */
const isCostly = (failure: Failure): boolean => failure.is === 'database' && failure.sqlstate !== '55P03';
