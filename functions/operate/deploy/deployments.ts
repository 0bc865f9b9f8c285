/** The version of a worker that serves requests, as Cloudflare reports it. */
import { ok, type Result } from '../../common/failure/result.ts';
import { askWrangler } from './ask-wrangler.ts';

/** A version's id; undefined for a worker that was never deployed. */
export type Version = string | undefined;

/** Returns the current version, or wrangler's error. */
export async function currentVersion(worker: string): Promise<Result<Version, string>> {
  const list = await askWrangler('deployments', 'list', '--name', worker, '--json');
  if (!list.ok) {
    return /\[code: (?:10007|10090|10092)\]/.test(list.failure) ? ok(undefined) : list;
  }
  const last = (list.value as { versions: { version_id: string }[] }[]).at(-1);
  return ok(last?.versions[0]?.version_id);
}
