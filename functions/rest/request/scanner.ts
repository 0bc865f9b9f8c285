/**
 * The parser combinators under the grammars of the query string.
 *
 * A reader takes text at the scanner's position and returns a value, or `undefined` when it fails. As in Parsec, a
 * reader that fails after taking something fails for good, unless it runs inside `attempt`.
 */

import type { ParseError } from '../../common/failure/parse-error.ts';
import { fail, ok, type Result } from '../../common/failure/result.ts';
import { limits } from '../../common/limits.ts';

/** The input at a position is not what a reader expected. The wording of its description is that of Parsec. */
interface Mismatch {
  /** In UTF-16 units. */
  position: number;
  /** The unexpected character; empty at the end of the input. */
  found?: string;
  /** Input that was recognised but is not allowed there, as the client sees it. It replaces `found`. */
  refused?: string;
  expecting: readonly string[];
}

const noMismatch: Mismatch = { position: -1, expecting: [] };

function furthest(first: Mismatch, second: Mismatch): Mismatch {
  if (first.position !== second.position) return first.position > second.position ? first : second;
  return { ...second, ...first, expecting: [...first.expecting, ...second.expecting] };
}

const describeMismatch = (mismatch: Mismatch): Pick<ParseError, 'unexpected' | 'expecting'> => ({
  unexpected: mismatch.refused ?? (mismatch.found ? JSON.stringify(mismatch.found) : 'end of input'),
  expecting: [...new Set(mismatch.expecting)],
});

/** Returns a character as Haskell shows it: PostgREST's errors quote a character that must not follow this way. */
const showCharacter = (character: string): string =>
  `'${character === '"' ? character : JSON.stringify(character).slice(1, -1).replace("'", "\\'")}'`;

/**
 * A position in a text, and what was expected there. As in Parsec, whose errors PostgREST shows, only the mismatches at
 * the furthest position are kept, and taking more text discards them.
 */
class Input {
  protected readonly text: string;
  /** Counted in UTF-16 units, never inside a character. */
  protected position = 0;
  protected mismatch: Mismatch = noMismatch;

  constructor(text: string) {
    this.text = text;
  }

  /** Takes exactly `wanted`. A partial match is taken too, but the mismatch is reported at its beginning. */
  string(wanted: string, expecting = JSON.stringify(wanted)): true | undefined {
    const start = this.position;
    let length = 0;
    while (length < wanted.length && this.text[start + length] === wanted[length]) length++;
    this.#take(length);
    return length === wanted.length || this.#expected(start, [expecting]);
  }

  /** Takes `word` in upper, lower or mixed case; `word` itself is in lower case. */
  keyword(word: string): true | undefined {
    for (const letter of word) {
      const next = this.text[this.position];
      if (next !== letter && next !== letter.toUpperCase()) return this.#expected(this.position, [word]);
      this.#take(1);
    }
    return true;
  }

  /** Takes the match of the sticky `pattern`, possibly empty; `expecting` names what could have followed. */
  run(pattern: RegExp, ...expecting: string[]): string {
    pattern.lastIndex = this.position;
    const taken = pattern.exec(this.text)?.[0] ?? '';
    this.#take(taken.length);
    this.#expected(this.position, expecting);
    return taken;
  }

  /** Checks, without taking anything, that the sticky `pattern` does not match here. */
  notFollowedBy(pattern: RegExp, ...expecting: string[]): true | undefined {
    const next = this.#next();
    pattern.lastIndex = this.position;
    if (pattern.test(this.text)) return this.#refused(this.position + next.length, showCharacter(next), []);
    this.#expected(this.position, expecting);
    return true;
  }

  /** Checks that the whole text has been taken. */
  end(): true | undefined {
    const next = this.#next();
    return next === '' || this.#refused(this.position, showCharacter(next), ['end of input']);
  }

  /** Fails here and discards all other mismatches; the client reads `what`. */
  unexpected(what: string): undefined {
    this.mismatch = noMismatch;
    return this.#refused(this.position, what, []);
  }

