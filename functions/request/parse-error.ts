/**
 * Where a text of the query string stopped making sense, in PostgREST's terms: it answers
 * `"failed to parse <parameter> (<input>)" (line 1, column <column>)` and, as details,
 * `unexpected <unexpected> expecting <expecting>`.
 */
export interface ParseError {
  /** What was read: `filter`, `select parameter`, `order`, `logic tree`, `columns parameter`, … */
  parameter: string;
  /** The text that was read, whole. */
  input: string;
  /** Counted in characters from 1. */
  column: number;
  /** Quoted as it is to be shown (`"E"`, `'"'`), or `end of input`. */
  unexpected: string;
  /** What could have stood there, each as it is to be shown: `"("`, `end of input`, `operator (eq, gt, ...)`. */
  expecting: string[];
}
