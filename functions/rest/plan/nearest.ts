/** Finds the names that a misspelt one was perhaps meant to be, for hints. */
import { limits } from '../../common/limits.ts';

/**
 * Returns the candidates closest to a misspelt name: at most two, within an edit distance of half its length. If there is none, it
 * is compared with the words of the candidates, within a third: `email` is a word of `contact_email`.
 */
export function nearest(name: string, candidates: readonly string[]): string[] {
  if (name.length > limits.query.nameBytes) {
    return [];
  }
  const whole = closest(name, candidates, 2, candidate => [candidate]);
  return whole.length > 0 ? whole : closest(name, candidates, 3, candidate => candidate.split('_'));
}

function closest(
  name: string,
  candidates: readonly string[],
  part: number,
  wordsOf: (candidate: string) => string[],
): string[] {
  const limit = Math.max(1, Math.floor(name.length / part));
  const scored = candidates
    .map(candidate => ({
      candidate,
      distance: Math.min(...wordsOf(candidate).map(word => editDistance(name.toLowerCase(), word))),
    }))
    .filter(({ distance }) => distance <= limit);
  const best = Math.min(...scored.map(({ distance }) => distance));
  return scored
    .filter(({ distance }) => distance === best)
    .slice(0, 2)
    .map(({ candidate }) => candidate);
}

/** Returns the number of edits between two words, computed row by row. Two letters that changed places are one edit. */
function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = isSwapped ? (beforePrevious[j - 2] ?? 0) + 1 : substitution;
      row.push(Math.min(substitution, swap, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    [beforePrevious, previous] = [previous, row];
  }
  return previous[b.length] ?? 0;
}
