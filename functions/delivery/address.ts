/**
 * One e-mail address, by a part of RFC 5321's grammar that every server reads alike: a dot-string in ASCII, `@`, and a domain
 * of two labels or more. Quoted local parts, domain literals, comments, display names and lists are refused, since a server
 * may read another recipient in them than we did.
 */
import { limits } from '../common/limits.ts';

const { addressLength, localPartLength, domainLabelLength } = limits.mail;

const localPart = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const label = /^[a-z\d](?:[a-z\d-]*[a-z\d])?$/i;

/** Whether the text is exactly one address. */
export function isAddress(text: string): boolean {
  const at = text.indexOf('@');
  const local = text.slice(0, at);
  const labels = domainOf(text).split('.');
  return (
    at > 0 &&
    text.length <= addressLength &&
    local.length <= localPartLength &&
    localPart.test(local) &&
    labels.length > 1 &&
    labels.every(name => name.length <= domainLabelLength && label.test(name)) &&
    // A domain whose last label is a number is an IP address.
    !/^\d+$/.test(labels.at(-1) ?? '')
  );
}

/** Returns what is behind the `@`. */
export const domainOf = (address: string): string => address.slice(address.indexOf('@') + 1);
