/** Bundles a worker into one file, as wrangler deploys it. Needs no network and no account. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { Problem } from './problem.ts';
import { root } from './settings.ts';
import { wrangler } from './wrangler.ts';

const execute = promisify(execFile);

/**
 * Bundles the worker of an env of wrangler.toml, or of its top level (`all`), into a directory, and returns the script's
 * path. Throws a Problem with the bundler's output.
 */
export async function bundleWorker(directory: string, env?: string): Promise<string> {
  const args = [wrangler, 'deploy', '--dry-run', '--outdir', directory, '--metafile', '--env', env ?? ''];
  const quiet = { WRANGLER_SEND_METRICS: 'false', WRANGLER_HIDE_BANNER: 'true' };
  try {
    await execute(process.execPath, args, { cwd: root, env: { ...process.env, ...quiet } });
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string };
    throw new Problem(
      `The worker could not be bundled.\n${stripVTControlCharacters(stderr || message).trim()}`,
    );
  }
  return join(directory, `${env ?? 'all'}.js`);
}
