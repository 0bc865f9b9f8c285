import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleWorker } from '../functions/local/bundle-worker.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from './setup/temporary-directory.ts';

describe('wrangler deploy --dry-run', () => {
  let directory: TemporaryDirectory;
  beforeAll(async () => {
    directory = await makeTemporaryDirectory();
  });
  afterAll(() => directory.remove());

  it.each([
    'all',
    'quotes',
    'graphics',
    'notifications',
    'reference',
    'expiry',
  ])('bundles the worker %s', async name => {
    const script = await bundleWorker(join(directory.path, name), name === 'all' ? undefined : name);
    const text = await readFile(script, 'utf8');
    expect(text).toMatch(/export\s*\{[^}]*default/);
    expect(gzipSync(text).length).toBeLessThan(100_000);
  });
});
