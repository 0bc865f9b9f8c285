/** The workers of a deployment, as wrangler deploys them: their bundles, and what wrangler.toml binds. */
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WorkerOptions } from 'miniflare';
import { inject, vi } from 'vitest';
import { dryRun } from '../../functions/local/bundle-worker.ts';
import { routesOf } from '../../functions/local/deploy/config.ts';
import { workers } from '../../functions/local/deploy/workers.ts';
import { optionsOf, readConfig } from '../../functions/local/worker.ts';

export interface DeployedWorker {
  /** The env of wrangler.toml. */
  env: string;
  /** What others name as `script_name`. */
  name: string;
  /** For miniflare: the bundle and all bindings but Hyperdrive's and the secrets, which a deployment has of its own. */
  options: Partial<WorkerOptions>;
  /** The names of its bindings to Hyperdrive. */
  hyperdrives: string[];
  /** What it answers of a host: the patterns of its routes. */
  routes: string[];
  crons: string[];
}

/** All that `npm run deploy` uploads. */
export async function readWorkers(): Promise<DeployedWorker[]> {
  const { directory } = await bundleOnce();
  return workers.map(env => {
    const config = readConfig(env);
    const modulesRoot = join(directory, env);
    return {
      env,
      name: config.name ?? env,
      options: {
        // Wrangler would want the address of a database for them.
        ...optionsOf({ ...config, hyperdrive: [] }),
        modules: [{ type: 'ESModule', path: join(modulesRoot, `${env}.js`) }],
        modulesRoot,
      } as Partial<WorkerOptions>,
      hyperdrives: config.hyperdrive.map(({ binding }: { binding: string }) => binding),
      routes: routesOf(env, '', '').map(({ pattern }) => pattern),
      crons: config.triggers.crons ?? [],
    };
  });
}

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
