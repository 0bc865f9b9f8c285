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
