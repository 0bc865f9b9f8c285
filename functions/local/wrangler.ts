/** Wrangler, as a library and as the program that bundles a worker. Neither needs a network or an account. */
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { emptyDirectory } from './data-directory.ts';
import { Problem } from './program.ts';
import { root } from './settings.ts';

const execute = promisify(execFile);
const require = createRequire(import.meta.url);

// Its log would go into the home directory, which need not be writable.
process.env['WRANGLER_LOG_PATH'] ??= join(tmpdir(), `wrangler-logs-${process.getuid?.() ?? 0}`);

/** The path of wrangler's program, to run with Node. */
export const wrangler = join(require.resolve('wrangler'), '../../bin/wrangler.js');

/** Loads wrangler as a library. For an `import`, tsx would rewrite all of its 12 MB, which takes as long as loading them. */
export const requireWrangler = (): typeof import('wrangler') => require('wrangler');

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
