/** Whether the workers have their secrets, which Cloudflare keeps by their names. */
import { keyVariables } from '../../caller/unset-keys.ts';
import { ok, type Result } from '../../common/result.ts';
import type { Deployment } from './deployment.ts';
import { listSecrets } from './list-secrets.ts';
import { workers } from './workers.ts';

/** The worker of the cron serves no requests. */
const isServing = (worker: string): boolean => worker !== 'expiry';

/** A line for each secret that is missing, or one line when they can't be listed. */
export async function checkSecrets({ envs }: Deployment): Promise<string[]> {
  const check = async (worker: string): Promise<Result<string[], string>> => {
    const secrets = await listSecrets(worker);
    const variables = Object.keys(envs[worker]?.vars ?? {});
    return secrets.ok ? ok(findMissingKeys(worker, [...secrets.value, ...variables])) : secrets;
  };
  const [first = '', ...others] = workers.filter(isServing);
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

/** `set` are the names of its secrets and variables. */
const findMissingKeys = (worker: string, set: string[]): string[] =>
  keyVariables
    .filter(names => !names.some(name => set.includes(name)))
    .map(
      names =>
        `The worker ${worker} has no ${names.join(' or ')}: npx wrangler secret put ${names[0]} --env ${worker}`,
    );
