/** The directory of the data and the secrets, whose files may be missing, damaged or another user's. */
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { Problem } from './problem.ts';

/** Runs `work`. A file of the directory that the system refuses ends it with a Problem that names the file. */
export async function withData<T>(directory: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { path = '', message } = error as NodeJS.ErrnoException;
    throw path === directory || path.startsWith(directory + sep) ? unusable(path, message) : error;
  }
}

const unusable = (path: string, message: string): Problem =>
  new Problem(
    `${path} cannot be used: ${message}. Make it readable and writable for this user, move it away, or name another ` +
      'directory with -- --data <directory>.',
  );

/** Makes an empty directory. One that exists is emptied and kept, since a running workerd may have it open. */
export async function emptyDirectory(path: string): Promise<string> {
  await ensureDirectory(path);
  const remove = (name: string) => rm(join(path, name), { recursive: true, force: true });
  await Promise.all((await readdir(path)).map(remove));
  return path;
}

/** Makes a directory, in place of a file of its name. */
async function ensureDirectory(path: string): Promise<void> {
  await mkdir(path, { recursive: true }).catch(async error => {
    if (error.code !== 'EEXIST') {
      throw error;
    }
    await rm(path);
    await mkdir(path);
  });
}
