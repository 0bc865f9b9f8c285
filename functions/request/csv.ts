/**
 * CSV (RFC 4180) as PostgREST takes it: the first line names the columns, `NULL` is null, a line that is too short
 * leaves its last columns out.
 */
import Papa from 'papaparse';
import type { Failure } from '../failure.ts';
import { fail, ok, type Result } from '../result.ts';
import type { BodyRow } from './body.ts';
import { limits, tooManyRows } from './limits.ts';

const invalid = (details: string): Result<BodyRow[]> =>
  fail<Failure>({ is: 'invalid body', message: 'Empty or invalid CSV', details });

export function parseCsv(text: string): Result<BodyRow[]> {
  // No more than tells that there are too many: a line of one letter takes a hundred times as much memory.
  const preview = limits.bodyRows + 2;
  const { data, errors } = Papa.parse<string[]>(text, { delimiter: ',', skipEmptyLines: true, preview });
  const error = errors.find(({ type }) => type === 'Quotes');
  if (error) {
    return invalid(`Line ${(error.row ?? 0) + 1}: ${error.message}`);
  }
  const [names, ...lines] = data;
  if (names === undefined) {
    return invalid('The first line must name the columns.');
  }
  if (lines.length > limits.bodyRows) {
    return fail(tooManyRows);
  }
  const long = lines.findIndex(line => line.length > names.length);
  if (long >= 0) {
    return invalid(`Line ${long + 2} has more fields than the first.`);
  }
  return ok(
    lines.map(line =>
      Object.fromEntries(line.map((field, index) => [names[index], field === 'NULL' ? null : field])),
    ),
  );
}
