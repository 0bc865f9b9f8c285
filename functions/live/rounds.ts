/**
 * Reads the feed and tells those who listen. A round goes from the cursor to now; then channels that came back are told
 * what they missed, up to the same cursor. Rounds run one at a time.
 */
import { limits } from '../common/limits.ts';
import { ok, type Result } from '../common/result.ts';
import { accountsMessage, feedMessage } from '../statement/live.ts';
import { type Change, readChanges } from './changes.ts';
import type { Channel, Channels } from './channels.ts';
import { missedTooMuch } from './deliver.ts';
import type { Report } from './report.ts';
import type { Store } from './store.ts';
import { type Ask, tell } from './tell.ts';

/** What is said to channels when they cannot be told all. */
export interface Notices {
  /** Changes were missed: it must read again. A channel that came back is told and goes on, another begins anew. */
  missed(channel: Channel): void;
  /** Its changes cannot be read. */
  failed(channel: Channel): void;
}

export class Rounds {
  readonly #channels: Channels;
  readonly #store: Store;
  readonly #ask: Ask;
  readonly #notices: Notices;
  readonly #report: Report;
  /** Undefined until the feed was read. */
  #cursor: string | undefined;
  #n: number;
  #movedAt = Date.now();
  #running: Promise<boolean> | undefined;
  #next: Promise<boolean> | undefined;

  constructor(channels: Channels, store: Store, ask: Ask, notices: Notices, report: Report) {
    this.#channels = channels;
    this.#store = store;
    this.#ask = ask;
    this.#notices = notices;
    this.#report = report;
    const latest = store.latestRound();
    this.#cursor = latest?.cursor;
    this.#n = latest?.n ?? 0;
  }

  /** The number of the latest round. */
  get n(): number {
    return this.#n;
  }

  /** Everything that was committed before the call is told when it resolves; false when the database can't be reached. */
  run(): Promise<boolean> {
    if (!this.#running) {
      this.#running = this.#runOnce().finally(() => {
        this.#running = undefined;
      });
      return this.#running;
    }
    this.#next ??= this.#running.then(() => {
      this.#next = undefined;
      return this.run();
    });
    return this.#next;
  }

  async #runOnce(): Promise<boolean> {
    const told = await this.#tellNew();
    const caughtUp = told.ok ? await this.#tellMissed() : told;
    this.#report.read(caughtUp);
    return caughtUp.ok;
  }

  async #tellNew(): Promise<Result<void>> {
    if (this.#channels.all.length === 0) {
      return ok(undefined);
    }
    const asked = await this.#askAccounts();
    if (!asked.ok) {
      return asked;
    }
    if (this.#cursor === undefined || this.#live.length === 0) {
      // What happened while nobody listened concerns only those who come back.
      const begun = await this.#feed(null, null);
      if (begun.ok) {
        this.#advance(begun.value.next);
      }
      return begun.ok ? ok(undefined) : begun;
    }
    for (let more = true; more; ) {
      const feed = await this.#feed(this.#cursor, null);
      if (!feed.ok) {
        return feed;
      }
      const live = this.#live;
      if (feed.value.gap) {
        this.#advance(feed.value.next);
        live.map(this.#notices.missed);
        return ok(undefined);
      }
      const told = await this.#tell(feed.value.changes, live);
      if (!told.ok) {
        return told;
      }
      more = feed.value.more;
      if (feed.value.isEmpty) {
        this.#move(feed.value.next);
      } else {
        this.#advance(feed.value.next);
      }
    }
    return ok(undefined);
  }

  get #live(): Channel[] {
    return this.#channels.all.filter(({ state }) => state === 'live');
  }

  /** Channels that came back, those who know the same together. */
  async #tellMissed(): Promise<Result<void>> {
    const resuming = this.#channels.all.filter(({ state }) => state === 'resuming');
    for (const [from, channels] of Map.groupBy(resuming, ({ stored }) => stored.resumeFrom)) {
      for (const channel of channels) {
        channel.resumedBytes = 0;
      }
      const hasAll = await this.#catchUp(this.#store.cursorOf(from), channels);
      if (!hasAll.ok) {
        return hasAll;
      }
      // A number of its own, so that a heartbeat that was answered meanwhile does not count for what was told now.
      this.#advance(this.#cursor ?? '');
      for (const channel of channels) {
        if (!hasAll.value || missedTooMuch(channel)) {
          this.#notices.missed(channel);
        }
        channel.state = 'live';
        channel.stored.liveFrom = this.#n;
        this.#store.setLiveFrom(channel.stored.id, this.#n);
      }
    }
    return ok(undefined);
  }

  /** False when the feed does not reach back so far. */
  async #catchUp(from: string | undefined, channels: Channel[]): Promise<Result<boolean>> {
    const upto = this.#cursor ?? null;
    for (let cursor = from; cursor !== undefined; ) {
      const feed = await this.#feed(cursor, upto);
      if (!feed.ok || feed.value.gap) {
        return feed.ok ? ok(false) : feed;
      }
      const told = await this.#tell(feed.value.changes, channels);
      if (!told.ok) {
        return told;
      }
      if (!feed.value.more) {
        return ok(true);
      }
      cursor = feed.value.next;
    }
    return ok(false);
  }

  async #tell(changes: Change[], channels: Channel[]): Promise<Result<void>> {
    if (changes.length === 0) {
      return ok(undefined);
    }
    const { callers } = this.#channels;
    const told = await tell(changes, channels, callers, this.#ask, failed =>
      failed.forEach(this.#notices.failed),
    );
    if (told.ok) {
      this.#report.told(changes);
    }
    return told;
  }

  async #feed(cursor: string | null, upto: string | null): Promise<Result<Feed>> {
    const rows = await this.#ask(feedMessage(cursor, upto));
    if (!rows.ok) {
      return rows;
    }
    const [row] = rows.value;
    const changes = readChanges(row?.['lines'] ?? '[]');
    return ok({
      next: row?.['next'] ?? '',
      gap: row?.['gap'] === 'true',
      more: row?.['more'] === 'true',
      isEmpty: row?.['lines'] === '[]',
      changes,
    });
  }

  #advance(cursor: string): void {
    this.#cursor = cursor;
    this.#n = this.#store.addRound(cursor);
    this.#movedAt = Date.now();
  }

  #move(cursor: string): void {
    this.#cursor = cursor;
    if (Date.now() - this.#movedAt > limits.live.cursorInterval) {
      this.#store.moveRound(this.#n, cursor);
      this.#movedAt = Date.now();
    }
  }

  /** Memberships change: whose changes concern a customer is asked now and then. */
  async #askAccounts(): Promise<Result<void>> {
    const due = this.#channels.callers.filter(
      ({ caller, askedAt }) =>
        caller.audience === 'customer' && Date.now() - askedAt > limits.live.accountsFor,
    );
    for (let at = 0; at < due.length; at += limits.live.callers) {
      const some = due.slice(at, at + limits.live.callers);
      const claims = some.map(({ caller }) => caller.claims ?? {});
      const rows = await this.#ask(accountsMessage('customer', claims));
      if (!rows.ok) {
        return rows;
      }
      const accounts: string[][] = JSON.parse(rows.value[0]?.['accounts'] ?? '[]');
      for (const [index, caller] of some.entries()) {
        caller.accounts = new Set(accounts[index]);
        caller.askedAt = Date.now();
      }
    }
    return ok(undefined);
  }
}

/** What builder.changes_since answers. */
interface Feed {
  next: string;
  gap: boolean;
  more: boolean;
  isEmpty: boolean;
  changes: Change[];
}
