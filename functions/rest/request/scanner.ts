/** The scanner under the grammars of the query string: it takes a text from left to right, and keeps why it stopped. */

import type { ParseError } from '../../common/failure/parse-error.ts';
import { fail, ok, type Result } from '../../common/failure/result.ts';
import { limits } from '../../common/limits.ts';

/** Takes text and returns a value, or calls `fail` and returns `undefined`. */
export type Reader<T> = (scanner: Scanner) => T | undefined;

/** Matches a comma between values, with the spaces and tabs around it. */
export const comma = /[ \t]*,[ \t]*/y;

/** Parses all of `text`. */
export function parseWhole<T>(
  grammar: ParseError['grammar'],
  text: string,
  read: Reader<T>,
): Result<T, ParseError> {
  const scanner = new Scanner(text);
  const value = read(scanner);
  return value !== undefined && scanner.end() ? ok(value) : fail({ grammar, text, ...scanner.error() });
}

export class Scanner {
  readonly #text: string;
  /** Counted in UTF-16 units, never inside a character. */
  #position = 0;
  #depth = 0;
  #expected = '';

  constructor(text: string) {
    this.#text = text;
  }

  /** Takes the match of the sticky `pattern`. */
  take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#position;
    const taken = pattern.exec(this.#text)?.[0];
    this.#position += taken?.length ?? 0;
    return taken;
  }

  /** Takes `text` if it is next. */
  accept(text: string): boolean {
    const isNext = this.#text.startsWith(text, this.#position);
    if (isNext) this.#position += text.length;
    return isNext;
  }

  /** Returns whether the sticky `pattern` matches here, and takes nothing. */
  isAt(pattern: RegExp): boolean {
    pattern.lastIndex = this.#position;
    return pattern.test(this.#text);
  }

  /** Takes `text`, or fails; a client reads `expected`. */
  expect(text: string, expected = JSON.stringify(text)): true | undefined {
    return this.accept(text) || this.fail(expected);
  }

  /** Takes `text` and the spaces and tabs around it, or fails. */
  expectSpaced(text: string, expected?: string): true | undefined {
    this.skipBlanks();
    const isNext = this.expect(text, expected);
    this.skipBlanks();
    return isNext;
  }

  skipBlanks(): void {
    this.take(/[ \t]*/y);
  }

  /** Takes the rest of the text. */
  rest(): string {
    return this.take(/.*/suy) ?? '';
  }

  /** Checks that the whole text has been taken. */
  end(): true | undefined {
    return this.#position === this.#text.length || this.fail('the end');
  }

  /** Notes what a client should have sent at this position. */
  fail(expected: string): undefined {
    this.#expected = expected;
  }

  /** Returns why the last reader failed, at the position that it left. */
  error(): Pick<ParseError, 'character' | 'found' | 'expected'> {
    const next = this.#text.codePointAt(this.#position);
    return {
      character: Array.from(this.#text.slice(0, this.#position)).length + 1,
      found: next === undefined ? 'the end' : JSON.stringify(String.fromCodePoint(next)),
      expected: this.#expected,
    };
  }

  /** Runs the reader; when it fails, nothing is taken. */
  attempt<T>(read: Reader<T>): T | undefined {
    const start = this.#position;
    const value = read(this);
    if (value === undefined) this.#position = start;
    return value;
  }

  /**
   * Reads one value or more, with separators between them. The caller refuses lists longer than `limit`, so reading stops at
   * the first value beyond it, and the rest of the text is skipped.
   */
  list<T>(read: Reader<T>, separator: RegExp, limit = Number.POSITIVE_INFINITY): T[] | undefined {
    const values: T[] = [];
    do {
      const value = read(this);
      if (value === undefined) return undefined;
      values.push(value);
      if (values.length > limit) {
        this.rest();
        return values;
      }
    } while (this.take(separator) !== undefined);
    return values;
  }

  /** Runs the reader one level deeper. The depth is limited, so that hostile input can't exhaust the stack. */
  nested<T>(read: Reader<T>): T | undefined {
    if (this.#depth === limits.query.treeLevels)
      return this.fail(`nesting of at most ${limits.query.treeLevels} levels`);
    this.#depth++;
    const value = read(this);
    this.#depth--;
    return value;
  }
}
