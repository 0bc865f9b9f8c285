import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { onChange } from '../../functions/local/watch.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../setup/temporary-directory.ts';

describe('watching the code', () => {
  let directory: TemporaryDirectory;
  let close: () => void;
  const reload = vi.fn(async () => {});
  const reloads = (times: number) => vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(times), 5000);

  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
    await writeFile(join(directory.path, 'code.ts'), '1');
    reload.mockClear();
    close = onChange([directory.path], reload);
  });
  afterEach(() => {
    close();
    return directory.remove();
  });

  it('reports each change of a file, also when an editor replaces it', async () => {
    for (const times of [1, 2, 3]) {
      await writeFile(join(directory.path, 'draft'), String(times));
      await rename(join(directory.path, 'draft'), join(directory.path, 'code.ts'));
      await reloads(times);
    }
  });
});
