/**
 * SQL that is safe to send. The simple protocol carries no parameters, so values are written into the text, only by
 * render.ts. Everything that the template interpolates becomes a literal unless it is `Sql`, and only `Sql` can be sent. So a
 * string from a request cannot reach the text by mistake.
 *
 * A piece of SQL keeps its values apart from the text around them. So it can be rendered in two ways: with the values in
 * the text, or as a shape with `$1`, `$2`… that is prepared once and executed with other values again and again.
 */
import { inlined, type SqlParts } from './render-sql.ts';

/** A piece of SQL. Only this file makes one: others import the type. */
class Sql implements SqlParts {
  readonly strings: readonly string[];
  readonly values: readonly string[];
  /** Makes the type nominal: without it any object with these properties would be SQL. */
  protected declare readonly brand: true;

  constructor(strings: readonly string[], values: readonly string[]) {
    this.strings = strings;
    this.values = values;
  }

  /** Its text, with its values as literals. */
  get text(): string {
    return inlined(this);
  }
}

export type { Sql };

/**
 * Several statements that Postgres runs as one transaction. A class, since V8 gives each object literal with a getter a
 * hidden class of its own, which lives until the next full collection with all that the getter refers to.
 */
export class Message {
  /** What comes before them. */
  readonly comment: Sql;
  readonly statements: readonly Sql[];

  constructor(comment: Sql, statements: readonly Sql[]) {
    this.comment = comment;
    this.statements = statements;
  }

  get text(): string {
    const before = this.comment === empty ? '' : `${this.comment.text}\n`;
    return before + this.statements.map(({ text }) => text).join(';\n');
  }
}

/** Returns text of our own as SQL: an operator, a keyword, a type from the collection definitions. Never text of a request. */
export const keyword = (text: string): Sql => new Sql([text], []);

/** Throws at a NUL, which no Postgres text can hold, and which must have been refused before. */
function checked(value: string): string {
  if (value.includes('\0')) {
    throw new RangeError('A literal cannot contain NUL');
  }
  return value;
}

type Value = Sql | string | number | boolean | null;

/**
 * Returns a statement or a part of one. Interpolated texts become values, interpolated `Sql` is taken as it is. Numbers and
 * booleans are ours (a limit, a flag) and belong to the shape, since Postgres plans a page of 20 by its limit.
 */
export function sql(parts: TemplateStringsArray, ...interpolated: Value[]): Sql {
  const strings: string[] = [];
  const values: string[] = [];
  let text = parts[0] ?? '';
  for (let index = 0; index < interpolated.length; index++) {
    const value = interpolated[index] as Value;
    if (typeof value === 'string') {
      strings.push(text);
      values.push(checked(value));
      text = '';
    } else if (typeof value === 'object' && value !== null) {
      text = append(value, text, strings, values);
    } else {
      text += constant(value);
    }
    text += parts[index + 1] ?? '';
  }
  strings.push(text);
  return new Sql(strings, values);
}

/** Appends a piece of SQL; returns the text after its last value. */
function append(piece: Sql, text: string, strings: string[], values: string[]): string {
  const last = piece.strings.length - 1;
  if (last === 0) {
    return text + piece.strings[0];
  }
  strings.push(text + piece.strings[0]);
  for (let index = 1; index < last; index++) {
    strings.push(piece.strings[index] ?? '');
  }
  for (const value of piece.values) {
    values.push(value);
  }
  return piece.strings[last] ?? '';
}

function constant(value: number | boolean | null): string {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    throw new RangeError('A number in a statement is a whole number');
  }
  return String(value);
}

/** Returns a name as an SQL identifier. Quoted, so that any name is one; NUL must have been refused before. */
export function identifier(...path: string[]): Sql {
  return keyword(path.map(name => `"${name.replaceAll('"', '""')}"`).join('.'));
}

/** Returns a comment. Throws for text that could end it, which must have been refused before. */
export function comment(text: string): Sql {
  if (!/^[\w.=: -]*$/.test(text)) {
    throw new RangeError('A comment may have only letters, digits, spaces and . = : _ -');
  }
  return keyword(`/* ${text} */`);
}

/** Joins parts with a separator between them. */
export function join(parts: readonly Sql[], separator = ', '): Sql {
  const strings: string[] = [];
  const values: string[] = [];
  let text = '';
  for (const [index, part] of parts.entries()) {
    text = append(part, index === 0 ? text : text + separator, strings, values);
  }
  strings.push(text);
  return new Sql(strings, values);
}

/** Makes one message of several statements. */
export const message = (...statements: Sql[]): Message => new Message(empty, statements);

export const empty = keyword('');

/** Writes values as the text of a Postgres array (https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO). */
export const arrayText = (values: string[]): string =>
  `{${values.map(value => `"${value.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
