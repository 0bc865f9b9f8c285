/** Asks Cloudflare by a command of wrangler that prints JSON. */
import { execFile } from 'node:child_process';
import { promisify, stripVTControlCharacters } from 'node:util';
import { fail, ok, type Result } from '../../common/failure/result.ts';
import { root } from '../../local/settings.ts';
import { wrangler } from '../../local/wrangler.ts';

/** Runs wrangler without a terminal, so that it neither prompts nor opens a browser. */
const execute = promisify(execFile);

/** Returns what the command printed, or wrangler's error on one line. */
export async function askWrangler(...args: string[]): Promise<Result<unknown, string>> {
  // Without it, wrangler asks on the network for a newer wrangler.
  const env = { ...process.env, WRANGLER_HIDE_BANNER: 'true' };
  try {
    const { stdout } = await execute(process.execPath, [wrangler, ...args], { cwd: root, env });
    return ok(JSON.parse(stdout));
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string };
    return fail(firstError(stderr || message));
  }
}

/** Returns wrangler's first error, without its advice on tokens and the path of its log. */
function firstError(output: string): string {
  const [, error = output] = stripVTControlCharacters(output).split(/^.*\[ERROR\] */m);
  const [text = ''] = error.split(/Please go to|If you think this is a bug|🪵/);
  return text.trim().replace(/\s+/g, ' ');
}
