/** The parts of a query string, under PostgREST's names, with an example each. The examples use columns of every collection. */
const examples = {
  'select parameter': 'select=id,since:created_at,created_at::date',
  order: 'order=created_at.desc.nullslast,id',
  filter: 'id=in.(1,2), created_at=gte.2026-05-20 or created_at=not.is.null',
  'logic tree': 'or=(id.in.(1,2),and(created_at.gte.2026-05-20,created_at.lt.2026-06-01))',
  'logic path': 'or=(id.eq.1,id.eq.2)',
  'tree path': 'id=eq.1, customization->>team=eq.Tigers or id[0]=gt.1',
  'columns parameter': 'columns=id,created_at',
  'on_conflict parameter': 'on_conflict=id',
};

const inQuotes = (example: string): string =>
  ` Put a value with a comma or a parenthesis in double quotes: ${example}.`;
const quoting: Partial<Record<keyof typeof examples, string>> = {
  filter: inQuotes('name=in.("Smith, John","(none)")'),
  'logic tree': inQuotes('or=(name.eq."Smith, John",id.eq.1)'),
};

/**
 * A syntax error in a part of the query string, in PostgREST's terms. PostgREST's message is
 * `"failed to parse <parameter> (<input>)" (line 1, column <column>)`, and its details are
 * `unexpected <unexpected> expecting <expecting>`.
 */
export interface ParseError {
  /** The part that was parsed. */
  parameter: keyof typeof examples;
  /** The whole text that was parsed. */
  input: string;
  /** Counted in characters from 1. */
  column: number;
  /** Quoted for display (`"E"`, `'"'`), or `end of input`. */
  unexpected: string;
  /** The alternatives that are allowed there, quoted for display: `"("`, `end of input`, `operator (eq, gt, ...)`. */
  expecting: string[];
  /** A specific hint, if there is one; otherwise the hint is the example. */
  hint?: string;
}

/** Describes the error in PostgREST's words: `message` and `details` of a PGRST100. PostgREST has no hints here. */
export function describeParseError(error: ParseError): { message: string; details: string; hint: string } {
  const { parameter, input, column, unexpected, expecting } = error;
  return {
    message: `"failed to parse ${parameter} (${input})" (line 1, column ${column})`,
    details: `unexpected ${unexpected}${expecting.length > 0 ? ` expecting ${alternatives(expecting)}` : ''}`,
    hint: error.hint ?? `For example: ${examples[parameter]}.${quoting[parameter] ?? ''}`,
  };
}

const alternatives = (texts: string[]): string =>
  texts.length > 1 ? `${texts.slice(0, -1).join(', ')} or ${texts.at(-1)}` : texts.join();
