/**
 * One e-mail address, by a part of RFC 5321's grammar that every server reads alike: a dot-string in ASCII, `@`, and a domain
 * of two labels or more, in any script. Quoted local parts, domain literals, comments, display names and lists are refused,
 * since servers may parse another recipient from them. So is a local part in another script, which many servers can't
 * receive (SMTPUTF8).
 */
import type { ColumnType } from './column-type.ts';
import { text } from './types.ts';

/** Maximum characters of an address, of its local part, and of a label of its domain (RFC 5321, 4.5.3.1; RFC 1035). */
const [addressLength, localPartLength, labelLength] = [254, 64, 63];

/** builder.is_email_address has the same. */
const pattern =
  /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@[A-Za-z0-9\u0080-\uffff]+(?:-+[A-Za-z0-9\u0080-\uffff]+)*(?:\.[A-Za-z0-9\u0080-\uffff]+(?:-+[A-Za-z0-9\u0080-\uffff]+)*)+$/;

/** Returns the address as it is mailed, with a domain of other scripts as xn--; undefined if it is not one address. */
export function mailableAddress(address: string): string | undefined {
  if (address.length > addressLength || !pattern.test(address)) {
    return undefined;
  }
  const at = address.indexOf('@');
  const domain = asciiDomain(address.slice(at + 1));
  const mailed = `${address.slice(0, at)}@${domain}`;
  return domain !== undefined && at <= localPartLength && mailed.length <= addressLength ? mailed : undefined;
}

/** Returns the domain in ASCII; undefined for an IP address, whose last label is a number, and for labels that are too long. */
function asciiDomain(domain: string): string | undefined {
  const ascii = /^[\0-\x7f]*$/.test(domain) ? domain : hostnameOf(domain);
  const labels = ascii?.split('.') ?? [];
  const isDomain =
    labels.length > 1 &&
    labels.every(
      name => name.length <= labelLength && /^[A-Za-z\d](?:[A-Za-z\d-]*[A-Za-z\d])?$/.test(name),
    ) &&
    !/^\d+$/.test(labels.at(-1) ?? '');
  return isDomain ? ascii : undefined;
}

function hostnameOf(domain: string): string | undefined {
  try {
    return new URL(`http://${domain}`).hostname;
  } catch {
    return undefined;
  }
}

/** Returns the part after the `@`. */
export const domainOf = (address: string): string => address.slice(address.indexOf('@') + 1);

/** An address that may be half typed, in a draft. */
export const contactAddress: ColumnType<string> = {
  ...text(320),
  expected: 'one e-mail address, such as name@example.com',
  emptyIsNull: true,
  trimmed: true,
};
