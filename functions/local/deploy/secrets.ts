/** Checks that the workers have their secrets. Cloudflare lists only the names. */
import { execFile } from 'node:child_process';
import { promisify, stripVTControlCharacters } from 'node:util';
import { keyVariables } from '../../caller/unset-keys.ts';
import { fail, ok, type Result } from '../../failure/result.ts';
import { root } from '../settings.ts';
import { wrangler } from '../wrangler.ts';

/** Runs wrangler without a terminal, so that it neither prompts nor opens a browser. */
const execute = promisify(execFile);

/** Returns a line for each secret that a worker lacks, or one line when they can't be listed. */
export async function checkSecrets(workers: string[]): Promise<string[]> {
  const unset: string[] = [];
  // One after the other, since without a login all would fail alike.
  for (const worker of workers) {
    const secrets = await listSecrets(worker);
    if (!secrets.ok) {
      return [
        `The secrets could not be checked. Log in with npx wrangler login, or set CLOUDFLARE_API_TOKEN. Wrangler says: ${secrets.failure}`,
      ];
    }
    unset.push(...findUnset(worker, secrets.value));
  }
  return unset;
}

/** Returns a line for each key that is missing; `set` are the names of the worker's secrets. */
export const findUnset = (worker: string, set: string[]): string[] =>
  keyVariables
    .filter(names => !names.some(name => set.includes(name)))
    .map(
      names =>
        `The worker ${worker} has no ${names.join(' or ')}: npx wrangler secret put ${names[0]} --name ${worker}`,
    );

/** Returns the names of a worker's secrets, or wrangler's error on one line. A worker that was never deployed has no secrets. */
async function listSecrets(worker: string): Promise<Result<string[], string>> {
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

/** Returns wrangler's first error, without its advice on tokens and the path of its log. */
function firstError(output: string): string {
  const [, error = output] = stripVTControlCharacters(output).split(/^.*\[ERROR\] */m);
  const [text = ''] = error.split(/Please go to|🪵/);
  return text.trim().replace(/\s+/g, ' ');
}
