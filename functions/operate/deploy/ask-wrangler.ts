/** Asks Cloudflare by commands of wrangler. */
import { execFile } from 'node:child_process';
import { promisify, stripVTControlCharacters } from 'node:util';
import { fail, ok, type Result } from '../../common/failure/result.ts';
import { root } from '../../local/settings.ts';
import { wrangler } from '../../local/wrangler.ts';

/** Runs wrangler without a terminal, so that it neither prompts nor opens a browser. */
const execute = promisify(execFile);

/** Returns what the command printed, or wrangler's error on one line. */
export async function runWrangler(...args: string[]): Promise<Result<string, string>> {
  // Without it, wrangler asks on the network for a newer wrangler.
  const env = { ...process.env, WRANGLER_HIDE_BANNER: 'true' };
  try {
    const { stdout } = await execute(process.execPath, [wrangler, ...args], { cwd: root, env });
    return ok(stripVTControlCharacters(stdout));
  } catch (error) {
    // The message has the whole command, in which there may be a password.
    const { stderr, code } = error as { stderr?: string; code?: number | string };
    return fail(firstError(stderr || `wrangler ended with ${code}.`));
  }
}

/** Returns wrangler's first error, without its advice on tokens and the path of its log. */
function firstError(output: string): string {
  const [, error = output] = stripVTControlCharacters(output).split(/^.*\[ERROR\] */m);
  const [text = ''] = error.split(/Please go to|If you think this is a bug|🪵/);
  return text.trim().replace(/\s+/g, ' ');
}
