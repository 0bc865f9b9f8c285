import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleWorker } from '../functions/local/bundle-worker.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from './setup/temporary-directory.ts';

describe('wrangler deploy --dry-run', () => {
  let directory: TemporaryDirectory;
  beforeAll(async () => {
    directory = await makeTemporaryDirectory();
  });
  afterAll(() => directory.remove());

  it.each(['all', 'quotes', 'graphics', 'notifications', 'expiry'])('bundles the worker %s', async name => {
    const script = await bundleWorker(join(directory.path, name), name === 'all' ? undefined : name);
    expect(await readFile(script, 'utf8')).toMatch(/export\s*\{[^}]*default/);
  });
});
