/**
 * A position in a text, and what was expected there. As in Parsec, whose errors PostgREST shows, only the mismatches at
 * the furthest position are kept, and taking more text discards them.
 */
import type { ParseError } from '../failure/parse-error.ts';

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

export const noMismatch: Mismatch = { position: -1, expecting: [] };

export function furthest(first: Mismatch, second: Mismatch): Mismatch {
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

export class Cursor {
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

  /** Fails here and discards all other mismatches; the client reads `unexpected`. */
  refuse(unexpected: string): undefined {
    this.mismatch = noMismatch;
    return this.#refused(this.position, unexpected, []);
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
