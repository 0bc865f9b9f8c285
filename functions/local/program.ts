/** A developer's program: its arguments, what it has started, and how it ends: by itself, by a signal, or with an error. */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { endWithReader } from '../../sql/output.ts';

/** An error that the developer can fix on their machine: printed in one line, without a stack. */
export class Problem extends Error {}

/** Prints the error and exits with 1. Any error but a Problem is a bug and is printed with its stack. */
export function exitWith(error: unknown): never {
  console.error(error instanceof Problem ? error.message : error);
  process.exit(1);
}

/** Parses arguments, by default those of the process. Throws a Problem with what is wrong and the usage. */
export function parseArguments<const T extends ParseArgsConfig>(
  config: T,
  usage: string,
): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new Problem(`${(error as Error).message} ${usage}`);
  }
}

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
