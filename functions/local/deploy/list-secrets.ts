/** `wrangler secret list`, which tells the names of a worker's secrets. */
import { execFile } from 'node:child_process';
import { promisify, stripVTControlCharacters } from 'node:util';
import { fail, ok, type Result } from '../../common/result.ts';
import { root } from '../settings.ts';
import { wrangler } from '../wrangler.ts';

/** Its streams are no terminal, so wrangler asks nothing and opens no browser. */
const execute = promisify(execFile);

/** Returns their names, or wrangler's error on one line. A worker that was not deployed yet has none. */
export async function listSecrets(worker: string): Promise<Result<string[], string>> {
  const args = [wrangler, 'secret', 'list', '--name', worker];
  // Without it, wrangler asks on the network for a newer wrangler.
  const env = { ...process.env, WRANGLER_HIDE_BANNER: 'true' };
  try {
    const { stdout } = await execute(process.execPath, args, { cwd: root, env });
    return ok((JSON.parse(stdout) as { name: string }[]).map(({ name }) => name));
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string };
    const problem = firstError(stderr || message);
    return /^Worker .* not found\./.test(problem) ? ok([]) : fail(problem);
  }
}

/** The first error that wrangler reports, with the lines below it, but not where to read about tokens, or its log. */
function firstError(output: string): string {
  const [, error = output] = stripVTControlCharacters(output).split(/^.*\[ERROR\] */m);
  const [text = ''] = error.split(/Please go to|🪵/);
  return text.trim().replace(/\s+/g, ' ');
}
