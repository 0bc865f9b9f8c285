/** Why something was not delivered, as it is stored and logged: in one short line that names nobody. */
import { deliveryLimits } from './limits.ts';

/**
 * Returns what a relay said, without addresses and the words of `hidden`, such as what is before the `@`, which relays like
 * to repeat.
 */
export function reasonOf(text: string, hidden: readonly string[] = []): string {
  const joined = text
    // The lines of a reply repeat its code.
    .replace(/^(\d{3})-/, '$1 ')
    .replace(/\r?\n\d{3}[ -](?:\d\.\d+\.\d+ )?/g, ' ')
    .replace(/[^ -~]+/g, ' ');
  return hidden
    .filter(word => word !== '')
    .reduce(hide, joined)
    .split(/ +/)
    .map(word => (/@|%40/.test(word) ? '…' : word))
    .join(' ')
    .trim()
    .slice(0, deliveryLimits.mail.reason);
}

/** Where it is a word of its own, in capitals or not. Both are ASCII, so that no letter becomes two. */
function hide(text: string, word: string): string {
  const [lower, wanted] = [text.toLowerCase(), word.toLowerCase()];
  let shown = '';
  let at = 0;
  for (let found = lower.indexOf(wanted); found !== -1; found = lower.indexOf(wanted, at)) {
    const end = found + wanted.length;
    const isWithin = /\w/.test(text.charAt(found - 1)) || /\w/.test(text.charAt(end));
    shown += text.slice(at, found) + (isWithin ? text.slice(found, end) : '…');
    at = end;
  }
  return shown + text.slice(at);
}

/** What looks like a secret, a signature or a token, in JSON and in URLs too, and addresses of people. */
const longWords = /[\w+/=%\\-]{24,}/g;
const words = /[^\s<>"]+/g;
/** Control characters, what orders text from right to left, and line separators among others. */
const invisible = /[\p{C}\p{Z}]+/gu;

/** Characters from which on a part of a URL may be a key. */
const keyLength = 8;

/**
 * Returns the status and the beginning of the answer. Receivers often repeat what they were sent: the URL, in whole and in
 * parts, and whatever may be a key are left out of it.
 */
export function describeAnswer(status: number, text: string, url: string): string {
  const masked = partsOf(new URL(url))
    .reduce((left, part) => left.replaceAll(part, '…'), text)
    .replace(words, word => (word.includes('@') ? '…' : word))
    .replace(longWords, '…')
    .replace(invisible, ' ');
  return `${status} ${masked.trim()}`.slice(0, deliveryLimits.webhook.reason).toWellFormed().trim();
}

/** Longer ones first, so that none is left in pieces. */
const partsOf = ({ href, host, pathname, search, searchParams }: URL): string[] => [
  href,
  ...[pathname + search, pathname, search].filter(part => part.length > 1),
  ...[...pathname.split('/'), ...searchParams.values()].filter(part => part.length >= keyLength),
  host,
];
