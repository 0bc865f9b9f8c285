/** The bundles of a deployment, made once in a run. */
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inject, vi } from 'vitest';
import { dryRun } from '../../functions/local/wrangler.ts';
import { workers } from '../../functions/operate/deploy/workers.ts';

let bundled: ReturnType<typeof bundleFirst> | undefined;

/** Bundles each worker into a directory of its name, once in a run: the first process that needs them does, others wait. */
export function bundleOnce() {
  bundled ??= bundleFirst(inject('bundles'));
  return bundled;
}

async function bundleFirst(directory: string) {
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
  await vi.waitUntil(() => existsSync(done), { timeout: 280_000 });
  /** What wrangler said of each. */
  const outputs: Record<string, string> = JSON.parse(await readFile(done, 'utf8'));
  return { directory, outputs };
}
