import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { onChange } from '../../functions/local/watch.ts';
import { makeTemporaryDirectory } from '../setup/temporary-directory.ts';
import { use } from '../setup/use.ts';

const directory = use(makeTemporaryDirectory, 'remove');

it('each change of a file is noticed, also when an editor replaces it', async () => {
  const reload = vi.fn(async () => {});
  const folder = join(directory.path, 'functions');
  await mkdir(folder);
  await writeFile(join(folder, 'code.ts'), '1');
  const close = onChange([folder], reload);
  for (const times of [1, 2, 3]) {
    await writeFile(join(directory.path, 'draft'), String(times));
    await rename(join(directory.path, 'draft'), join(folder, 'code.ts'));
    await expect.poll(() => reload.mock.calls.length).toBe(times);
  }
  close();
});
