/**
 * The programs besides Node that tests drive. Tests name the ones they need by tags: `@module-tag chromium` in a file's
 * first comment, or `{ tags: ['curl'] }`. Where one is missing these tests are skipped (left-out.ts). `.ci/run` installs
 * what is missing.
 */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

interface Program {
  /** As it is written in sentences. */
  title: string;
  /** The Debian package that has it. */
  package: string;
  /** Its names, of which one is enough; an absolute path is itself. */
  names: string[];
}

export const programs = {
  bash: { title: 'bash', package: 'bash', names: ['bash'] },
  chromium: {
    title: 'Chromium',
    package: 'chromium',
    names: [
      ...(process.env['CHROMIUM'] ? [process.env['CHROMIUM']] : []),
      ...['chromium', 'chromium-browser', 'google-chrome'],
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    ],
  },
  curl: { title: 'curl', package: 'curl', names: ['curl'] },
  pg_dump: { title: 'pg_dump', package: 'postgresql-client', names: ['pg_dump'] },
  pgbouncer: { title: 'PgBouncer', package: 'pgbouncer', names: ['pgbouncer'] },
} satisfies Record<string, Program>;

export type Tag = keyof typeof programs;

const tags = Object.keys(programs) as Tag[];

/** Those of PATH, each with its sbin, where Debian has servers and which an ordinary user's PATH lacks. */
const directories = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter(directory => directory !== '')
  .flatMap(directory => [directory, directory.replace(/\bbin\/?$/, 'sbin')]);

/** Returns the path of the first of these programs that is there. */
export const locate = (names: readonly string[]): string | undefined =>
  names
    .flatMap(name => (name.startsWith('/') ? [name] : directories.map(directory => join(directory, name))))
    .find(isProgram);

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The tags of the programs that this machine lacks. */
export const missing: readonly Tag[] = tags.filter(tag => locate(programs[tag].names) === undefined);

/** Returns the program's path. A test that gets here without the program lacks its tag. */
export function pathOf(tag: Tag): string {
  const path = locate(programs[tag].names);
  if (path === undefined) {
    throw new Error(`${programs[tag].title} is missing. A test that needs it has the tag ${tag}.`);
  }
  return path;
}

export const packagesOf = (some: readonly Tag[]): string => some.map(tag => programs[tag].package).join(' ');
