/**
 * A mismatch: the input at a position is not what a reader expected. When several readers fail, only the mismatches at
 * the furthest position help the client. PostgREST shows the errors of the parser library Parsec; the wording and this
 * choice follow it.
 */
import type { ParseError } from '../failure/parse-error.ts';

export interface Mismatch {
  /** In UTF-16 units. */
  position: number;
  /** The unexpected character; empty at the end of the input. */
  found?: string;
  /** Input that was recognised but is not allowed there, as the client sees it. It replaces `found`. */
  refused?: string;
  expecting: readonly string[];
}

export const noMismatch: Mismatch = { position: -1, expecting: [] };

export function furthest(first: Mismatch, second: Mismatch): Mismatch {
  if (first.position !== second.position) return first.position > second.position ? first : second;
  return { ...second, ...first, expecting: [...first.expecting, ...second.expecting] };
}

export const describeMismatch = (mismatch: Mismatch): Pick<ParseError, 'unexpected' | 'expecting'> => ({
  unexpected: mismatch.refused ?? (mismatch.found ? JSON.stringify(mismatch.found) : 'end of input'),
  expecting: [...new Set(mismatch.expecting)],
});

/** Returns a character as Haskell shows it: PostgREST's errors quote a character that must not follow this way. */
export const showCharacter = (character: string): string =>
  `'${character === '"' ? character : JSON.stringify(character).slice(1, -1).replace("'", "\\'")}'`;
