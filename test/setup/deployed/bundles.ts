/**
 * The bundles of workers as `npm run deploy` uploads them, each made once in a run by the first process that needs it. Those of
 * unchanged sources are kept for the next run.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inject, vi } from 'vitest';
import { bundleDemo } from '../../../functions/local/bundle-demo.ts';
import { dryRun } from '../../../functions/local/wrangler.ts';
import { workers } from '../../../functions/operate/deploy/workers.ts';
import { filesIn, root } from '../files.ts';

interface Bundle {
  /** The script's path. */
  script: string;
  /** What wrangler said, warnings too. */
  output: string;
}

const bundled = new Map<string, Promise<Bundle>>();

/** Bundles the worker of an env of wrangler.toml, with `all` also the page `/demo`. */
export function bundleOnce(env: string): Promise<Bundle> {
  const bundle = bundled.get(env) ?? bundleFirst(inject('bundles'), env);
  bundled.set(env, bundle);
  return bundle;
}

/** Bundles all workers of a deployment. */
export const bundleDeployed = async (): Promise<void> => void (await Promise.all(workers.map(bundleOnce)));

/** Where the page `/demo` is, once `all` is bundled. */
export const demoIn = (bundles: string): string => join(bundles, 'all', 'demo');

/** A file beside each bundle's directory, written when it is complete. */
const doneOf = (directory: string): string => `${directory}.json`;

async function bundleFirst(bundles: string, env: string): Promise<Bundle> {
  const directory = join(bundles, env);
  const done = doneOf(directory);
  const isFirst = await mkdir(directory).then(
    () => true,
    () => false,
  );
  if (isFirst) {
    const made = await bundle(bundles, env).catch(error => ({ problem: String(error) }));
    await writeFile(`${done}.part`, JSON.stringify(made));
    await rename(`${done}.part`, done);
  }
  await vi.waitUntil(() => existsSync(done), { timeout: 280_000 });
  const { problem, output } = JSON.parse(await readFile(done, 'utf8'));
  if (problem) {
    throw new Error(problem);
  }
  return { script: join(directory, `${env}.js`), output };
}

async function bundle(bundles: string, env: string) {
  const { output } = await dryRun(join(bundles, env), env);
  if (env === 'all') {
    await bundleDemo(demoIn(bundles));
  }
  return { output };
}

const kept = join(root, '.local/test-bundles');

/** Copies the bundles that an earlier run has kept into a new directory. Returns what keeps them for the next run. */
export async function restoreBundles(bundles: string): Promise<() => Promise<void>> {
  const hash = await hashSources();
  const isUnchanged = (await readFile(join(kept, 'hash'), 'utf8').catch(() => '')) === hash;
  await (isUnchanged ? cp(kept, bundles, { recursive: true }) : mkdir(bundles));
  return async () => {
    const names = await readdir(bundles);
    const made = names.filter(name => names.includes(doneOf(name)));
    const texts = await Promise.all(made.map(name => readFile(doneOf(join(bundles, name)), 'utf8')));
    const isWhole = texts.every(text => 'output' in JSON.parse(text)) && made.length > 0;
    if (isWhole && hash === (await hashSources())) {
      const copy = `${kept}-${process.pid}`;
      await cp(bundles, copy, { recursive: true });
      await writeFile(join(copy, 'hash'), hash);
      await rm(kept, { recursive: true, force: true });
      await rename(copy, kept);
    }
  };
}

/** A hash of all that bundles are made of. */
async function hashSources(): Promise<string> {
  const hash = createHash('sha256');
  const installed = ['wrangler.toml', 'package-lock.json', 'tsconfig.json'];
  for (const path of [...installed, ...['functions', 'schema'].flatMap(filesIn)]) {
    hash.update(path).update(await readFile(join(root, path)));
  }
  return hash.digest('hex');
}
