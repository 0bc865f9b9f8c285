/**
 * How often a caller may ask: Cloudflare counts, in each of its locations, and wrangler.toml says how many are too
 * many. Where the bindings are missing there is no limit.
 */

import type { Env } from '../common/env.ts';
import { limits } from '../common/limits.ts';
import { fail, ok, type Result } from '../common/result.ts';
import type { Failure } from '../failure/failure.ts';
import type { Caller } from './caller.ts';
import { networkOf } from './client-address.ts';

/**
 * One more request of this caller: of its account when it is signed in, else of its address. A credential that was
 * refused counts with the secret key's requests from there, so that nobody tries many keys: soon the right one would
 * be refused as well.
 */
export function countCaller(request: Request, caller: Result<Caller>, env: Env): Promise<Result<void>> {
  const claims = caller.ok ? caller.value.claims : undefined;
  return claims?.role === 'authenticated'
    ? count(env.ACCOUNT_LIMIT, () => claims.sub)
    : countAddress(request, caller.ok && caller.value.kind === 'anon' ? 'publishable' : 'secret', env);
}

/** One more request of this kind from the request's address. */
export const countAddress = (
  { headers }: Request,
  kind: 'publishable' | 'secret' | 'health',
  env: Env,
): Promise<Result<void>> => count(env.ADDRESS_LIMIT, () => `${kind} ${originOf(headers)}`);

/** A limiter that fails limits nothing. */
async function count(limiter: RateLimit | undefined, key: () => string): Promise<Result<void>> {
  try {
    return !limiter || (await limiter.limit({ key: key() })).success
      ? ok(undefined)
      : fail<Failure>({ is: 'rate limited', seconds: limits.rate.periodSeconds, reason: 'RATE_LIMIT' });
  } catch (error) {
    // Its message may name the key: an account or an address.
    console.error({ event: 'rate limit', error: error instanceof Error ? error.name : typeof error });
    return ok(undefined);
  }
}

/** What all Workers of other zones come from: CF-Worker, which Cloudflare sets, tells whose it was. */
const workersNetwork = '2a06:98c0:3600:0';

function originOf(headers: Headers): string {
  const network = networkOf(headers.get('cf-connecting-ip') ?? '');
  return network === workersNetwork ? `${network} ${headers.get('cf-worker')}` : network;
}
