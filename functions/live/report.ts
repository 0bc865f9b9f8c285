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

/** What happened since the last line. */
const newMinute = () => ({
  since: Date.now(),
  sent: 0,
  lag: 0,
  missed: {} as Record<string, number>,
  closed: {} as Record<string, number>,
  failed: {},
});

export class Report {
  /** The object's number, from 0. */
  number = 0;
  #readAt = Date.now();
  #minute = newMinute();

  /** Records that the feed was read, or could not be. */
  read(result: Result<void>): void {
    if (result.ok) {
      this.#readAt = Date.now();
    } else {
      this.failed(result.failure);
    }
  }

  failed(failure: Failure): void {
    this.#minute.failed = loggedOf(failure);
  }

  published(changes: Change[]): void {
    this.#minute.sent += changes.length;
    this.#minute.lag = Math.max(this.#minute.lag, ...changes.map(({ at }) => Date.now() - Date.parse(at)));
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
    this.#readAt = Date.now();
  }

  get status(): LiveStatus {
    return Date.now() - this.#readAt > liveLimits.lateAfter ? 'late' : 'reading';
  }

  /**
   * Writes the line when it is due, with how many there are at the moment. `missed` are channels whose clients must read again, `closed` sockets that were closed.
   * `lag_ms` is the longest time from the beginning of a transaction until it was sent.
   */
  write(counts: () => object): void {
    const { since, sent, lag, missed, closed, failed } = this.#minute;
    if (Date.now() - since < liveLimits.reportInterval) {
      return;
    }
    writeLog({
      event: 'live',
      object: this.number,
      ...counts(),
      sent,
      lag_ms: lag,
      missed: sumOf(missed),
      missed_because: wordsOf(missed),
      closed: sumOf(closed),
      closed_because: wordsOf(closed),
      ...failed,
    });
    this.#minute = newMinute();
  }
}

const sumOf = (counts: Record<string, number>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

/** Writes counts as `gap 3, bytes 1`. */
const wordsOf = (counts: Record<string, number>): string =>
  Object.entries(counts)
    .map(([why, count]) => `${why} ${count}`)
    .join(', ');
