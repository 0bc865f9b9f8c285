/** A worker of this folder, bundled as wrangler does, in workerd. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { WorkerOptions } from 'miniflare';
import { instanceOptions, optionsOf, readConfig, startMiniflare } from '../../functions/local/worker.ts';
import { wrangler } from '../../functions/local/wrangler.ts';
import { makeTemporaryDirectory } from '../setup/temporary-directory.ts';

export interface TestWorker {
  /** Without a slash at the end. */
  url: string;
  /** What it has logged. */
  logs: string[];
  stop(): Promise<void>;
}

/** Starts `<name>.ts` with these options of miniflare on top of those of wrangler.toml. */
export async function startTestWorker(name: string, options: Partial<WorkerOptions>): Promise<TestWorker> {
  const directory = await makeTemporaryDirectory();
  const { compatibility_date: date, compatibility_flags: flags } = readConfig('all');
  const config = join(directory.path, 'wrangler.json');
  const main = fileURLToPath(new URL(`${name}.ts`, import.meta.url));
  await writeFile(
    config,
    JSON.stringify({ name, main, compatibility_date: date, compatibility_flags: flags }),
  );
  const args = ['deploy', '--dry-run', '--outdir', directory.path, '--config', config, '--env', ''];
  const quiet = { WRANGLER_SEND_METRICS: 'false', WRANGLER_HIDE_BANNER: 'true' };
  await promisify(execFile)(process.execPath, [wrangler, ...args], { env: { ...process.env, ...quiet } });
  const { compatibilityDate, compatibilityFlags } = optionsOf(readConfig('all'));
  const logs: string[] = [];
  const miniflare = await startMiniflare({
    ...instanceOptions(line => logs.push(line)),
    name: 'all',
    modules: [{ type: 'ESModule', path: join(directory.path, `${name}.js`) }],
    modulesRoot: directory.path,
    compatibilityDate,
    compatibilityFlags,
    ...options,
  } as Parameters<typeof startMiniflare>[0]);
  return {
    url: (await miniflare.ready).origin,
    logs,
    async stop() {
      await miniflare.dispose();
      await directory.remove();
    },
  };
}
