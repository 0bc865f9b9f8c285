import { access, chmod, constants, mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type TemporaryDirectory = Awaited<ReturnType<typeof makeTemporaryDirectory>>;

/** Readable by other users, because root runs Postgres as another user. */
export async function makeTemporaryDirectory(parent = tmpdir()) {
  const path = await mkdtemp(join(parent, 'uniform-builder-'));
  await chmod(path, 0o755);
  // A program that has just ended may still write into it.
  return {
    path,
    remove: (): Promise<void> => rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }),
  };
}

/** Where Linux keeps files in memory. */
const sharedMemory = '/dev/shm';
/** Bytes that the tests' databases may need. */
const neededRoom = 8 * 2 ** 30;

/** In memory where there is room, because a database per test is many files that nobody keeps. */
export async function makeDirectoryInMemory(): Promise<TemporaryDirectory> {
  try {
    await access(sharedMemory, constants.W_OK);
    const { bavail, bsize } = await statfs(sharedMemory);
    return await makeTemporaryDirectory(bavail * bsize < neededRoom ? tmpdir() : sharedMemory);
  } catch {
    return makeTemporaryDirectory();
  }
}
