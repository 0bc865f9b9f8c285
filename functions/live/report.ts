/** A line a minute about live updates, and whether the feed is read. */
import { limits } from '../common/limits.ts';
import type { LiveStatus } from '../common/live-object.ts';
import type { Result } from '../common/result.ts';
import { loggedOf } from '../failure/render.ts';
import { writeLog } from '../log/write-log.ts';
import type { Change } from './changes.ts';

export class Report {
  #since = Date.now();
  #readAt = Date.now();
  #told = 0;
  #lag = 0;
  #gaps = 0;
  #failed: { code: string; reason?: string } | undefined;

  /** The feed was read, or could not be. */
  read(result: Result<unknown>): void {
    if (result.ok) {
      this.#readAt = Date.now();
    } else {
      this.#failed = loggedOf(result.failure);
    }
  }

  told(changes: Change[]): void {
    const now = Date.now();
    this.#told += changes.length;
    for (const { at } of changes) {
      this.#lag = Math.max(this.#lag, now - Date.parse(at));
    }
  }

  missed(): void {
    this.#gaps += 1;
  }

  /** Nobody has listened so far. */
  begin(): void {
    this.#since = Date.now();
    this.#readAt = Date.now();
  }

  get status(): LiveStatus {
    return Date.now() - this.#readAt > limits.live.lateAfter ? 'late' : 'reading';
  }

  /** Writes the line when it is due. `lag_ms` is the longest time from the beginning of a transaction until it was told. */
  write(sockets: number, channels: number): void {
    if (Date.now() - this.#since < limits.live.reportInterval) {
      return;
    }
    writeLog({
      event: 'live',
      sockets,
      channels,
      told: this.#told,
      lag_ms: this.#lag,
      missed: this.#gaps,
      ...this.#failed,
    });
    this.#since = Date.now();
    this.#told = 0;
    this.#lag = 0;
    this.#gaps = 0;
    this.#failed = undefined;
  }
}
