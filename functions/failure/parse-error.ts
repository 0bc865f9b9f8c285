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

/** The error as PostgREST's answer words it: `message` and `details` of a PGRST100. */
export function describeParseError(error: ParseError): { message: string; details: string } {
  const { parameter, input, column, unexpected, expecting } = error;
  return {
    message: `"failed to parse ${parameter} (${input})" (line 1, column ${column})`,
    details: `unexpected ${unexpected}${expecting.length > 0 ? ` expecting ${alternatives(expecting)}` : ''}`,
  };
}

const alternatives = (texts: string[]): string =>
  texts.length > 1 ? `${texts.slice(0, -1).join(', ')} or ${texts.at(-1)}` : texts.join();
