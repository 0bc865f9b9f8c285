/**
 * SQL text that is safe to send. The simple protocol carries no parameters, so values are written into the text;
 * this file is the only place where that happens. Whatever the template interpolates becomes a literal unless it is
 * itself `Sql`, and nothing but `Sql` can be sent, so a string from a request cannot reach the text by mistake.
 */
declare const brand: unique symbol;

/** A piece of SQL. Only this file makes one. */
export interface Sql {
  readonly text: string;
  readonly [brand]: true;
}

const raw = (text: string): Sql => ({ text }) as Sql;

/**
 * A value as an SQL literal, as libpq's PQescapeLiteral writes it: quotes doubled; with a backslash those doubled
 * too and the `E''` form, so that `standard_conforming_strings` does not matter. A NUL, which no Postgres text can
 * hold, must have been refused before: it throws.
 */
export function literal(value: string): Sql {
  if (value.includes('\0')) {
    throw new RangeError('A literal cannot contain NUL');
  }
  const quoted = doubled(value, "'");
  return quoted.includes('\\') ? raw(` E'${doubled(quoted, '\\')}'`) : raw(`'${quoted}'`);
}

/** Split and joined, since of a megabyte of quotes `replaceAll` takes five times the memory. */
const doubled = (text: string, character: string): string =>
  text.includes(character) ? text.split(character).join(character + character) : text;

type Value = Sql | string | number | boolean | null;

function render(value: Value): string {
  switch (typeof value) {
    case 'string':
      return literal(value).text;
    case 'number':
      if (!Number.isSafeInteger(value)) {
        throw new RangeError('A number in a statement is a whole number');
      }
      return String(value);
    case 'boolean':
      return String(value);
    default:
      return value === null ? 'null' : value.text;
  }
}

/** A statement or a part of one. Interpolated values become literals, interpolated `Sql` is taken as it is. */
export function sql(parts: TemplateStringsArray, ...values: Value[]): Sql {
  let text = parts[0] ?? '';
  values.forEach((value, index) => {
    text += render(value) + (parts[index + 1] ?? '');
  });
  return raw(text);
}

/** A name as an SQL identifier. Quoted, so that any name is one; NUL must have been refused before. */
export function identifier(...path: string[]): Sql {
  return raw(path.map(name => `"${name.replaceAll('"', '""')}"`).join('.'));
}

/** Text of our own: an operator, a keyword, a type from the collection definitions. Never of a request. */
export function keyword(text: string): Sql {
  return raw(text);
}

/** A comment. What could end it, or be SQL of its own, must have been refused before: it throws. */
export function comment(text: string): Sql {
  if (!/^[\w.=: -]*$/.test(text)) {
    throw new RangeError('A comment has letters, digits, spaces and . = : _ - alone');
  }
  return raw(`/* ${text} */`);
}

/** Parts with a separator between them. */
export function join(parts: readonly Sql[], separator = ', '): Sql {
  return raw(parts.map(part => part.text).join(separator));
}

/** Several statements as one message; Postgres runs them as one transaction. */
export function message(...statements: Sql[]): Sql {
  return join(statements, ';\n');
}

export const empty = raw('');
