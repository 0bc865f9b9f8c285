/**
 * A row of `page` as a line of CSV: for programs as PostgREST writes it, a record of Postgres; for spreadsheets with quotes
 * alone (RFC 4180), and without formulas.
 */
import { memoizeBy } from '../common/memoize.ts';
import type { Output } from '../plan/plan.ts';
import { pageValue } from './clauses.ts';
import { join, keyword, type Sql, sql } from './sql.ts';

/**
 * A record has no quotes around the text NULL, which readers take for null. So a row with this text is made of several
 * records with that text in quotes between them.
 */
export const csvLine = memoizeBy(
  (outputs: Output[]): Sql => {
    const mayBeNullWord = outputs.map(output => kindOf(output) === 'text');
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
  },
  () => '',
);

const pageText = (index: number): Sql => sql`${pageValue(index)}::text`;

/** Returns a value as a record has it; of true and false that is the first letter. */
const textOf = (output: Output, index: number): Sql =>
  kindOf(output) === 'boolean' ? sql`left(${pageText(index)}, 1)` : pageText(index);

const recordText = (texts: Sql[]): Sql => sql`right(left(row(${join(texts)})::text, -1), -1)`;

const quotedNullWord = (text: Sql): Sql =>
  sql`case when ${text} = 'NULL' then '"NULL"' else ${recordText([text])} end`;

/** Every value in quotes but numbers, which a spreadsheet shall add up. */
export const spreadsheetLine = memoizeBy(
  (outputs: Output[]): Sql =>
    join(
      outputs.map((output, index) => {
        const text = pageText(index);
        const cell =
          kindOf(output) === 'number' ? text : sql`'"' || replace(${harmless(text)}, '"', '""') || '"'`;
        return sql`coalesce(${cell}, '')`;
      }),
      " || ',' || ",
    ),
  () => '',
);

/**
 * Puts an apostrophe before what a spreadsheet would take for a formula: `=`, `+`, `-` or `@`, in ASCII or full width, at the
 * beginning of the text, or behind what begins a cell where the spreadsheet splits it otherwise: a semicolon, a tab, a line.
 */
const harmless = (text: Sql): Sql => sql`regexp_replace(${text}, ${formula}, ${apostrophe}, 'g')`;
const formula = keyword(`E'(^|[;\\t\\r\\n])([ "'']*[=+@\\uFF1D\\uFF0B\\uFF0D\\uFF20-])'`);
const apostrophe = keyword(`E'\\\\1''\\\\2'`);

/** Returns the name of an output as a cell of a spreadsheet, with the same apostrophes. */
export const spreadsheetName = (name: string): string => {
  const parts = name.split(/([;\t\r\n])/);
  const harmlessParts = parts.map(part =>
    /^[ "']*[=+@\uff1d\uff0b\uff0d\uff20-]/.test(part) ? `'${part}` : part,
  );
  return `"${harmlessParts.join('').replaceAll('"', '""')}"`;
};

type Kind = 'number' | 'boolean' | 'text' | 'other';

/** Returns the kind of values that an output has. */
function kindOf({ field, cast, aggregate, aggregateCast }: Output): Kind {
  const isCounted = aggregate === 'count' || aggregate === 'sum' || aggregate === 'avg';
  const type = aggregateCast ?? (isCounted ? 'numeric' : (cast ?? typeOfField(field)));
  if (/^(?:smallint|int|bigint|numeric|decimal|real|float|double)/.test(type)) {
    return 'number';
  }
  if (/^bool/.test(type)) {
    return 'boolean';
  }
  return /^(?:text|varchar|character varying)$/.test(type) ? 'text' : 'other';
}

function typeOfField(field: Output['field']): string {
  const arrow = field?.path.at(-1)?.arrow;
  return arrow === undefined ? (field?.type.postgres ?? '') : arrow === '->>' ? 'text' : 'jsonb';
}
