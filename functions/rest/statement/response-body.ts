/**
 * The expressions that turn the rows of `page` into the text of the response body. Rows become text one by one while
 * their bytes are summed, so that the statement fails at the plan's limit before the whole body is in memory. This
 * undoes a write whose response could not be sent.
 */
import { limits } from '../../common/limits.ts';
import { empty, identifier, join, keyword, type Sql, sql } from '../../database/sql.ts';
import type { Output, PlanOfRows } from '../plan/plan.ts';
import type { RowsMediaType } from '../request/media-type.ts';
import { spreadsheetName } from './csv-line.ts';
import { isRecord, pageRow, type RowFormat, rowText } from './row-text.ts';

export type BodyFormat = RowFormat & Pick<PlanOfRows, 'maxBytes'>;

/** The separator of rows that json_agg() uses. */
const jsonSeparator = keyword("E', \\n '");
const jsonSeparatorBytes = 4;

/** JSON needs at most six bytes for one byte of text: `\u0001`. */
const longestEscape = 6;

/**
 * Whether the column sizes guarantee that so many rows fit the limit. Then the bytes need not be counted, which saves
 * Postgres 15 % of the time for a page of 20 rows. The result of a cast has no known size.
 */
export function isSurelyWithin(plan: BodyFormat & { headersOnly: boolean }, rows: number): boolean {
  const { mediaType, outputs, maxBytes, headersOnly } = plan;
  const row = outputs.reduce(
    (sum, { name, part, field, cast, aggregateCast }) =>
      part || cast || aggregateCast
        ? Number.POSITIVE_INFINITY
        : sum + longestEscape * (name.length * 3 + (field?.type.maxBytes ?? limits.query.scalar)) + 10,
    jsonSeparatorBytes,
  );
  return headersOnly || (mediaType.is === 'json' && !mediaType.nullsStripped && rows * row <= maxBytes);
}

/** Returns the body from the records `page` up to a position, without counting bytes. */
export function plainBody(plan: BodyFormat, position: Sql, upTo: number): Sql {
  const filter = sql`filter (where ${position} <= ${upTo})`;
  return isRecord(plan)
    ? sql`coalesce(json_agg(${pageRow}) ${filter}, '[]')::text`
    : sql`coalesce('[' || string_agg(${rowText(plan)}, ${jsonSeparator}) ${filter} || ']', '[]')`;
}

/** Returns the maximum size of a row's text in bytes. */
const largestRow = ({ maxBytes }: BodyFormat): number => Math.min(maxBytes, limits.response.rowBytes);

/**
 * Returns the rows of `page` (a list of sources for `from`) as texts, with the columns `row`, `position` from 1, `bytes`
 * (the sum so far, with separators) and those of `also`. A row that is too long is null from the start: a window whose rows
 * don't fit its memory writes the whole page to a file before it returns the first. `offset 0` keeps Postgres from merging
 * the queries, which would make each text several times.
 */
export function rowTexts(plan: BodyFormat, page: Sql, also: Record<string, Sql> = {}): Sql {
  const separatorBytes = plan.mediaType.is === 'csv' ? 1 : jsonSeparatorBytes;
  const names = Object.keys(also).map(name => identifier(name));
  const texts = join([
    sql`${rowText(plan)} as row`,
    ...Object.entries(also).map(([name, value]) => sql`${value} as ${identifier(name)}`),
  ]);
  const short = join([sql`case when octet_length(row) <= ${largestRow(plan)} then row end as row`, ...names]);
  return sql`(
  select *, row_number() over so_far as position, sum(octet_length(row) + ${separatorBytes}) over so_far as bytes
  from (select ${short} from (select ${texts} from ${page} offset 0) as texts offset 0) as page
  window so_far as (rows unbounded preceding)
) as page`;
}

/** Returns the body from all row texts, or from those up to a position. */
export function bodyExpression({ mediaType, outputs, maxBytes }: BodyFormat, upTo?: number): Sql {
  const filter = upTo === undefined ? empty : sql` filter (where page.position <= ${upTo})`;
  const header = headerOf(mediaType, outputs);
  // The rows are preceded by a header line or surrounded by brackets; the last one has no separator.
  const around = mediaType.is === 'csv' ? sql`octet_length(${header})` : sql`${2 - jsonSeparatorBytes}`;
  const refused = sql`when page.bytes > ${maxBytes} - ${around} or page.row is null then builder.refuse_response()`;
  // The beginning is prepended to the first row, since prepending it to the whole body would copy that again.
  const rows = (first: Sql): Sql =>
    sql`case ${refused} when page.position = 1 then ${first} || page.row else page.row end`;
  switch (mediaType.is) {
    case 'json':
      return sql`coalesce(string_agg(${rows(keyword("'['"))}, ${jsonSeparator})${filter} || ']', '[]')`;
    case 'object':
      return sql`coalesce(string_agg(case ${refused} else page.row end, '') filter (where page.position = 1), 'null')`;
    case 'csv':
      return sql`coalesce(string_agg(${rows(sql`${`${header}\n`}`)}, ${'\n'})${filter}, ${'\n'})`;
  }
}

/** Returns the body where `page` is a single row; not for CSV. */
export function rowExpression(plan: BodyFormat): Sql {
  const { mediaType } = plan;
  const row = rowText(plan);
  return sql`builder.within_bytes(${mediaType.is === 'json' ? sql`'[' || ${row} || ']'` : row}, ${largestRow(plan)})`;
}

/** Returns the first line of CSV. For spreadsheets it has a byte order mark, by which they recognise UTF-8. */
const headerOf = (mediaType: RowsMediaType, outputs: Output[]): string =>
  mediaType.is === 'csv' && mediaType.isForSpreadsheets
    ? `\u{feff}${outputs.map(({ name }) => spreadsheetName(name)).join()}`
    : outputs.map(({ name }) => quoted(name)).join();

/** Returns a name in a line of CSV (RFC 4180). */
const quoted = (name: string): string => (/[",\r\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name);
