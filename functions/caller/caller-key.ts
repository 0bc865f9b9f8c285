import type { Caller } from './caller.ts';
import { networkOf } from './client-address.ts';

/**
 * Whose share of the connections a request takes: its account's, that of all who hold the secret key, or, of callers
 * who have not signed in, that of their address. Where Cloudflare is not in front, addresses may be anything.
 */
export function callerKey(headers: Headers, caller?: Caller): string {
  if (caller?.claims && 'sub' in caller.claims) {
    return caller.claims.sub;
  }
  return caller?.kind === 'service'
    ? 'service'
    : `address ${networkOf(headers.get('cf-connecting-ip') ?? 'unknown')}`;
}
