/**
 * The parser combinators under the grammars of the query string.
 *
 * A reader takes text at the scanner's position and returns a value, or `undefined` when it fails. As in Parsec, a
 * reader that fails after taking something fails for good, unless it runs inside `attempt`.
 */
import { limits } from '../common/limits.ts';
import { fail, ok, type Result } from '../common/result.ts';
import type { ParseError } from '../failure/parse-error.ts';
import { Cursor, furthest, noMismatch } from './cursor.ts';

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

export class Scanner extends Cursor {
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
      return this.refuse(`nesting of more than ${limits.query.treeLevels} levels`);
    this.#depth++;
    const value = read(this);
    this.#depth--;
    return value;
  }
}
