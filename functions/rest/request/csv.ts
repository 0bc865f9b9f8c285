/**
 * CSV bodies, as PostgREST reads them: the first line names the columns, `NULL` is null, and a short line leaves out
 * the last columns. What `Accept: text/csv` returns is read back as it was stored.
 */

import type { Failure } from '../../common/failure/failure.ts';
import { fail, ok, type Result } from '../../common/failure/result.ts';
import { limits } from '../../common/limits.ts';
import { shorten } from '../../common/text.ts';
import { tooLongRows, tooManyColumns, tooManyRows } from './json-excess.ts';
import type { CellRow } from './request.ts';

const invalid = (details: string, hint?: string): Result<never> =>
  fail<Failure>({ is: 'invalid body', message: 'Empty or invalid CSV', details, ...(hint && { hint }) });

export function parseCsv(text: string): Result<CellRow[]> {
  const lines = new CsvLines(text);
  const first = lines.next(limits.body.columns);
  if (first === undefined) {
    return invalid('The first line must name the columns.');
  }
  if (!first.ok) {
    return invalid(`Line ${lines.lineNumber}: ${first.failure}`);
  }
  const names = first.value.map(name => name ?? '');
  if (names.length > limits.body.columns) {
    return fail(tooManyColumns);
  }
  const [separator] = names.length === 1 ? (/[;\t|]/.exec(names[0] ?? '') ?? []) : [];
  if (separator !== undefined) {
    return invalid(
      `The first line separates the column names with ${JSON.stringify(separator)}.`,
      'Separate columns with commas.',
    );
  }
  const rows: CellRow[] = [];
  let size = 0;
  for (let line = lines.next(names.length); line !== undefined; line = lines.next(names.length)) {
    if (!line.ok) {
      return invalid(`Line ${lines.lineNumber}: ${line.failure}`);
    }
    if (line.value.length > names.length) {
      return invalid(`Line ${lines.lineNumber} has more fields than the first.`);
    }
    if (rows.length === limits.body.rows) {
      return fail(tooManyRows);
    }
    const row = line.value.map((field, index) => [names[index] ?? '', field] as const);
    size += row.reduce((sum, [name, field]) => sum + jsonLength(name) + jsonLength(field), 0);
    if (size > limits.body.csvAsJson) {
      return fail(tooLongRows);
    }
    const guarded = row.find(([, field]) => field !== null && /^'[=+@-]/.test(field));
    if (guarded) {
      const [name, field] = guarded;
      return invalid(
        `Line ${lines.lineNumber}: ${shorten(name, limits.body.shownPath)} begins with '${field?.[1]}, as CSV for spreadsheets has it.`,
        'Export as `text/csv` to import again. To store the apostrophe, send JSON.',
      );
    }
    rows.push(Object.fromEntries(row));
  }
  return ok(lines.areRecords ? rows.map(singleBackslashes) : rows);
}

/** Returns the length of a text as JSON, with its quotes and a separator. Escapes are ignored. */
const jsonLength = (text: CsvField): number => (text?.length ?? 2) + 3;

const [comma, quote, space, carriageReturn, lineFeed] = Array.from('," \r\n', character =>
  character.charCodeAt(0),
);

/** A field, or null. */
type CsvField = string | null;

/**
 * Splits a CSV text (RFC 4180) into lines and fields. CR LF, LF and CR end a line, empty lines are skipped, and spaces
 * may follow a closing quote. Reading stops at the first error.
 *
 * An unquoted field is null when it is empty, as in COPY, or `NULL`, as in PostgREST. In quotes both are texts.
 */
class CsvLines {
  /** Whether all lines read so far, but for the first, may be records of Postgres. */
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

/*
 * The lines of CSV that PostgREST and this service return (`Accept: text/csv`) are Postgres's records, so a backslash in them
 * is doubled (https://www.postgresql.org/docs/current/rowtypes.html#ROWTYPES-IO-SYNTAX), and a client that sends them back
 * expects the values that were stored. Other programs write one backslash as one.
 *
 * A record quotes a field only when it is empty or has a space, comma, quote, backslash or parenthesis; this service also
 * quotes the text NULL. Spreadsheets and CSV libraries quote all fields, or those with a comma, quote or line end.
 */

/** Whether a record may have this field without quotes. */
const isPlainInRecord = (field: string): boolean => !/[\t\v\f "\\()]/.test(field);

/** Whether a record may have this field, the text between the quotes, in quotes. */
const isQuotedInRecord = (field: string): boolean =>
  field === '' || field === 'NULL' || (/[\s,"\\()]|[^\0-\x7f]/.test(field) && !hasSingleBackslash(field));

const hasSingleBackslash = (field: string): boolean => field.replaceAll('\\\\', '').includes('\\');

/** Returns the values of the fields of a record. */
const singleBackslashes = (row: CellRow): CellRow =>
  Object.fromEntries(
    Object.entries(row).map(([name, field]) => [name, field?.replaceAll('\\\\', '\\') ?? null]),
  );
