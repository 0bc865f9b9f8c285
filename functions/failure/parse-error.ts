/**
 * A syntax error in a part of the query string, in PostgREST's terms. PostgREST's message is
 * `"failed to parse <parameter> (<input>)" (line 1, column <column>)`, and its details are
 * `unexpected <unexpected> expecting <expecting>`.
 */
export interface ParseError {
  /** What was parsed: `filter`, `select parameter`, `order`, `logic tree`, `columns parameter`, … */
  parameter: string;
  /** The whole text that was parsed. */
  input: string;
  /** Counted in characters from 1. */
  column: number;
  /** Quoted for display (`"E"`, `'"'`), or `end of input`. */
  unexpected: string;
  /** What is allowed there instead, each quoted for display: `"("`, `end of input`, `operator (eq, gt, ...)`. */
  expecting: string[];
}

/** The error in PostgREST's words: `message` and `details` of a PGRST100. */
export function describeParseError(error: ParseError): { message: string; details: string } {
  const { parameter, input, column, unexpected, expecting } = error;
  return {
    message: `"failed to parse ${parameter} (${input})" (line 1, column ${column})`,
    details: `unexpected ${unexpected}${expecting.length > 0 ? ` expecting ${alternatives(expecting)}` : ''}`,
  };
}

const alternatives = (texts: string[]): string =>
  texts.length > 1 ? `${texts.slice(0, -1).join(', ')} or ${texts.at(-1)}` : texts.join();
