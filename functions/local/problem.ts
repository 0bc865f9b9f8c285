/** What goes wrong on a developer's machine and is the developer's to mend: told in one line, without a stack. */
export class Problem extends Error {}

/** Ends the program. A bug keeps its stack. */
export function exitWith(error: unknown): never {
  console.error(error instanceof Problem ? error.message : error);
  process.exit(1);
}
