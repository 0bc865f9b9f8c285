/**
 * CSV bodies, as PostgREST reads them: the first line names the columns, `NULL` is null, and a short line leaves out
 * the last columns. What `Accept: text/csv` returns is read back as it was stored.
 */
import { limits } from '../common/limits.ts';
import { fail, ok, type Result } from '../common/result.ts';
import type { Failure } from '../failure/failure.ts';
import { type CsvField, CsvLines } from './csv-lines.ts';
import { tooLongRows, tooManyColumns, tooManyRows } from './excess.ts';
import { singleBackslashes } from './record-lines.ts';
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
      `The first line has ${JSON.stringify(separator)} between the names of the columns.`,
      'Separate columns by commas.',
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
    rows.push(Object.fromEntries(row));
  }
  return ok(lines.areRecords ? rows.map(fromRecord) : rows);
}

const fromRecord = (row: CellRow): CellRow =>
  Object.fromEntries(
    Object.entries(row).map(([name, field]) => [
      name,
      field?.includes('\\') ? singleBackslashes(field) : field,
    ]),
  );

/** Returns the length of a text as JSON, with its quotes and a separator. Escapes are ignored. */
const jsonLength = (text: CsvField): number => (text?.length ?? 2) + 3;
