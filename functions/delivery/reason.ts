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
