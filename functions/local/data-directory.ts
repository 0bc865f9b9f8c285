/** The directory of the data and the secrets, whose files may be missing, damaged or another user's. */
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { Problem } from './program.ts';

/** What the system answers to a write anywhere: no room, no more room for this user, a disk that is only read, no right. */
const refusals = ['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM'];

/** Runs `work`. A file of the directory that the system refuses, or a write, ends it with a Problem that names the file. */
export async function withData<T>(directory: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code = '', path, dest, message } = error as NodeJS.ErrnoException & { dest?: string };
    const isOfData = [path, dest].some(file => file === directory || file?.startsWith(directory + sep));
    // A write to an open file names none.
    throw isOfData || refusals.includes(code) ? unusable(dest ?? path ?? directory, message) : error;
  }
}

const unusable = (path: string, message: string): Problem =>
  new Problem(
    `${path} cannot be used: ${message}. Free some room there, make it readable and writable for this user, move it away, or ` +
      'name another directory with -- --data <directory>, or TMPDIR for temporary files.',
  );

/** Throws where the directory for temporary files has no room: the programs that use it would print pages of errors. */
export async function ensureTemporaryRoom(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'builder-'));
  try {
    await writeFile(join(directory, 'room'), Buffer.alloc(2 ** 20));
  } finally {
    await rm(directory, { recursive: true });
  }
}

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
