/** What an object that holds sockets reports: its status, and a line a minute. */

import { crashLine } from '../common/crash-line.ts';
import type { LiveStatus } from '../common/env.ts';
import type { Failure } from '../common/failure/failure.ts';
import { loggedOf } from '../common/failure/render-failure.ts';
import type { Result } from '../common/failure/result.ts';
import { minute, second } from '../common/limits.ts';
import { monotonicNow } from '../common/monotonic.ts';

/** Milliseconds between two lines of the log. */
const reportInterval = minute;

/** Milliseconds after which a feed that was not read is late. */
const lateAfter = 10 * second;

/** Why a client must read again: the feed has a gap, it was sent or took too much, or it sees more accounts than before. */
export type MissedWhy = 'gap' | 'bytes' | 'time' | 'accounts';

/** What happened since the last line. */
const newMinute = () => ({
  since: monotonicNow(),
  sent: 0,
  lag: 0,
  missed: {} as Record<string, number>,
  closed: {} as Record<string, number>,
  failed: {},
});

export class Report {
  /** The object's number, from 0. */
  number = 0;
  #readAt = monotonicNow();
  #minute = newMinute();

  /** Records that the feed was read, or could not be. */
  read(result: Result<void>): void {
    if (result.ok) {
      this.#readAt = monotonicNow();
    } else {
      this.failed(result.failure);
    }
  }

  failed(failure: Failure): void {
    this.#minute.failed = loggedOf(failure);
  }

  /** Records changes that were sent: the times at which their transactions began. */
  published(times: string[]): void {
    this.#minute.sent += times.length;
    this.#minute.lag = Math.max(this.#minute.lag, ...times.map(at => Date.now() - Date.parse(at)));
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
    this.#readAt = monotonicNow();
  }

  get status(): LiveStatus {
    return monotonicNow() - this.#readAt > lateAfter ? 'late' : 'reading';
  }

  /** Returns the line when it is due, with how many there are at the moment. `lag_ms` is the longest delay of a change. */
  line(counts: object): object | undefined {
    const { since, sent, lag, missed, closed, failed } = this.#minute;
    if (monotonicNow() - since < reportInterval) {
      return undefined;
    }
    this.#minute = newMinute();
    const sums = { ...countsOf('missed', missed), ...countsOf('closed', closed) };
    return { event: 'live', object: this.number, ...counts, sent, lag_ms: lag, ...sums, ...failed };
  }
}

/** Returns the fields of counts: their sum, and each as `gap 3, bytes 1`. */
const countsOf = (name: string, counts: Record<string, number>): object => ({
  [name]: Object.values(counts).reduce((sum, count) => sum + count, 0),
  [`${name}_because`]: Object.entries(counts)
    .map(([why, count]) => `${why} ${count}`)
    .join(', '),
});
