/** The access token of a join, or of a later message → who listens. */

import { countAccount, countOrigin } from '../admission/rate-limit.ts';
import { type Caller, identifyBearer, service } from '../caller/caller.ts';
import type { Env } from '../common/env.ts';
import { fail, ok, type Result } from '../common/result.ts';
import type { Failure } from '../failure/failure.ts';
import { expiryOf } from '../token/expiry.ts';
import type { LiveSocket } from './socket.ts';

export interface Identified {
  caller: Caller;
  /** Seconds since 1970; null of a key. */
  expires: number | null;
}

/**
 * Identifies who listens. Without a token only the holder of the secret key is somebody. A page whose first join comes
 * before its token is refused, and joins again with it.
 */
export async function identify(token: unknown, socket: LiveSocket, env: Env): Promise<Result<Identified>> {
  if (typeof token !== 'string' || token === '') {
    return socket.state.isService ? ok({ caller: service, expires: null }) : signInFirst;
  }
  const caller = await identifyBearer(token, env);
  if (!caller.ok) {
    const counted = await countOrigin(socket.state.network, 'secret', env);
    return counted.ok ? caller : counted;
  }
  if (caller.value.kind === 'anon') {
    return socket.state.isService ? ok({ caller: service, expires: null }) : signInFirst;
  }
  if (caller.value.kind === 'service' && socket.state.isBrowser) {
    return fail<Failure>({ is: 'secret in browser' });
  }
  const counted = await countAccount(caller.value, env);
  return counted?.ok === false ? counted : ok({ caller: caller.value, expires: expiryOf(token) ?? null });
}

const signInFirst = fail<Failure>({
  is: 'credentials missing',
  what: 'access token of a signed-in user',
});
