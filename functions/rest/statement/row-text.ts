/**
 * A row of `page` as text. Postgres caches each list of names and types that a statement makes into a record, for the life of
 * the session: 1.6 KB for 5 columns, 11 KB for 100. Clients choose names, so the lists would be endless, and behind a pooler
 * sessions live for days. So only the rows of `*` become records with names, the fastest way: there is one list for each
 * collection and audience. The JSON of other rows is made by format(). A line of CSV is a record of texts without names,
 * which has one type for each number of columns.
 */
import { join, keyword, type Sql, sql } from '../../database/sql.ts';
import type { Output, PlanOfRows } from '../plan/planned.ts';
import { permittedColumns } from '../plan/resolve-field.ts';
import { pageValue } from './clauses.ts';
import { csvLine, spreadsheetLine } from './csv-line.ts';

export type RowFormat = Pick<PlanOfRows, 'collection' | 'caller' | 'mediaType' | 'outputs'>;

/** The whole row. Plain `page` would mean a column, if one has this alias. */
export const pageRow = keyword('page.*');

/** Maximum number of values in one call of format(): with its template, the arguments that Postgres allows. */
const formattedValues = 99;

/** Whether rows of `page` become JSON as records, and so have the response's names. */
export const isRecord = (plan: RowFormat): boolean => plan.mediaType.is !== 'csv' && isWholeRow(plan);

function isWholeRow({ outputs, collection, caller }: RowFormat): boolean {
  const all = permittedColumns(collection, caller, 'select');
  return outputs.length === all.length && outputs.every((output, index) => isColumn(output, all[index]));
}

const isColumn = ({ name, of, field, cast, aggregate }: Output, column: string | undefined): boolean =>
  name === column && !of && field?.column === column && field?.path.length === 0 && !cast && !aggregate;

/** Returns a row of `page` as text. */
export function rowText(plan: RowFormat): Sql {
  const { mediaType, outputs } = plan;
  if (mediaType.is === 'csv') {
    return mediaType.isForSpreadsheets ? spreadsheetLine(outputs) : csvLine(outputs);
  }
  const json = isRecord(plan) ? sql`row_to_json(${pageRow})` : formatted(outputs);
  if (mediaType.nullsStripped) {
    return sql`json_strip_nulls((${json})::json)::text`;
  }
  return isRecord(plan) ? sql`${json}::text` : json;
}

/**
 * Writes a row as row_to_json() does, also one without values. The template is a value, so that a statement is prepared once for
 * all aliases.
 */
function formatted(outputs: Output[]): Sql {
  const members = outputs.map(({ name }) => `${JSON.stringify(name).replaceAll('%', '%%')}:%s`);
  const values = outputs.map((_, index) => sql`coalesce(to_json(${pageValue(index)}), 'null')`);
  const calls: Sql[] = [];
  for (let from = 0; from === 0 || from < outputs.length; from += formattedValues) {
    const to = from + formattedValues;
    const template = `${from === 0 ? '{' : ','}${members.slice(from, to)}${to < outputs.length ? '' : '}'}`;
    calls.push(sql`format(${join([sql`${template}`, ...values.slice(from, to)])})`);
  }
  return join(calls, ' || ');
}
