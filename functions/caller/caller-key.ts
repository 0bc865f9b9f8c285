import { type Caller, isForServers } from './caller.ts';

/**
 * Returns the key that identifies a request's caller for its share of connections and memory: the account of a signed-in
 * user, one key each for all uses of the secret key and of a read key, else the client's network. The network is only
 * reliable behind Cloudflare.
 */
export function callerKey(headers: Headers, caller: Caller): string {
  if (caller.claims && 'sub' in caller.claims) {
    return caller.claims.sub;
  }
  return isForServers(caller)
    ? caller.kind
    : `address ${networkOf(headers.get('cf-connecting-ip') ?? 'unknown')}`;
}

/** Returns the network that counts as one client: an IPv4 address, or the /64 prefix of an IPv6 address. */
export function networkOf(address: string): string {
  const [before = '', after] = address.split('::');
  if (!address.includes(':')) {
    return address;
  }
  const groups = before === '' ? [] : before.split(':');
  const zeros = after === undefined ? 0 : 8 - groups.length - (after === '' ? 0 : after.split(':').length);
  return [...groups, ...Array<string>(zeros).fill('0'), ...(after?.split(':') ?? [])].slice(0, 4).join(':');
}
