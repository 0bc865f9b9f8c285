/**
 * The one scanner under the query string's grammars. It knows characters, positions and what was expected where;
 * it knows no grammar.
 *
 * A reader takes what it can at the scanner's position and answers `undefined` where its text is not there. As in
 * Parsec, whose errors PostgREST shows, a reader that failed after taking something has failed for good, unless it
 * ran inside `attempt`; and the scanner remembers the mismatches at the furthest position only, forgetting them all
 * as soon as something more is taken.
 */
import { limits } from '../common/limits.ts';
import { fail, ok, type Result } from '../common/result.ts';
import type { ParseError } from '../failure/parse-error.ts';
import { describeMismatch, furthest, type Mismatch, noMismatch, showCharacter } from './mismatch.ts';

export type Reader<T> = (scanner: Scanner) => T | undefined;

/** Reads all of `text`. `shown` is what the error calls the input, where that is not the text itself. */
export function parseWhole<T>(
  parameter: string,
  text: string,
  read: Reader<T>,
  shown = text,
): Result<T, ParseError> {
  const scanner = new Scanner(text);
  const value = read(scanner);
  return value !== undefined && scanner.end() ? ok(value) : fail(scanner.error(parameter, shown));
}

export class Scanner {
  readonly #text: string;
  /** In UTF-16 units, always between two characters. */
  #position = 0;
  #mismatch: Mismatch = noMismatch;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Takes exactly `wanted`. Part of it counts as taken, but the mismatch is where it should have begun. */
  string(wanted: string, expecting = JSON.stringify(wanted)): true | undefined {
    const start = this.#position;
    let length = 0;
    while (length < wanted.length && this.#text[start + length] === wanted[length]) length++;
    this.#take(length);
    return length === wanted.length || this.#expected(start, [expecting]);
  }

  /** Takes the first of `names` that is there. */
  oneOf<const T extends string>(names: readonly T[]): T | undefined {
    const next = names.find(name => this.#text.startsWith(name, this.#position));
    // Where there is none, each says that it was expected.
    return next ? this.string(next) && next : names.find(name => this.attempt(() => this.string(name)));
  }

  /** Takes `word`, given in lower case, in any case. */
  keyword(word: string): true | undefined {
    for (const letter of word) {
      const next = this.#text[this.#position];
      if (next !== letter && next !== letter.toUpperCase()) return this.#expected(this.#position, [word]);
      this.#take(1);
    }
    return true;
  }

  /** Takes what the sticky `pattern` matches, perhaps nothing; `expecting` is what could have come next. */
  run(pattern: RegExp, ...expecting: string[]): string {
    pattern.lastIndex = this.#position;
    const taken = pattern.exec(this.#text)?.[0] ?? '';
    this.#take(taken.length);
    this.#expected(this.#position, expecting);
    return taken;
  }

  /** Takes nothing: is `wanted` next? */
  ahead(wanted: string): true | undefined {
    const start = this.#position;
    const before = this.#mismatch;
    const found = this.attempt(() => this.string(wanted));
    if (found) {
      this.#position = start;
      this.#mismatch = before;
    }
    return found;
  }

  /** Takes nothing: the next character must not match the sticky `pattern`. */
  notFollowedBy(pattern: RegExp, ...expecting: string[]): true | undefined {
    const next = this.#next();
    pattern.lastIndex = this.#position;
    if (pattern.test(this.#text)) return this.#refused(this.#position + next.length, showCharacter(next), []);
    this.#expected(this.#position, expecting);
    return true;
  }

  /** Takes nothing: is the input over? */
  end(): true | undefined {
    const next = this.#next();
    return next === '' || this.#refused(this.#position, showCharacter(next), ['end of input']);
  }

  /** Fails here, whatever else was expected: `unexpected` is read by the client. */
  refuse(unexpected: string): undefined {
    this.#mismatch = noMismatch;
    return this.#refused(this.#position, unexpected, []);
  }

  /** A failure inside takes nothing. */
  attempt<T>(read: Reader<T>): T | undefined {
    const start = this.#position;
    const before = this.#mismatch;
    const value = read(this);
    if (value === undefined && this.#position !== start) {
      this.#position = start;
      this.#mismatch = furthest(before, this.#mismatch);
    }
    return value;
  }

  /** The first reader that does not fail. */
  firstOf<T>(...readers: Reader<T>[]): T | undefined {
    const start = this.#position;
    for (const read of readers) {
      const value = read(this);
      if (value !== undefined || this.#position !== start) return value;
    }
    return undefined;
  }

  /** `absent` where the reader failed without taking anything. */
  optional<T>(read: Reader<T>, absent: T): T | undefined {
    return this.firstOf(read, () => absent);
  }

  /** What the reader expects at its beginning goes by the name `label`. */
  labelled<T>(label: string, read: Reader<T>): T | undefined {
    const start = this.#position;
    const before = this.#mismatch;
    this.#mismatch = noMismatch;
    const value = read(this);
    if (this.#position === start) {
      const inside = this.#mismatch;
      this.#mismatch = inside === noMismatch ? before : furthest(before, { ...inside, expecting: [label] });
    }
    return value;
  }

  /**
   * One or more, with a separator between each two. Of more than `limit`, which the request is refused for, it reads one
   * beyond and takes all that follows unread.
   */
  separated<T>(read: Reader<T>, separator: Reader<true>, limit = Number.POSITIVE_INFINITY): T[] | undefined {
    const values: T[] = [];
    for (;;) {
      const value = read(this);
      if (value === undefined) return undefined;
      values.push(value);
      if (values.length > limit) {
        this.run(/.*/suy);
        return values;
      }
      const start = this.#position;
      if (!separator(this)) return this.#position === start ? values : undefined;
    }
  }

  /** With spaces and tabs around it. */
  spaced<T>(read: Reader<T>): T | undefined {
    this.run(/[ \t]*/y);
    const value = read(this);
    if (value !== undefined) this.run(/[ \t]*/y);
    return value;
  }

  /** Takes `wanted` and the spaces and tabs around it. */
  token(wanted: string): true | undefined {
    return this.spaced(() => this.string(wanted));
  }

  /** Reads one level deeper. The bound keeps hostile input from exhausting the stack. */
  nested<T>(read: Reader<T>): T | undefined {
    if (this.#depth === limits.query.treeLevels)
      return this.refuse(`nesting of more than ${limits.query.treeLevels} levels`);
    this.#depth++;
    const value = read(this);
    this.#depth--;
    return value;
  }

  error(parameter: string, input: string): ParseError {
    const before = Array.from(this.#text.slice(0, this.#mismatch.position));
    return { parameter, input, column: before.length + 1, ...describeMismatch(this.#mismatch) };
  }

  #take(length: number): void {
    if (length === 0) return;
    this.#position += length;
    this.#mismatch = noMismatch;
  }

  #next(): string {
    const codePoint = this.#text.codePointAt(this.#position);
    return codePoint === undefined ? '' : String.fromCodePoint(codePoint);
  }

  #expected(position: number, expecting: readonly string[]): undefined {
    this.#mismatch = furthest(this.#mismatch, { position, found: this.#next(), expecting });
  }

  #refused(position: number, refused: string, expecting: readonly string[]): undefined {
    this.#mismatch = furthest(this.#mismatch, { position, refused, expecting });
  }
}
