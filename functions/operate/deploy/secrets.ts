/** The workers' secrets: those in a file, and whether each worker has its own. Cloudflare lists only the names. */
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { keyVariables } from '../../caller/unset-keys.ts';
import { fail, ok, type Result } from '../../common/failure/result.ts';
import { Problem } from '../../local/problem.ts';
import { askWrangler } from './ask-wrangler.ts';
import { servingWorkers } from './workers.ts';

/** Secrets by name. */
export type Secrets = Record<string, string>;

/** The secrets of every worker that serves requests, and those of one worker. */
const shared = [...keyVariables.flat(), 'READ_KEY'];
const own: Record<string, readonly string[]> = { delivery: ['MAIL_URL'] };
const known = [...shared, ...Object.values(own).flat()];

/** Returns the secrets that a worker needs, of all in the file. */
export function secretsOf(worker: string, secrets: Secrets): Secrets {
  const needed = servingWorkers.includes(worker) ? [...shared, ...(own[worker] ?? [])] : [];
  return Object.fromEntries(Object.entries(secrets).filter(([name]) => needed.includes(name)));
}

/** Reads a file of secrets: a JSON object, or `NAME=value` lines. Throws a Problem, which contains no value. */
export function readSecrets(path: string): Secrets {
  const content = parse(readText(path));
  if (!content.ok) {
    throw new Problem(`${path}: ${content.failure}`);
  }
  const problems = Object.entries(content.value).flatMap(([name, value]) => {
    if (!known.includes(name)) {
      return [`${path}: no worker has a secret ${name}. The secrets are ${known.join(', ')}.`];
    }
    return typeof value === 'string' && value !== '' ? [] : [`${path}: ${name} must be a text.`];
  });
  if (problems.length > 0) {
    throw new Problem(problems.join('\n'));
  }
  return content.value as Secrets;
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Problem(`The secrets cannot be read: ${(error as Error).message}`);
  }
}

/** Errors of the parsers would quote the file. */
function parse(text: string): Result<object, string> {
  try {
    const content: unknown = JSON.parse(text);
    return typeof content === 'object' && content !== null && !Array.isArray(content)
      ? ok(content)
      : fail('must be a JSON object.');
  } catch {
    const content = parseEnv(text);
    return Object.keys(content).length > 0
      ? ok(content)
      : fail('is neither a JSON object nor NAME=value lines.');
  }
}

/** Returns a line for each secret that a worker lacks, or one line when they can't be listed. `given` will be uploaded. */
export async function checkSecrets(
  workers: readonly string[],
  given: Secrets,
): Promise<Result<string[], string>> {
  const unset: string[] = [];
  // One after the other, since without a login all would fail alike.
  for (const worker of workers) {
    const set = await listSecrets(worker);
    if (!set.ok) {
      return fail(
        `The secrets could not be checked. Log in with npx wrangler login, or set CLOUDFLARE_API_TOKEN. Wrangler says: ${set.failure}`,
      );
    }
    unset.push(...findUnset(worker, [...set.value, ...Object.keys(given)]));
  }
  return ok(unset);
}

/** Returns a line for each key that is missing; `set` are the names of the worker's secrets. */
export const findUnset = (worker: string, set: string[]): string[] =>
  keyVariables
    .filter(names => !names.some(name => set.includes(name)))
    .map(
      names =>
        `The worker ${worker} has no ${names.join(' or ')}: put it into a file and add --secrets-file <file>.`,
    );

/** Returns the names of a worker's secrets, or wrangler's error. A worker that was never deployed has no secrets. */
async function listSecrets(worker: string): Promise<Result<string[], string>> {
  const list = await askWrangler('secret', 'list', '--name', worker);
  if (!list.ok) {
    return /^Worker .* not found\./.test(list.failure) ? ok([]) : list;
  }
  return ok((list.value as { name: string }[]).map(({ name }) => name));
}
