/** Whether the workers have their secrets, which Cloudflare keeps by their names. */
import { keyVariables } from '../../caller/unset-keys.ts';
import { ok, type Result } from '../../common/result.ts';
import { listSecrets } from './list-secrets.ts';

/** Returns a line for each secret that a worker lacks, or one line when they can't be listed. */
export async function checkSecrets(workers: string[]): Promise<string[]> {
  const check = async (worker: string): Promise<Result<string[], string>> => {
    const secrets = await listSecrets(worker);
    return secrets.ok ? ok(findUnset(worker, secrets.value)) : secrets;
  };
  const [first = '', ...others] = workers;
  // Without a login all would fail alike, so one is asked before the others.
  const begun = await check(first);
  const checked = begun.ok ? [begun, ...(await Promise.all(others.map(check)))] : [begun];
  const failed = checked.find(result => !result.ok);
  return failed
    ? [
        `The secrets could not be checked. Log in by npx wrangler login, or set CLOUDFLARE_API_TOKEN. Wrangler says: ${failed.failure}`,
      ]
    : checked.flatMap(result => (result.ok ? result.value : []));
}

/** Returns a line for each key that is missing; `set` are the names of the worker's secrets. */
export const findUnset = (worker: string, set: string[]): string[] =>
  keyVariables
    .filter(names => !names.some(name => set.includes(name)))
    .map(
      names =>
        `The worker ${worker} has no ${names.join(' or ')}: npx wrangler secret put ${names[0]} --name ${worker}`,
    );
