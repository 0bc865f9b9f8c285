/** Why something was not delivered, as it is stored and logged: in one short line that names nobody. */
import { limits } from '../common/limits.ts';

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
    .slice(0, limits.mail.reason);
}

const hide = (text: string, word: string): string => {
  const escaped = word.replace(/[^\w\s]/g, '\\$&');
  return text.replace(new RegExp(`(?<!\\w)${escaped}(?!\\w)`, 'gi'), '…');
};
