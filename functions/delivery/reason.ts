/** Reasons of failed deliveries for the database and the log: one short line without personal data. */
import { deliveryLimits } from './delivery-limits.ts';

/**
 * Returns a relay's reply as a reason, without addresses, tokens and the words in `hidden`, such as the recipient's local part, which
 * relays often repeat.
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
    .map(word => (personal.test(word) ? '…' : word))
    .join(' ')
    .trim()
    .slice(0, deliveryLimits.mail.reason);
}

/** An address, or the token of a link in the mail. */
const personal = /@|%40|[\da-f-]{36}\.[\w-]{43}/;

/** Hides a whole word, ignoring case. Both texts are ASCII, so changing the case keeps their lengths. */
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

/** Words that may be secrets, signatures or tokens, also in JSON and in URLs. */
const longWords = /[\w+/=%\\-]{24,}/g;
const words = /[^\s<>"]+/g;
/** Control characters, bidirectional formatting, line separators, and other invisible characters. */
const invisible = /[\p{C}\p{Z}]+/gu;

/** Minimum length of a part of a URL that may be a key. */
const keyLength = 8;

/**
 * Returns the status and the beginning of a response as a reason. Receivers often repeat the request, so the URL, its parts,
 * and possible keys are masked.
 */
export function describeResponse(status: number, text: string, url: string): string {
  const masked = partsOf(new URL(url))
    .reduce((left, part) => left.replaceAll(part, '…'), text)
    .replace(words, word => (word.includes('@') ? '…' : word))
    .replace(longWords, '…')
    .replace(invisible, ' ');
  return `${status} ${masked.trim()}`.slice(0, deliveryLimits.webhook.reason).toWellFormed().trim();
}

/** Returns the parts of a URL to mask, longer ones first, so that no fragments remain. */
const partsOf = ({ href, host, pathname, search, searchParams }: URL): string[] => [
  href,
  ...[pathname + search, pathname, search].filter(part => part.length > 1),
  ...[...pathname.split('/'), ...searchParams.values()].filter(part => part.length >= keyLength),
  host,
];
