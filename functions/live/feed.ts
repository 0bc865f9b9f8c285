/**
 * The feed of changes: a cursor, and what was committed behind it, a round at a time. A channel that becomes live while the
 * cursor is known is sent every later commit, since the cursor lies before it.
 */

import { ok, type Result } from '../common/failure/result.ts';
import type { SendMessage } from '../database/execute.ts';
import { feedMessage } from './statements.ts';

/** Lines of the feed in one answer. */
export const linesOfAnswer = 5000;

/** Milliseconds that a message waits for a lock. A migration holds it, and the message is tried again. */
export const lockTimeout = 250;

export type EventName = 'INSERT' | 'UPDATE' | 'DELETE';

/** What happened to a row of an account. */
export interface Change {
  /** The id of its last line. */
  id: string;
  collection: string;
  account: string;
  /** Whom alone it concerns; null where it concerns all who act for the account. */
  user: string | null;
  key: string;
  /** The beginning of the last transaction. */
  at: string;
  /** Somebody has dismissed it. If it is a message to everyone, its record differs by who has. */
  dismissed: boolean | null;
  /** The events that are sent, in order. */
  events: EventName[];
}

/** A line, as builder.changes_since writes it. */
type Line = Omit<Change, 'events'> & { operation: keyof typeof eventNames };

const eventNames = { I: 'INSERT', U: 'UPDATE', D: 'DELETE' } as const;

/** Returns the changes of each row of an account, in the order of their last lines. Throws at other text than JSON. */
export function parseChanges(json: string): Change[] {
  const changes = new Map<string, Change>();
  for (const { operation, ...last } of JSON.parse(json) as Line[]) {
    const name = `${last.collection} ${last.account} ${last.user} ${last.key}`;
    const events = fold(changes.get(name)?.events ?? [], eventNames[operation]);
    changes.delete(name);
    changes.set(name, { ...last, events });
  }
  return [...changes.values()];
}

/**
 * Adds an event to the earlier ones of its row, which is sent as it is read then. Inserted and updated it is both, for those
 * who listen to updates. Inserted and deleted it is deleted, as a client that has just joined may have read it in between.
 */
function fold(earlier: EventName[], event: EventName): EventName[] {
  if (event === 'DELETE') {
    return [event];
  }
  return event === 'UPDATE' && earlier.at(-1) === event ? earlier : [...earlier, event];
}

interface FeedParts {
  /** Sends a message that only reads. */
  ask: SendMessage;
  /** Whether anybody has joined a channel, or is about to. */
  isAwaited: () => boolean;
  /** Called when the feed no longer has all that came. */
  gap: () => void;
  /** Sends changes to those who see them. Fails when the database can't be reached; some may have been sent them then. */
  publish: (changes: Change[]) => Promise<Result<void>>;
  read: (result: Result<void>) => void;
  /** Called with what was thrown, which is a bug. */
  crashed: (error: unknown) => void;
}

export class Feed {
  readonly #parts: FeedParts;
  /** Undefined until the feed is read for somebody who listens. */
  #cursor: string | undefined;
  #running: Promise<boolean> | undefined;
  #next: Promise<boolean> | undefined;

  constructor(parts: FeedParts) {
    this.#parts = parts;
  }

  /** Resolves to true when the cursor is known: every later commit will be published. False when it can't be read. */
  async ready(): Promise<boolean> {
    if (this.#cursor === undefined) {
      await (this.#running ?? this.poll());
    }
    return this.#cursor !== undefined;
  }

  /** Forgets the cursor, when the first channel is joined: earlier changes concern no channel. */
  forget(): void {
    this.#cursor = undefined;
  }

  /**
   * Reads and publishes what is new. When it resolves to true, everything that was committed before the call is published;
   * false when the database can't be reached. Calls during a round share the next one.
   */
  poll(): Promise<boolean> {
    if (!this.#running) {
      this.#running = this.#round().finally(() => {
        this.#running = undefined;
      });
      return this.#running;
    }
    this.#next ??= this.#running
      .catch(() => false)
      .then(() => {
        this.#next = undefined;
        return this.poll();
      });
    return this.#next;
  }

  async #round(): Promise<boolean> {
    let page: Result<{ isPartial: boolean }> = ok({ isPartial: true });
    while (page.ok && page.value.isPartial && this.#parts.isAwaited()) {
      page = await this.#page();
    }
    this.#parts.read(page.ok ? ok(undefined) : page);
    return page.ok;
  }

  /** Reads and publishes a page of what was committed since the cursor. Without a cursor: nothing, and the cursor is now. */
  async #page(): Promise<Result<{ isPartial: boolean }>> {
    const { ask, isAwaited, gap } = this.#parts;
    const rows = await ask(feedMessage(this.#cursor ?? null, linesOfAnswer, lockTimeout));
    if (!rows.ok) {
      return rows;
    }
    const [row = {}] = rows.value;
    if (row['gap'] === 'true') {
      gap();
    }
    const published = await this.#publish(row['lines'] ?? '[]');
    if (!published.ok) {
      return published;
    }
    this.#cursor = isAwaited() ? (row['next'] ?? undefined) : undefined;
    return ok({ isPartial: row['partial'] === 'true' });
  }

  /** Publishes the lines. Lines that cause a bug would cause it again, so listeners must read again and the feed continues. */
  async #publish(lines: string): Promise<Result<void>> {
    const { publish, gap, crashed } = this.#parts;
    try {
      return await publish(parseChanges(lines));
    } catch (error) {
      crashed(error);
      gap();
      return ok(undefined);
    }
  }
}
