/** The reason that is kept of a call that failed: one line without what nobody else should read. */
import { limits } from '../common/limits.ts';

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
  return `${status} ${masked.trim()}`.slice(0, limits.webhook.reason).toWellFormed().trim();
}

/** Longer ones first, so that none is left in pieces. */
const partsOf = ({ href, host, pathname, search, searchParams }: URL): string[] => [
  href,
  ...[pathname + search, pathname, search].filter(part => part.length > 1),
  ...[...pathname.split('/'), ...searchParams.values()].filter(part => part.length >= keyLength),
  host,
];
