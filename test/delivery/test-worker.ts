/** A worker of this folder, bundled as wrangler does, in workerd. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { WorkerOptions } from 'miniflare';
import {
  addressOf,
  instanceOptions,
  optionsOf,
  readConfig,
  startMiniflare,
} from '../../functions/local/worker.ts';
import { dryRun } from '../../functions/local/wrangler.ts';
import { makeTemporaryDirectory } from '../setup/temporary-directory.ts';

const bundles = new Map<string, Promise<string>>();

/** Bundles it, once in a process. Returns the script. */
async function bundle(name: string): Promise<string> {
  const directory = await makeTemporaryDirectory();
  const { compatibility_date, compatibility_flags } = readConfig('all');
  const config = join(directory.path, 'wrangler.json');
  const main = fileURLToPath(new URL(`${name}.ts`, import.meta.url));
  await writeFile(config, JSON.stringify({ name, main, compatibility_date, compatibility_flags }));
  await dryRun(directory.path, '', config);
  const script = await readFile(join(directory.path, `${name}.js`), 'utf8');
  await directory.remove();
  return script;
}

/** Starts `<name>.ts` with these options of miniflare on top of those of wrangler.toml. */
export async function startTestWorker(name: string, options: Partial<WorkerOptions>) {
  const script = bundles.get(name) ?? bundle(name);
  bundles.set(name, script);
  const { compatibilityDate, compatibilityFlags } = optionsOf(readConfig('all'));
  const logs: string[] = [];
  const miniflare = await startMiniflare({
    ...instanceOptions(line => logs.push(line)),
    name: 'all',
    modules: [{ type: 'ESModule', path: `${name}.js`, contents: await script }],
    compatibilityDate,
    compatibilityFlags,
    ...options,
  } as Parameters<typeof startMiniflare>[0]);
  return {
    /** Without a slash at the end. */
    url: (await addressOf(miniflare)).origin,
    /** What it has logged. */
    logs,
    stop: (): Promise<void> => miniflare.dispose(),
  };
}
