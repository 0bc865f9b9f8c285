/** The arguments of a program. */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { Problem } from './problem.ts';

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
