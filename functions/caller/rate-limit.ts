/**
 * Rate limits. Cloudflare counts the requests of a caller in each of its locations; wrangler.toml has the limits. Without
 * the bindings, requests are unlimited.
 */

import type { Env } from '../common/env.ts';
import type { Failure } from '../common/failure/failure.ts';
import { fail, ok, type Result } from '../common/failure/result.ts';
import type { Caller } from './caller.ts';
import { networkOf } from './caller-key.ts';

/**
 * Counts a request against the account of a signed-in caller, else against the client's address. Requests with refused
 * credentials share a count with the secret key's from that address. That prevents guessing: after too many wrong keys,
 * even the right one is refused.
 */
export function countCaller(request: Request, caller: Result<Caller>, env: Env): Promise<Result<void>> {
  return (
    (caller.ok && countAccount(caller.value, env)) ||
    countAddress(request, caller.ok && caller.value.kind === 'anon' ? 'publishable' : 'secret', env)
  );
}

/** Counts against the account of a signed-in caller; undefined for others. */
export function countAccount({ claims }: Caller, env: Env): Promise<Result<void>> | undefined {
  return claims?.role === 'authenticated' ? count(env.ACCOUNT_LIMIT, () => claims.sub) : undefined;
}

export type AddressKind = 'publishable' | 'secret' | 'health' | 'unsubscribe' | 'offer';

/** Counts a request of this kind against its client's address. */
export const countAddress = ({ headers }: Request, kind: AddressKind, env: Env): Promise<Result<void>> =>
  countOrigin(originOf(headers), kind, env);

/** Counts an event other than a request, such as a message of a socket. `origin`: originOf() of the request that began it. */
export const countOrigin = (origin: string, kind: AddressKind, env: Env): Promise<Result<void>> =>
  count(env.ADDRESS_LIMIT, () => `${kind} ${origin}`);

/** Counts against a limiter. Admits the request when the limiter itself fails. */
async function count(limiter: RateLimit | undefined, key: () => string): Promise<Result<void>> {
  try {
    return !limiter || (await limiter.limit({ key: key() })).success
      ? ok(undefined)
      : fail<Failure>({ is: 'rate limited', reason: 'RATE_LIMIT' });
  } catch (error) {
    // Its message may name the key: an account or an address.
    console.error({ event: 'rate limit', error: error instanceof Error ? error.name : typeof error });
    return ok(undefined);
  }
}

/** The network of all requests from Workers. Cloudflare sets CF-Worker to the zone that owns the Worker. */
const workersNetwork = '2a06:98c0:3600:0';

/** Returns the origin of a request: its network and, for requests from Workers, their zone. */
export function originOf(headers: Headers): string {
  const network = networkOf(headers.get('cf-connecting-ip') ?? '');
  return network === workersNetwork ? `${network} ${headers.get('cf-worker')}` : network;
}
