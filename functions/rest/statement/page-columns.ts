/** The columns of `page`: the values of a row, and the rows that are embedded in it. */
import { limits } from '../../common/limits.ts';
import { empty, identifier, join, type Sql, sql } from '../../database/sql.ts';
import { hasAggregates } from '../plan/plan-outputs.ts';
import type { Output, Part } from '../plan/planned.ts';
import {
  aliasOf,
  groupByClause,
  limitClause,
  ofRelated,
  orderByClause,
  outputExpression,
  ownColumns,
  positionalName,
  relatedRows,
} from './clauses.ts';
import { type BodyFormat, bodyExpression, rowExpression, rowTexts } from './response-body.ts';
import { isRecord } from './row-text.ts';

/** Returns the columns of `page`, from a table's: under the response's names, or under numbers, since names may repeat. */
export function pageColumns(plan: BodyFormat, table: string): Sql {
  const isNamed = isRecord(plan);
  const columns = plan.outputs.map(
    (output, index) =>
      sql`${columnValue(output, table, plan)} as ${isNamed ? identifier(output.name) : positionalName(index)}`,
  );
  return join(columns);
}

function columnValue(output: Output, table: string, { mediaType, maxBytes, outputs }: BodyFormat): Sql {
  const { of = [], part } = output;
  if (part === undefined) {
    return outputExpression(table, output, hasAggregates(outputs));
  }
  const rows = ofRelated(table, of, alias =>
    embeddedRows(alias, part, Math.min(maxBytes, limits.response.rowBytes)),
  );
  // A cell of CSV has the spaces of PostgREST's.
  return mediaType.is === 'csv' ? sql`${rows}::jsonb` : rows;
}

/**
 * Returns embedded rows as JSON: an array, or the one row or null. They are read for the rows of the page only. Their bytes are
 * counted while they become text, since they are part of a row, whose size is limited.
 */
function embeddedRows(table: string, part: Part, maxBytes: number): Sql {
  const { collection, caller, relation, outputs, order, range, isCapped } = part;
  const isMany = relation.is === 'many';
  const mediaType = { is: isMany ? 'json' : 'object', nullsStripped: false } as const;
  const format: BodyFormat = { collection, caller, mediaType, outputs, maxBytes };
  const alias = aliasOf(part);
  const page = (rows: Sql, end: Sql): Sql =>
    sql`(select ${pageColumns(format, alias)} from ${rows}${groupByClause(outputs)}${end}) as page`;
  if (!isMany) {
    return sql`(select ${rowExpression(format)}::json from ${page(relatedRows(table, part), empty)})`;
  }
  const { offset, limit } = range;
  const end = sql`${orderByClause(alias, order, outputs)}${limitClause(isCapped ? { offset, limit: limit + 1 } : range)}`;
  const rows = rowsToSort(table, part);
  // Stored columns are sorted, and unpacked for the rows of the list only. Groups must be evaluated first.
  const list = hasAggregates(outputs)
    ? page(rows, end)
    : page(sql`(select ${storedColumns(part)} from ${rows}${end}) as ${identifier(alias)}`, empty);
  const body = sql`(${bodyExpression(format, isCapped ? limit : undefined)})::json`;
  const marked = isCapped ? sql`builder.mark_cut(${body}, count(*) > ${limit})` : body;
  return sql`(select ${marked} from ${rowTexts(format, list)})`;
}

/** Returns the columns of a part's rows that its outputs and its order need. */
const storedColumns = (part: Part): Sql =>
  join(ownColumns([...part.outputs, ...part.order]).map(column => identifier(aliasOf(part), column)));

/**
 * Returns the related rows for a clause that sorts them. An index has them in the order of their keys. For any other order, Postgres
 * might read all rows of the table by an index that has it, so `offset 0` makes it find the related rows first.
 */
function rowsToSort(table: string, part: Part): Sql {
  const { collection, order } = part;
  const [first] = order;
  const rows = relatedRows(table, part);
  if (!first?.of && first?.field.column === collection.primaryKey) {
    return rows;
  }
  return sql`(select ${storedColumns(part)} from ${rows} offset 0) as ${identifier(aliasOf(part))}`;
}
