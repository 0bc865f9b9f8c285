/** A line a minute about live updates, and whether the feed is read. */

import type { LiveStatus } from '../common/env.ts';
import type { Result } from '../common/result.ts';
import type { Failure } from '../failure/failure.ts';
import { loggedOf } from '../failure/render.ts';
import { crashLine } from '../log/crash-line.ts';
import { writeLog } from '../log/write-log.ts';
import type { Change } from './feed.ts';
import { liveLimits } from './limits.ts';

/** Why a client must read again: the feed has a gap, it was sent or took too much, or it sees more accounts than before. */
export type MissedWhy = 'gap' | 'bytes' | 'time' | 'accounts';

/** How many there are at the moment. */
export interface LiveCounts {
  sockets: number;
  /** Sockets that were told to close, and whose end has not come. */
  closing: number;
  channels: number;
}

export class Report {
  /** The object's number, from 0. */
  number = 0;
  #since = Date.now();
  #readAt = Date.now();
  #changes = 0;
  #lag = 0;
  #missed: Record<string, number> = {};
  #closed: Record<string, number> = {};
  #failed: { code: string; reason?: string } | undefined;

  /** Records that the feed was read, or could not be. */
  read(result: Result<void>): void {
    if (result.ok) {
      this.#readAt = Date.now();
    } else {
      this.failed(result.failure);
    }
  }

  /** Records why reading failed, for the next line. */
  failed(failure: Failure): void {
    this.#failed = loggedOf(failure);
  }

  published(changes: Change[]): void {
    const now = Date.now();
    this.#changes += changes.length;
    for (const { at } of changes) {
      this.#lag = Math.max(this.#lag, now - Date.parse(at));
    }
  }

  /** Counts a channel whose client must read again. */
  missed(why: MissedWhy): void {
    this.#missed[why] = (this.#missed[why] ?? 0) + 1;
  }

  /** Counts a socket that is closed for this reason. */
  closed(why: string): void {
    this.#closed[why] = (this.#closed[why] ?? 0) + 1;
  }

  crashed = (error: unknown): void => console.error(crashLine(error as Error));

  /** Starts the first minute, when the first socket opens. */
  begin(): void {
    this.#since = Date.now();
    this.#readAt = Date.now();
  }

  get status(): LiveStatus {
    return Date.now() - this.#readAt > liveLimits.lateAfter ? 'late' : 'reading';
  }

  /**
   * Writes the line when it is due. `missed` are channels whose clients must read again, `closed` sockets that were closed.
   * `lag_ms` is the longest time from the beginning of a transaction until it was sent.
   */
  write(counts: LiveCounts): void {
    if (Date.now() - this.#since < liveLimits.reportInterval) {
      return;
    }
    writeLog({
      event: 'live',
      object: this.number,
      ...counts,
      sent: this.#changes,
      lag_ms: this.#lag,
      missed: sumOf(this.#missed),
      missed_because: wordsOf(this.#missed),
      closed: sumOf(this.#closed),
      closed_because: wordsOf(this.#closed),
      ...this.#failed,
    });
    this.#since = Date.now();
    this.#changes = 0;
    this.#lag = 0;
    this.#missed = {};
    this.#closed = {};
    this.#failed = undefined;
  }
}

const sumOf = (counts: Record<string, number>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

/** Writes counts as `gap 3, bytes 1`. */
const wordsOf = (counts: Record<string, number>): string =>
  Object.entries(counts)
    .map(([why, count]) => `${why} ${count}`)
    .join(', ');
