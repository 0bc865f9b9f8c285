/**
 * What a reader met where something else was expected. Of several, only those at the furthest position tell the
 * client something; that choice, and the words, are Parsec's, whose errors PostgREST shows.
 */
import type { ParseError } from '../failure/parse-error.ts';

export interface Mismatch {
  /** In UTF-16 units. */
  position: number;
  /** The character that did not fit, empty at the end of the input. */
  found?: string;
  /** What was understood but must not stand there, as it is to be shown; it says more than `found`. */
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

/** As Haskell shows a character; in PostgREST's errors it tells one that must not follow from one that is missing. */
export const showCharacter = (character: string): string =>
  `'${character === '"' ? character : JSON.stringify(character).slice(1, -1).replace("'", "\\'")}'`;
