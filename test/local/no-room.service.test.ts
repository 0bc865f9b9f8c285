/**
 * A disk that refuses what `npm start` writes: full from the beginning or at some time later, or only read.
 * @module-tag full
 */
import { execFileSync } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makeTemporaryDirectory } from '../setup/temporary-directory.ts';
import { use } from '../setup/use.ts';
import { keepLoginPassword } from './login-password.ts';
import { runProgram } from './program.ts';

const directory = use(makeTemporaryDirectory, 'remove');

/** Mounts a disk in memory of so many bytes until the end of the test. */
async function mountDisk(size: string): Promise<string> {
  const { path, remove } = await makeTemporaryDirectory(directory.path);
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=755`, 'none', path]);
  onTestFinished(async () => {
    execFileSync('umount', [path]);
    await remove();
  });
  return path;
}

const fill = (disk: string) => writeFile(join(disk, 'fill'), Buffer.alloc(2 ** 20)).catch(() => {});

it.each<[what: string, size: string, hasSecrets: boolean, sentence: RegExp]>([
  ['has no room for the secrets', '4k', false, /ENOSPC.+ Free some room there/],
  ['has no room for a database', '20m', true, /No space left on device$/],
])('npm start says so in a sentence when its disk %s, and removes what it began', async (...[
  ,
  size,
  hasSecrets,
  sentence,
]) => {
  const disk = await mountDisk(size);
  const data = join(disk, 'data');
  await (hasSecrets ? keepLoginPassword(data) : fill(disk));
  const { code, stderr } = await runProgram('start', ['--data', data], { PORT: '0' });
  expect([code, stderr.trim().split('\n')]).toEqual([1, [expect.stringMatching(sentence)]]);
  expect((await readdir(data)).filter(name => /^(?:secrets\.json\.|postgres)/.test(name))).toEqual([]);
});

it('npm start says so in a sentence when its disk is only read', async () => {
  const disk = await mountDisk('1m');
  execFileSync('mount', ['-o', 'remount,ro', disk]);
  const ending = await runProgram('start', ['--data', join(disk, 'data')], { PORT: '0' });
  const sentence = expect.stringMatching(/^\S+\/data cannot be used: EROFS: read-only file system.+\n$/);
  expect(ending).toMatchObject({ code: 1, stderr: sentence });
});
