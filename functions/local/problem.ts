/** An error that the developer can fix on their machine: printed in one line, without a stack. */
export class Problem extends Error {}

/** Prints the error and exits with 1. Any error but a Problem is a bug and is printed with its stack. */
export function exitWith(error: unknown): never {
  console.error(error instanceof Problem ? error.message : error);
  process.exit(1);
}
