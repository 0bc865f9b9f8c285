/** A worker as wrangler would deploy it, in one file. Needs no network and no account. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { Problem } from './problem.ts';
import { root } from './settings.ts';
import { wrangler } from './wrangler.ts';

const execute = promisify(execFile);

/**
 * Bundles the worker of a section of wrangler.toml (the top level, `all`, when none is named) into a directory;
 * answers the script's path. Throws a Problem with what the bundler said.
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
