/**
 * Creates the symbolic links by which the embedded Postgres finds its libraries. An npm package can't contain links; this
 * one lists them for its install script, which does not run here (.npmrc).
 */
import { readFile, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { Problem } from './problem.ts';

/** Both paths are relative to the package. */
interface Link {
  source: string;
  target: string;
}

/** Creates the missing links; other processes may do so at the same moment. Throws a Problem when it can't. */
export async function linkLibraries(packageDirectory: string): Promise<void> {
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
