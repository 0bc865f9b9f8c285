/** What a developer's program has started, and how it ends: by itself, by Ctrl-C or another signal, or with an error. */
import { endWithReader } from '../../sql/output.ts';
import { exitWith } from './problem.ts';

/** In the order it was started. */
export const running: { stop(): Promise<void> | void }[] = [];

let ending: Promise<void> | undefined;

/** Stops everything in reverse order, and exits. */
export function end(error?: unknown): Promise<void> {
  ending ??= stopAll().then(() => {
    if (error !== undefined) {
      exitWith(error);
    }
    console.log('stopped');
    process.exit(0);
  }, exitWith);
  return ending;
}

async function stopAll(): Promise<void> {
  while (running.length > 0) {
    await running.pop()?.stop();
  }
}

/** Runs a program that goes on until a signal or an error ends it. */
export async function run(start: () => Promise<void>): Promise<void> {
  // Only the first call of end() counts. Work that was under way fails when what it uses is stopped: postgres.js, for example,
  // writes to a connection that is closed.
  process.on('uncaughtException', end);
  for (const event of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(event, () => end());
  }
  endWithReader(() => end());
  await start().catch(end);
}
