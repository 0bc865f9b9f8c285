/** Who listens: the caller of an access token, or of the secret key with which the socket was opened. */

import { type Caller, identifyBearer, isForServers, service } from '../caller/caller.ts';
import { countAccount, countOrigin } from '../caller/rate-limit.ts';
import { expiryOf } from '../caller/token/claims.ts';
import type { Env } from '../common/env.ts';
import type { Failure } from '../common/failure/failure.ts';
import { fail, ok, type Result } from '../common/failure/result.ts';
import type { Opened } from './live-socket.ts';

/** Returns the failure of a caller by a key that live updates don't take. */
export function findRefusal(caller: Caller, isBrowser: boolean): Failure | undefined {
  if (isForServers(caller) && isBrowser) {
    return { is: 'secret in browser', kind: caller.kind };
  }
  return caller.kind === 'reader' ? { is: 'read key', refused: 'live' } : undefined;
}

/** Who a token belongs to, and when it expires: seconds since 1970, null of a key. */
interface Identified {
  caller: Caller;
  expires: number | null;
}

/** realtime-js has no token until its first `setAuth()` has ended, and joins without one. */
const lacking =
  'access token of a signed-in user: call `await supabase.realtime.setAuth()` before subscribe()';

/** Identifies who listens. Without a token, as before a page has its own, only a socket opened with the secret key may listen. */
export async function identify(token: unknown, opened: Opened, env: Env): Promise<Result<Identified>> {
  const given = typeof token === 'string' ? token : '';
  const caller = given === '' ? undefined : await identifyBearer(given, env);
  if (caller && !caller.ok) {
    const counted = await countOrigin(opened.network, 'secret', env);
    return counted.ok ? caller : counted;
  }
  if (!caller || caller.value.kind === 'anon') {
    return opened.isService
      ? ok({ caller: service, expires: null })
      : fail<Failure>({ is: 'credentials missing', what: lacking });
  }
  const refusal = findRefusal(caller.value, opened.isBrowser);
  if (refusal) {
    return fail(refusal);
  }
  const counted = await countAccount(caller.value, env);
  return counted?.ok === false ? counted : ok({ caller: caller.value, expires: expiryOf(given) ?? null });
}
