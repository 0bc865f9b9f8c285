/** An IPv4 address is one caller's; of IPv6 everyone has a network of 64 bits to take addresses from. */
export function networkOf(address: string): string {
  const [before = '', after] = address.split('::');
  if (!address.includes(':')) {
    return address;
  }
  const groups = before === '' ? [] : before.split(':');
  const zeros = after === undefined ? 0 : 8 - groups.length - (after === '' ? 0 : after.split(':').length);
  return [...groups, ...Array<string>(zeros).fill('0'), ...(after?.split(':') ?? [])].slice(0, 4).join(':');
}
