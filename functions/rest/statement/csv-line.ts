/**
 * A row of `page` as a line of CSV. For programs it is a record of Postgres, as in PostgREST. For spreadsheets it follows
 * RFC 4180, without backslashes, and formulas are made harmless.
 */
import { join, keyword, type Sql, sql } from '../../database/sql.ts';
import { outputKind } from '../plan/cast-types.ts';
import type { Output } from '../plan/planned.ts';
import { pageValue } from './clauses.ts';

/**
 * Postgres writes the text NULL in a record without quotes, and readers take it for null. So a row with this text is made of
 * several records, with the text in quotes between them.
 */
export function csvLine(outputs: Output[]): Sql {
  const mayBeNullWord = outputs.map(output => outputKind(output) === 'text');
  const texts = outputs.flatMap((_, index) => (mayBeNullWord[index] ? [pageText(index)] : []));
  const line = recordText(outputs.map(textOf));
  if (texts.length === 0) {
    return line;
  }
  const parts: Sql[] = [];
  let run: Sql[] = [];
  for (const [index, output] of outputs.entries()) {
    if (mayBeNullWord[index]) {
      parts.push(...(run.length > 0 ? [recordText(run)] : []), quotedNullWord(pageText(index)));
      run = [];
    } else {
      run.push(textOf(output, index));
    }
  }
  parts.push(...(run.length > 0 ? [recordText(run)] : []));
  return sql`case when 'NULL' in (${join(texts)}) then ${join(parts, " || ',' || ")} else ${line} end`;
}

const pageText = (index: number): Sql => sql`${pageValue(index)}::text`;

/** Returns a value as a record has it: `t` or `f` for a boolean. */
const textOf = (output: Output, index: number): Sql =>
  outputKind(output) === 'boolean' ? sql`left(${pageText(index)}, 1)` : pageText(index);

const recordText = (texts: Sql[]): Sql => sql`right(left(row(${join(texts)})::text, -1), -1)`;

const quotedNullWord = (text: Sql): Sql =>
  sql`case when ${text} = 'NULL' then '"NULL"' else ${recordText([text])} end`;

/** Quotes every value except numbers, so that a spreadsheet can add these up. */
export function spreadsheetLine(outputs: Output[]): Sql {
  const cells = outputs.map((output, index) => {
    const text = pageText(index);
    const cell =
      outputKind(output) === 'number' ? text : sql`'"' || replace(${harmless(text)}, '"', '""') || '"'`;
    return sql`coalesce(${cell}, '')`;
  });
  return cells.length === 0 ? keyword("''") : join(cells, " || ',' || ");
}

/**
 * The beginnings of formulas in a text, for JavaScript and for Postgres: at the beginning of a cell, which a spreadsheet may also
 * see after a semicolon, a tab or a line end, `=`, `+`, `-` or `@`, in ASCII or full width, also after spaces and quotes.
 */
const formulas = /(^|[;\t\r\n])([ "']*[=+@\uFF1D\uFF0B\uFF0D\uFF20-])/g;

/** Puts an apostrophe before each beginning of a formula. */
const harmless = (text: Sql): Sql => sql`regexp_replace(${text}, ${formulaPattern}, ${apostrophe}, 'g')`;
const formulaPattern = keyword(`'${formulas.source.replaceAll("'", "''")}'`);
const apostrophe = keyword(`E'\\\\1''\\\\2'`);

/** Returns the name of an output as a cell of a spreadsheet, with the same apostrophes. */
export const spreadsheetName = (name: string): string =>
  `"${name.replace(formulas, `$1'$2`).replaceAll('"', '""')}"`;
