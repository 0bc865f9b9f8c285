import type { Caller } from '../caller/caller.ts';
import { networkOf } from './client-address.ts';

/**
 * Returns the key of the caller whose share of the connections a request uses: the account of a signed-in user, one key for
 * all holders of the secret key, else the client's network. The address is only reliable behind Cloudflare.
 */
export function callerKey(headers: Headers, caller?: Caller): string {
  if (caller?.claims && 'sub' in caller.claims) {
    return caller.claims.sub;
  }
  return caller?.kind === 'service'
    ? 'service'
    : `address ${networkOf(headers.get('cf-connecting-ip') ?? 'unknown')}`;
}
