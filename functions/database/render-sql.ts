/**
 * The text of a piece of SQL: with its values as literals, or as a shape and the arguments of its `execute`. The only
 * file that writes values into text.
 */

/** Text, value, text, value, …, text: there is always one string more than there are values. */
export interface SqlParts {
  readonly strings: readonly string[];
  readonly values: readonly string[];
}

/** Returns the text with its values as literals. */
export function inlined({ strings, values }: SqlParts): string {
  let text = strings[0] ?? '';
  for (let index = 0; index < values.length; index++) {
    text += quoted(values[index] ?? '') + (strings[index + 1] ?? '');
  }
  return text;
}

/** Returns the text with `$1`, `$2`… in place of its values, for `prepare`. */
export function shapeOf({ strings }: SqlParts): string {
  let shape = strings[0] ?? '';
  for (let index = 1; index < strings.length; index++) {
    shape += `$${index}${strings[index]}`;
  }
  return shape;
}

/** Returns the values as literals, in parentheses, for `execute`. */
export const argumentsOf = ({ values }: SqlParts): string =>
  values.length === 0 ? '' : `(${values.map(quoted).join(',')})`;

/**
 * Quotes a value as libpq's PQescapeLiteral does. Quotes are doubled. A value with a backslash gets the `E''` form with
 * doubled backslashes, so that `standard_conforming_strings` does not matter.
 */
function quoted(value: string): string {
  const text = doubled(value, "'");
  return text.includes('\\') ? ` E'${doubled(text, '\\')}'` : `'${text}'`;
}

/** Doubles a character by splitting and joining, since `replaceAll` takes five times the memory for a megabyte of quotes. */
const doubled = (text: string, character: string): string =>
  text.includes(character) ? text.split(character).join(character + character) : text;
