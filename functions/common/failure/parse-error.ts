/** The texts of a query string that have a grammar, with an example each. */
const examples = {
  select: 'select=a,alias:b,b::date',
  order: 'order=a.desc.nullslast,b',
  columns: 'columns=a,b',
  on_conflict: 'on_conflict=a,b',
  filter: 'a=in.(1,2), b=gte.2026-05-20 or b=not.is.null',
  conditions: 'or=(a.in.(1,2),and(b.gte.2026-05-20,b.lt.2026-06-01))',
  name: 'a=eq.1, b->>key=eq.x or c[0]=gt.1',
};

const inQuotes = (example: string): string =>
  ` Put a value with a comma or a parenthesis in double quotes: ${example}.`;
const quoting: Partial<Record<keyof typeof examples, string>> = {
  filter: inQuotes('a=in.("Smith, John","(none)")'),
  conditions: inQuotes('or=(a.eq."Smith, John",b.eq.1)'),
};

/** A syntax error in the name or the value of a parameter. */
export interface ParseError {
  /** The grammar: `name` is that of a parameter's name, each other that of a value. */
  grammar: keyof typeof examples;
  /** The whole text that was parsed. */
  text: string;
  /** Where the error is, counted in characters from 1. */
  character: number;
  /** As a client reads it: `"E"`, or `the end`. */
  found: string;
  /** As a client reads it: `"("`, `the end or ","`. */
  expected: string;
  /** A specific hint, if there is one; otherwise the hint is the example. */
  hint?: string;
}

/** Returns `message`, `details` and `hint` of the response to a parameter, whose decoded name is given. */
export function describeParseError(parameter: string, error: ParseError) {
  const { grammar, text, character, found, expected } = error;
  const what = grammar === 'name' ? "The parameter's name" : `The value of ${parameter}`;
  return {
    message: `${what} is invalid at character ${character}: ${text}`,
    details: `Expected ${expected}, found ${found}.`,
    hint: error.hint ?? `For example: ${examples[grammar]}.${quoting[grammar] ?? ''}`,
  };
}
