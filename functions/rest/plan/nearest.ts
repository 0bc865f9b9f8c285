import { limits } from '../../common/limits.ts';

/** Returns the candidates closest to a misspelt name: at most two, within an edit distance of half its length. */
export function nearest(name: string, candidates: readonly string[]): string[] {
  if (name.length > limits.query.nameBytes) {
    return [];
  }
  const limit = Math.max(1, Math.floor(name.length / 2));
  const scored = candidates
    .map(candidate => ({ candidate, distance: editDistance(name.toLowerCase(), candidate) }))
    .filter(({ distance }) => distance <= limit);
  const best = Math.min(...scored.map(({ distance }) => distance));
  return scored
    .filter(({ distance }) => distance === best)
    .slice(0, 2)
    .map(({ candidate }) => candidate);
}

/** Returns the Levenshtein distance, computed row by row. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(substitution, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    previous = row;
  }
  return previous[b.length] ?? 0;
}
