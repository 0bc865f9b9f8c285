/** The worker as wrangler would deploy it, in one file. Needs no network and no account. */
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { Problem } from './problem.ts';
import { root } from './settings.ts';

const execute = promisify(execFile);

export interface BundleOptions {
  /** A section of wrangler.toml; the top level when left out. */
  env?: string;
  /** Its path; the checkout's when left out. */
  config?: string;
  /** The entry, when it is not `functions/all.ts`. */
  entry?: string;
}

/** Bundles into a directory; answers the script's path. Throws a Problem with what the bundler said. */
export async function bundleWorker(directory: string, options: BundleOptions = {}): Promise<string> {
  const wrangler = join(createRequire(import.meta.url).resolve('wrangler'), '../../bin/wrangler.js');
  const { env = '', config = join(root, 'wrangler.toml'), entry = 'all.ts' } = options;
  const args = [wrangler, 'deploy', '--dry-run', '--outdir', directory, '--config', config, '--env', env];
  const quiet = { WRANGLER_SEND_METRICS: 'false', WRANGLER_HIDE_BANNER: 'true', WRANGLER_WRITE_LOGS: 'false' };
  try {
    await execute(process.execPath, args, { cwd: root, env: { ...process.env, ...quiet } });
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string };
    throw new Problem(`The worker could not be bundled.\n${stderr?.trim() || message}`);
  }
  return join(directory, `${basename(entry, '.ts')}.js`);
}
