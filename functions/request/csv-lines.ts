/**
 * Splits a CSV text (RFC 4180) into lines and fields. CR LF, LF and CR end a line, empty lines are skipped, and spaces
 * may follow a closing quote. Reading stops at the first error.
 *
 * An unquoted field that is empty or `NULL` is null, as COPY has the one and PostgREST the other; in quotes both are texts.
 */
import { fail, ok, type Result } from '../common/result.ts';
import { isPlainInRecord, isQuotedInRecord } from './record-lines.ts';

const [comma, quote, space, carriageReturn, lineFeed] = Array.from('," \r\n', character =>
  character.charCodeAt(0),
);

/** A field; null for one that is null. */
export type CsvField = string | null;

export class CsvLines {
  /** Whether all lines read so far, but for the first, may be records of Postgres (record-lines.ts). */
  areRecords = true;
  readonly #text: string;
  #isFirst = true;
  #at = 0;
  #lineStart = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /**
   * Reads the fields of the next line, or the error in it; undefined at the end of the text. Reading stops after `limit + 1`
   * fields, which shows the caller that the line has too many.
   */
  next(limit: number): Result<CsvField[], string> | undefined {
    while (isLineEnd(this.#code())) this.#at++;
    if (this.#at === this.#text.length) return undefined;
    this.#lineStart = this.#at;
    const fields: CsvField[] = [];
    do {
      const field = this.#code() === quote ? this.#quotedField() : ok(this.#plainField());
      if (!field.ok) return field;
      fields.push(field.value);
    } while (fields.length <= limit && this.#takeComma());
    this.#isFirst = false;
    return ok(fields);
  }

  /** The number of the line that was read last, counted from 1 as editors do. */
  get lineNumber(): number {
    let line = 1;
    for (let at = 0; at < this.#lineStart; at++) {
      const code = this.#text.charCodeAt(at);
      const isFirstOfTwo = code === carriageReturn && this.#text.charCodeAt(at + 1) === lineFeed;
      if (isLineEnd(code) && !isFirstOfTwo) line++;
    }
    return line;
  }

  /** Reads up to the next comma or the end of the line; a quote inside is an ordinary character. */
  #plainField(): CsvField {
    const start = this.#at;
    while (!this.#isFieldEnd()) this.#at++;
    const field = this.#text.slice(start, this.#at);
    this.areRecords &&= this.#isFirst || isPlainInRecord(field);
    return field === '' || field === 'NULL' ? null : field;
  }

  #quotedField(): Result<string, string> {
    const start = this.#at + 1;
    let end = this.#text.indexOf('"', start);
    let hasQuotes = false;
    while (end >= 0 && this.#text.charCodeAt(end + 1) === quote) {
      hasQuotes = true;
      end = this.#text.indexOf('"', end + 2);
    }
    if (end < 0) return fail('A field begins with a quote that is not closed.');
    this.#at = end + 1;
    while (this.#code() === space) this.#at++;
    if (!this.#isFieldEnd()) return fail('A closing quote is followed by something other than a comma.');
    const field = this.#text.slice(start, end);
    this.areRecords &&= this.#isFirst || isQuotedInRecord(field);
    return ok(hasQuotes ? field.replaceAll('""', '"') : field);
  }

  #takeComma(): boolean {
    const isComma = this.#code() === comma;
    if (isComma) this.#at++;
    return isComma;
  }

  #isFieldEnd(): boolean {
    const code = this.#code();
    return code === comma || isLineEnd(code) || this.#at === this.#text.length;
  }

  /** Returns the next character code; NaN at the end of the text, which equals no character code. */
  #code(): number {
    return this.#text.charCodeAt(this.#at);
  }
}

const isLineEnd = (code: number): boolean => code === lineFeed || code === carriageReturn;
