import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { onChange } from '../../functions/local/watch.ts';
import { makeTemporaryDirectory } from '../setup/temporary-directory.ts';
import { use } from '../setup/use.ts';

const directory = use(makeTemporaryDirectory, 'remove');

it('each change of a file is noticed, also when an editor replaces it', async () => {
  const reload = vi.fn(async () => {});
  await writeFile(join(directory.path, 'code.ts'), '1');
  const close = onChange([directory.path], reload);
  for (const times of [1, 2, 3]) {
    await writeFile(join(directory.path, 'draft'), String(times));
    await rename(join(directory.path, 'draft'), join(directory.path, 'code.ts'));
    await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(times), 5000);
  }
  close();
});
