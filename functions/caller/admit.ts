/**
 * Admits or refuses a request before its body is read and the database is queried. Checks the URL's length, the key and
 * the token, the rate limits, and that no browser uses a key for servers.
 */

import type { Env } from '../common/env.ts';
import type { Failure } from '../common/failure/failure.ts';
import { fail, ok, type Result } from '../common/failure/result.ts';
import { limits } from '../common/limits.ts';
import { anon, type Caller, identifyCaller, isForServers } from './caller.ts';
import { isFromBrowser } from './origin.ts';
import { type AddressKind, countAddress, countCaller } from './rate-limit.ts';
import { explainRefusal } from './unset-keys.ts';

/** Returns the caller of an admitted request, or the failure of a refused one. */
export type Admit = (request: Request, env: Env, trace: CallerTrace) => Promise<Result<Caller>>;

/** Where `admit` notes who called, also for the log line of a request that it refuses. */
interface CallerTrace {
  caller: Caller | undefined;
}

/** Admits requests without a key, up to the rate limit of their address. */
export const admitAddress =
  (kind: AddressKind): Admit =>
  async (request, env) => {
    const counted = await countAddress(request, kind, env);
    return counted.ok ? ok(anon) : counted;
  };

/** Admits every request; for pages and files. */
export const admitEveryone: Admit = async () => ok(anon);

/** Admits requests with a key. Identifies the caller, and records it in the trace. */
export async function admit(request: Request, env: Env, trace: CallerTrace): Promise<Result<Caller>> {
  if (request.url.length > limits.request.url) {
    return fail<Failure>({ is: 'url too long' });
  }
  const caller = await identify(request.headers, env);
  if (caller.ok) {
    trace.caller = caller.value;
  }
  const counted = await countCaller(request, caller, env);
  if (!counted.ok) {
    return counted;
  }
  return caller.ok ? caller : fail(explainRefusal(caller.failure, env));
}

async function identify(headers: Headers, env: Env): Promise<Result<Caller>> {
  const apiKey = headers.get('apikey');
  const caller = await identifyCaller(apiKey, headers.get('authorization'), env);
  if (!isFromBrowser(headers)) {
    return caller;
  }
  const holder = await identifyCaller(apiKey, null, env);
  const forServers = [caller, holder].find(one => one.ok && isForServers(one.value));
  return forServers?.ok ? fail<Failure>({ is: 'secret in browser', kind: forServers.value.kind }) : caller;
}
