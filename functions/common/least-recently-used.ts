/** Something cached. */
export interface Used {
  /** The number of the use that was its last. */
  lastUsed: number;
}

/**
 * Returns the one to evict next, of a few. A map that is kept in the order of use needs no search, but each use then takes
 * an entry out and puts it back, for which V8 allocates a new table every few times.
 */
export function leastRecentlyUsed<T extends Used>(cached: Iterable<T>): T | undefined {
  let least: T | undefined;
  for (const one of cached) {
    if (least === undefined || one.lastUsed < least.lastUsed) {
      least = one;
    }
  }
  return least;
}
