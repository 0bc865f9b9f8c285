/** The file of secrets, and which worker gets which of them. */
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { keyVariables } from '../../caller/unset-keys.ts';
import { fail, ok, type Result } from '../../common/failure/result.ts';
import { Problem } from '../../local/problem.ts';
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
  // Which keys the workers already have is not known here.
  problems.push(
    ...keyVariables
      .filter(names => !names.some(name => Object.hasOwn(content.value, name)))
      .map(names => `${path}: ${names.join(' or ')} is missing.`),
  );
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
