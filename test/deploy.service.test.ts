import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dryRun } from '../functions/local/bundle-worker.ts';
import { workers } from '../functions/local/deploy/workers.ts';
import { runProgram } from './local/program.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from './setup/temporary-directory.ts';

/** The packages that are in a bundle, by what the bundler says it took. */
async function bundledPackages(directory: string): Promise<string[]> {
  const { outputs } = JSON.parse(await readFile(join(directory, 'bundle-meta.json'), 'utf8')) as {
    outputs: Record<string, { inputs: Record<string, { bytesInOutput: number }> }>;
  };
  const taken = Object.values(outputs)
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  const names = taken.flatMap(([path]) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
  return [...new Set(names)].sort();
}

describe('wrangler deploy --dry-run', () => {
  let directory: TemporaryDirectory;
  beforeAll(async () => {
    directory = await makeTemporaryDirectory();
  });
  afterAll(() => directory.remove());

  it.each(['all', ...workers])('bundles the worker %s, and warns of nothing', async name => {
    const { script, output } = await dryRun(join(directory.path, name), name);
    expect(output).not.toMatch(/warning/i);
    const text = await readFile(script, 'utf8');
    expect(text).toMatch(/export\s*\{[^}]*default/);
    // `all` has every worker in it, the object of live updates too.
    expect(gzipSync(text).length).toBeLessThan(name === 'all' ? 105_000 : 100_000);
    const others = ['hono', 'jose', 'postgres', 'valibot'];
    expect(await bundledPackages(join(directory.path, name))).toEqual(
      name === 'expiry' ? ['postgres'] : others,
    );
  });
});

describe('npm run deploy', () => {
  it('deploys one worker after the other, and stops at the first that fails', {
    timeout: 60_000,
  }, async () => {
    const { code, stderr } = await runProgram('deploy', ['--no-such-option']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/The worker live was not deployed, nor those after it\.\n$/);
    expect(stderr).not.toContain('graphics');
  });
});
