/** Limits on the work that one request causes in Postgres. */
import { kib } from '../../common/limits.ts';

export const workLimits = {
  /** Columns with large values, such as `customization`. Beyond: 400 `PGRST100`. */
  // Postgres unpacks and copies up to 1 MiB of each whenever it is read.
  largeColumn: {
    // A column is large whose values may have more bytes.
    bytes: 64 * kib,
    /** Uses in a request; an index into a list and a cast count as one more */
    reads: 8,
  },

  /** Operators that search. Beyond: 400 `PGRST100`. */
  search: {
    // Each takes the words of a text apart.
    /** Full-text searches; only one of `customization` */
    textSearches: 10,
    // Parentheses of a full-text query.
    parentheses: 100,
    // Negations in a row in a full-text query.
    negations: 30,
    // Takes 0.3 s for a row.
    /** Pattern × size of the column, in bytes, of all `like` and `ilike` */
    patternWork: 200_000_000,
    // Array elements to look for with `cs`, `cd` and `ov`.
    containedElements: 100,
    /** Bytes of all regular expressions, without `{`, `(?`, repeated groups, back references or inner anchors; staff may send any */
    regexBytes: 100,
  },
} as const;
