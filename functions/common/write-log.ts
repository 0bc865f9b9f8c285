import { env, waitUntil } from 'cloudflare:workers';
import type { Env } from './env.ts';
import { monotonicNow } from './monotonic.ts';

/** Milliseconds for which a developer's machine collects lines before it prints them. */
const collectFor = 30;

/** Lines that are not printed yet, and when they will be, by monotonicNow(). */
let lines: string[] = [];
let printAt = 0;

/**
 * Writes a log entry as a line of JSON: `wrangler tail` prints it as one line, and Workers Logs extracts its fields
 * (https://developers.cloudflare.com/workers/best-practices/workers-best-practices/#enable-workers-logs-and-traces).
 *
 * On a developer's machine, where each print wakes two processes (60 µs in total, a tenth of an update), lines are printed
 * together. If workerd is killed, the latest are lost.
 */
export function writeLog(entry: object): void {
  const line = JSON.stringify(entry);
  if ((env as Env).LOCAL !== '1') {
    console.log(line);
    return;
  }
  lines.push(line);
  const now = monotonicNow();
  // An object that waited to print may have ended before it did.
  if (lines.length === 1 || now > printAt + collectFor) {
    printAt = now + collectFor;
    waitUntil(scheduler.wait(collectFor).then(print));
  }
}

function print(): void {
  if (lines.length > 0) {
    console.log(lines.join('\n'));
    lines = [];
  }
}
