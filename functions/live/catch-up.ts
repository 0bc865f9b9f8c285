/**
 * Tells channels whose clients came back what they missed. It runs beside the rounds of what is new, with messages of its
 * own: one reading of the feed, from the oldest place on, serves all who came back. When a channel has come as far as the
 * latest round, it is live.
 */
import { limits } from '../common/limits.ts';
import { ok, type Result } from '../common/result.ts';
import type { Accounts } from './accounts.ts';
import type { Channel, MissedWhy } from './channel.ts';
import type { Listener } from './deliver.ts';
import { readFeed } from './feed.ts';
import type { Poll } from './poll.ts';
import { type PublishParts, publish } from './publish.ts';
import type { Store } from './store.ts';

export interface CatchUpParts extends PublishParts {
  accounts: Accounts;
  store: Store;
  poll: Poll;
  missed: (channel: Channel, why: MissedWhy) => void;
}

/** A channel that came back, and up to where it has been told. */
type Returned = Required<Listener> & { round: number };

export class CatchUp {
  readonly #parts: CatchUpParts;
  #returned: Returned[] = [];
  #isRunning = false;

  constructor(parts: CatchUpParts) {
    this.#parts = parts;
  }

  /** Channels that are told what they missed. */
  get size(): number {
    return this.#returned.length;
  }

  /** Tells the channel what came after this round; then it is live. */
  async add(channel: Channel, round: number): Promise<void> {
    const cursor = this.#parts.store.cursorOf(round);
    if (cursor === undefined) {
      this.#end(channel, 'unknown');
      return;
    }
    this.#returned.push({ channel, cursor, round });
    if (this.#isRunning) {
      return;
    }
    this.#isRunning = true;
    try {
      while (this.#returned.length > 0) {
        await this.#step();
        this.#returned = this.#returned.filter(returned => returned.channel.state === 'resuming');
      }
    } finally {
      this.#isRunning = false;
    }
  }

  /** Reads up to the latest round, for all that are there now. */
  async #step(): Promise<void> {
    const { poll } = this.#parts;
    const { cursor: upto, latestRound: round } = poll;
    const group = [...this.#returned];
    const read = upto === undefined ? ok(false) : await this.#readUpTo(upto, group);
    if (!read.ok || upto === undefined) {
      // The database is away, or what was committed at once is being read.
      await scheduler.wait(limits.live.catchUpPause);
      await poll.run();
      return;
    }
    if (!read.value) {
      return;
    }
    await new Promise<void>(resolve => poll.whenOpen(resolve));
    for (const returned of group) {
      returned.cursor = upto;
      returned.round = round;
      if (poll.latestRound === round) {
        this.#end(returned.channel);
      }
    }
  }

  /** Tells the group what came up to a cursor. Resolves to false when some can't be told of everything, and are told so. */
  async #readUpTo(upto: string, group: Returned[]): Promise<Result<boolean>> {
    const { ask, accounts, channels } = this.#parts;
    const callers = new Set(group.flatMap(({ channel }) => channels.callerOf(channel) ?? []));
    const known = await Promise.all([...callers].map(caller => accounts.know(caller)));
    const unknown = known.find(({ ok }) => !ok);
    if (unknown && !unknown.ok) {
      return unknown;
    }
    const [oldest] = group.toSorted((a, b) => a.round - b.round);
    for (let cursor = oldest?.cursor; cursor !== undefined && cursor !== upto; ) {
      const page = await readFeed(ask, cursor, upto);
      if (!page.ok) {
        return page;
      }
      if (page.value.gap) {
        for (const { channel } of group.filter(returned => returned.cursor === oldest?.cursor)) {
          this.#end(channel, 'gap');
        }
        return ok(false);
      }
      const resuming = group.filter(({ channel }) => channel.state === 'resuming');
      const misses = await publish(page.value.changes, resuming, this.#parts);
      if (!misses.ok) {
        return misses;
      }
      for (const { channel, why } of misses.value) {
        this.#end(channel, why);
      }
      cursor = page.value.next;
    }
    return ok(true);
  }

  /** Makes the channel live. With `why` it can't be told of everything, and its client reads again. */
  #end(channel: Channel, why?: MissedWhy): void {
    if (channel.state !== 'resuming') {
      return;
    }
    if (why !== undefined) {
      this.#parts.missed(channel, why);
    }
    channel.state = 'live';
    channel.resumedBytes = 0;
    channel.liveAt = channel.socket.state.answers;
    this.#parts.store.setLive(channel.id);
  }
}
