/**
 * Polls the feed and publishes what is new. A round goes from the cursor to now, a page at most; rounds run one at a time.
 * It knows channels and whether they are live, and nothing of the protocol.
 */
import { limits } from '../common/limits.ts';
import { ok, type Result } from '../common/result.ts';
import type { Channel, MissedWhy } from './channel.ts';
import { type FeedPage, isPartial, readFeed } from './feed.ts';
import { type PublishParts, publish } from './publish.ts';
import type { Report } from './report.ts';
import type { Store } from './store.ts';

export interface PollParts extends PublishParts {
  store: Pick<Store, 'latestRound' | 'addRound' | 'moveRound'>;
  report: Pick<Report, 'read' | 'published' | 'crashed'>;
  /** Called for each channel that can't be told of everything. */
  missed: (channel: Channel, why: MissedWhy) => void;
}

export class Poll {
  readonly #parts: PollParts;
  /** Undefined until the feed was read. */
  #cursor: string | undefined;
  #round: number;
  #movedAt = Date.now();
  #polledAt = 0;
  #running: Promise<boolean> | undefined;
  #next: Promise<boolean> | undefined;
  #isPublishing = false;
  readonly #waiting: (() => void)[] = [];

  constructor(parts: PollParts) {
    this.#parts = parts;
    const latest = parts.store.latestRound();
    this.#cursor = latest?.cursor;
    this.#round = latest?.n ?? 0;
  }

  /** The number of the latest round: live channels are sent everything up to it. */
  get latestRound(): number {
    return this.#round;
  }

  /** Up to where the feed was read; undefined before the first round, and within what was committed at once. */
  get cursor(): string | undefined {
    return this.#cursor === undefined || isPartial(this.#cursor) ? undefined : this.#cursor;
  }

  /**
   * Reads what is new. When it resolves, everything that was committed before the call is told to the live channels; false
   * when the database can't be reached. Calls during a round share the next one.
   */
  run(): Promise<boolean> {
    if (!this.#running) {
      this.#running = this.#runAll().finally(() => {
        this.#running = undefined;
      });
      return this.#running;
    }
    this.#next ??= this.#running
      .catch(() => false)
      .then(() => {
        this.#next = undefined;
        return this.run();
      });
    return this.#next;
  }

  async #runAll(): Promise<boolean> {
    const { channels, report } = this.#parts;
    if (channels.size === 0) {
      return true;
    }
    let result = await this.#runOnce();
    while (result.ok && this.#cursor !== undefined && isPartial(this.#cursor)) {
      result = await this.#runOnce();
    }
    report.read(result);
    return result.ok;
  }

  async #runOnce(): Promise<Result<void>> {
    const { ask } = this.#parts;
    const from = this.#isAwaited ? (this.#cursor ?? null) : null;
    const page = await readFeed(ask, from, null);
    if (!page.ok) {
      return page;
    }
    this.#polledAt = Date.now();
    const live = this.#live;
    this.#isPublishing = true;
    try {
      const published = await this.#publish(page.value, live);
      if (published.ok && isUnchanged(page.value) && from !== null) {
        this.#move(page.value.next);
      } else if (published.ok) {
        this.#advance(page.value.next);
      }
      return published;
    } finally {
      this.#isPublishing = false;
      for (const callback of this.#waiting.splice(0)) {
        this.#callBack(callback);
      }
    }
  }

  /**
   * Calls back when no changes are being published, at once or at the end of the round: who becomes live then is told what
   * comes after the latest round.
   */
  whenOpen(callback: () => void): void {
    if (this.#isPublishing) {
      this.#waiting.push(callback);
    } else {
      this.#callBack(callback);
    }
  }

  /** Calls back. One that fails must not keep the others waiting. */
  #callBack(callback: () => void): void {
    try {
      callback();
    } catch (error) {
      this.#parts.report.crashed(error);
    }
  }

  /**
   * What happened while nobody listened concerns only those who come back. A channel becomes live after a round, so that
   * what comes right after one may be awaited.
   */
  get #isAwaited(): boolean {
    const isRecent = Date.now() - this.#polledAt < limits.live.idleFor;
    return isRecent || this.#parts.channels.all.some(({ state }) => state !== 'joining');
  }

  get #live(): Channel[] {
    return this.#parts.channels.all.filter(({ state }) => state === 'live');
  }

  async #publish({ changes, gap }: FeedPage, live: Channel[]): Promise<Result<void>> {
    const { report, missed } = this.#parts;
    if (gap) {
      for (const channel of live) {
        missed(channel, 'gap');
      }
    }
    if (changes.length === 0) {
      return ok(undefined);
    }
    const listeners = live.map(channel => ({ channel }));
    const misses = await publish(changes, listeners, this.#parts);
    if (!misses.ok) {
      return misses;
    }
    report.published(changes);
    for (const { channel, why } of misses.value) {
      missed(channel, why);
    }
    return ok(undefined);
  }

  #advance(cursor: string): void {
    this.#cursor = cursor;
    this.#round = this.#parts.store.addRound(cursor);
    this.#movedAt = Date.now();
  }

  #move(cursor: string): void {
    this.#cursor = cursor;
    if (Date.now() - this.#movedAt > limits.live.cursorInterval) {
      this.#parts.store.moveRound(this.#round, cursor);
      this.#movedAt = Date.now();
    }
  }
}

/** Whether nothing was committed, so that the next cursor means the same at a later time. */
const isUnchanged = ({ changes, gap }: FeedPage): boolean => changes.length === 0 && !gap;