  error(parameter: ParseError['parameter'], input: string): ParseError {
    const before = Array.from(this.text.slice(0, this.mismatch.position));
    return { parameter, input, column: before.length + 1, ...describeMismatch(this.mismatch) };
  }

  #take(length: number): void {
    if (length === 0) return;
    this.position += length;
    this.mismatch = noMismatch;
  }

  #next(): string {
    const codePoint = this.text.codePointAt(this.position);
    return codePoint === undefined ? '' : String.fromCodePoint(codePoint);
  }

  #expected(position: number, expecting: readonly string[]): undefined {
    this.mismatch = furthest(this.mismatch, { position, found: this.#next(), expecting });
  }

  #refused(position: number, refused: string, expecting: readonly string[]): undefined {
    this.mismatch = furthest(this.mismatch, { position, refused, expecting });
  }
}

export type Reader<T> = (scanner: Scanner) => T | undefined;

/** Parses all of `text`. `shown` is the input that the error quotes, where it differs from the text. */
export function parseWhole<T>(
  parameter: ParseError['parameter'],
  text: string,
  read: Reader<T>,
  shown = text,
): Result<T, ParseError> {
  const scanner = new Scanner(text);
  const value = read(scanner);
  return value !== undefined && scanner.end() ? ok(value) : fail(scanner.error(parameter, shown));
}

export class Scanner extends Input {
  #depth = 0;

  /** Runs the reader; when it fails, nothing is taken. */
  attempt<T>(read: Reader<T>): T | undefined {
    const start = this.position;
    const before = this.mismatch;
    const value = read(this);
    if (value === undefined && this.position !== start) {
      this.position = start;
      this.mismatch = furthest(before, this.mismatch);
    }
    return value;
  }

  /** Checks, without taking anything, that `wanted` is next. */
  ahead(wanted: string): true | undefined {
    const start = this.position;
    const before = this.mismatch;
    const isNext = this.attempt(() => this.string(wanted));
    if (isNext) {
      this.position = start;
      this.mismatch = before;
    }
    return isNext;
  }

  /** Takes the first of `names` that matches. */
  oneOf<const T extends string>(names: readonly T[]): T | undefined {
    const next = names.find(name => this.text.startsWith(name, this.position));
    // When none matches, every name is tried, so that the error lists them all as expected.
    return next ? this.string(next) && next : names.find(name => this.attempt(() => this.string(name)));
  }

  /** Tries the readers in turn until one succeeds, or fails after taking something. */
  firstOf<T>(...readers: Reader<T>[]): T | undefined {
    const start = this.position;
    for (const read of readers) {
      const value = read(this);
      if (value !== undefined || this.position !== start) return value;
    }
    return undefined;
  }

  /** Reads a value, or returns `absent` when the reader fails without taking anything. */
  optional<T>(read: Reader<T>, absent: T): T | undefined {
    return this.firstOf(read, () => absent);
  }

  /** Reads a value. Errors say that `label` was expected, instead of what the reader expects at its beginning. */
  labelled<T>(label: string, read: Reader<T>): T | undefined {
    const start = this.position;
    const before = this.mismatch;
    this.mismatch = noMismatch;
    const value = read(this);
    if (this.position === start) {
      const inside = this.mismatch;
      this.mismatch = inside === noMismatch ? before : furthest(before, { ...inside, expecting: [label] });
    }
    return value;
  }

  /**
   * Reads one value or more, with separators between them. The caller refuses lists longer than `limit`, so reading stops at
   * the first value beyond it, and the rest of the text is skipped.
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
      const start = this.position;
      if (!separator(this)) return this.position === start ? values : undefined;
    }
  }

  /** Runs the reader and skips the spaces and tabs around it. */
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

  /** Runs the reader one level deeper. The depth is limited, so that hostile input can't exhaust the stack. */
  nested<T>(read: Reader<T>): T | undefined {
    if (this.#depth === limits.query.treeLevels)
      return this.unexpected(`nesting of more than ${limits.query.treeLevels} levels`);
    this.#depth++;
    const value = read(this);
    this.#depth--;
    return value;
  }
}
