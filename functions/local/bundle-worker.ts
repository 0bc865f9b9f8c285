/** Bundles a worker into one file, as wrangler deploys it. Needs no network and no account. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { emptyDirectory } from './data-directory.ts';
import { Problem } from './problem.ts';
import { root } from './settings.ts';
import { wrangler } from './wrangler.ts';

const execute = promisify(execFile);

interface Bundle {
  /** The script's path. */
  script: string;
  /** What wrangler said, warnings too. */
  output: string;
}

/**
 * Bundles the worker of an env of wrangler.toml, or of another such file, into a directory. Throws a Problem with the
 * bundler's output.
 */
export async function dryRun(directory: string, env: string, config = 'wrangler.toml'): Promise<Bundle> {
  const options = ['--dry-run', '--outdir', directory, '--metafile', '--env', env, '--config', config];
  const args = [wrangler, 'deploy', ...options];
  const quiet = { WRANGLER_SEND_METRICS: 'false', WRANGLER_HIDE_BANNER: 'true' };
  try {
    const { stdout, stderr } = await execute(process.execPath, args, {
      cwd: root,
      env: { ...process.env, ...quiet },
    });
    const output = stripVTControlCharacters(stdout + stderr);
    return { script: join(directory, `${env}.js`), output };
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string };
    throw new Problem(
      `The worker could not be bundled.\n${stripVTControlCharacters(stderr || message).trim()}`,
    );
  }
}

/** Bundles the worker `all` into a directory, and returns the script's path. */
export const bundleWorker = async (directory: string): Promise<string> =>
  (await dryRun(await emptyDirectory(directory), 'all')).script;
