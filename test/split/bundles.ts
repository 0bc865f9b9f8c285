/** The bundles of a deployment, made once in a run. */
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inject, vi } from 'vitest';
import { dryRun } from '../../functions/local/bundle-worker.ts';
import { workers } from '../../functions/local/deploy/workers.ts';

export interface Bundles {
  /** Where that of each worker is, in a directory of its name. */
  directory: string;
  /** What wrangler said of each. */
  outputs: Record<string, string>;
}

let bundled: Promise<Bundles> | undefined;

/** Bundles them once in a run, which takes 6 s: the first process that needs them does, and the others wait. */
export function bundleOnce(): Promise<Bundles> {
  bundled ??= bundleFirst(inject('bundles'));
  return bundled;
}

async function bundleFirst(directory: string): Promise<Bundles> {
  const isFirst = await mkdir(directory).then(
    () => true,
    () => false,
  );
  const done = join(directory, 'outputs.json');
  if (isFirst) {
    const bundles = await Promise.all(workers.map(env => dryRun(join(directory, env), env)));
    const outputs = Object.fromEntries(bundles.map(({ output }, index) => [workers[index], output]));
    await writeFile(`${done}.part`, JSON.stringify(outputs));
    await rename(`${done}.part`, done);
  }
  await vi.waitUntil(() => existsSync(done), { timeout: 120_000 });
  return { directory, outputs: JSON.parse(await readFile(done, 'utf8')) };
}
