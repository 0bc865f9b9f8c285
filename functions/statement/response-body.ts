/**
 * What a statement answers: rows of `page` as the text of the response body. Each row is made by itself, and the bytes of
 * those before it are known: past the plan's limit the statement ends, and what it would have answered is never in memory.
 * It matters for writes as well, since a write whose answer can't be sent must not have happened.
 */
import { limits } from '../common/limits.ts';
import type { Plan } from '../plan/plan.ts';
import type { RowsMediaType } from '../request/media-type.ts';
import { empty, keyword, type Sql, sql } from './sql.ts';

type Answered = Pick<Plan, 'mediaType' | 'outputs' | 'maxBytes'>;

/** The whole row: without the star it would be a column of it, if one has the alias `page`. */
const pageRow = keyword('page.*');

/** What stands between two rows, as json_agg() has it. */
const jsonSeparator = keyword("E', \\n '");
const jsonSeparatorBytes = 4;

/** JSON writes a byte of a text in six at most: `\u0001`. */
const longestEscape = 6;

/**
 * Whether so many rows can't have more bytes than an answer may, by the sizes of their columns: then nobody need count
 * them, which takes Postgres 15 % of a page of 20. What a cast makes may be longer than what it is made of.
 */
export function isSurelyWithin(plan: Answered & { headersOnly: boolean }, rows: number): boolean {
  const { mediaType, outputs, maxBytes, headersOnly } = plan;
  const row = outputs.reduce(
    (sum, { name, field, cast, aggregateCast }) =>
      cast || aggregateCast
        ? Number.POSITIVE_INFINITY
        : sum + longestEscape * (name.length * 3 + (field?.type.maxBytes ?? limits.query.scalar)) + 10,
    jsonSeparatorBytes,
  );
  return headersOnly || (mediaType.is === 'json' && !mediaType.nullsStripped && rows * row <= maxBytes);
}

/** The body of the records `page` up to a position, uncounted. */
export const plainBody = (position: Sql, upTo: number): Sql =>
  sql`coalesce(json_agg(${pageRow}) filter (where ${position} <= ${upTo}), '[]')::text`;

/**
 * The rows of `page` (a list of sources for `from`) as texts: `row`, `position` from 1, and `bytes`, those of the rows so
 * far with what stands between them. `also` are columns that are kept beside. The inner query is not merged into the outer
 * one (`offset 0`), or each text would be made twice.
 */
export function rowTexts({ mediaType }: Answered, page: Sql, also: Sql): Sql {
  const between = mediaType.is === 'csv' ? 1 : jsonSeparatorBytes;
  return sql`(
  select *, row_number() over so_far as position, sum(octet_length(row) + ${between}) over so_far as bytes
  from (select ${rowText(mediaType)} as row${also} from ${page} offset 0) as page
  window so_far as (rows unbounded preceding)
) as page`;
}

function rowText(mediaType: RowsMediaType): Sql {
  if (mediaType.is === 'csv') {
    const line = sql`(${pageRow})::text`;
    return sql`substring(${line}, 2, length(${line}) - 2)`;
  }
  return sql`${stripped(sql`row_to_json(${pageRow})`, mediaType)}::text`;
}

/** The body of all row texts, or of those up to a position. */
export function bodyExpression({ mediaType, outputs, maxBytes }: Answered, upTo?: number): Sql {
  const filter = upTo === undefined ? empty : sql` filter (where page.position <= ${upTo})`;
  const header = outputs.map(({ name }) => quoted(name)).join(',');
  // Around the rows stands a header line or a pair of brackets; behind the last row stands nothing.
  const around = mediaType.is === 'csv' ? sql`octet_length(${header})` : sql`${2 - jsonSeparatorBytes}`;
  const refused = sql`when page.bytes > ${maxBytes} - ${around} or octet_length(page.row) > ${limits.response.rowBytes} then builder.refuse_answer(${maxBytes})`;
  // What comes first is put before the first row, since putting it before all of them would copy them once more.
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

/** Where `page` is one row; for CSV there is none. */
export function rowExpression({ mediaType, maxBytes }: Answered): Sql {
  const row = sql`${stripped(sql`row_to_json(${pageRow})`, mediaType)}::text`;
  return sql`builder.within_bytes(${mediaType.is === 'json' ? sql`'[' || ${row} || ']'` : row}, ${Math.min(maxBytes, limits.response.rowBytes)})`;
}

const stripped = (json: Sql, mediaType: RowsMediaType): Sql =>
  mediaType.is !== 'csv' && mediaType.nullsStripped ? sql`json_strip_nulls(${json})` : json;

/** A name in a line of CSV (RFC 4180). */
const quoted = (name: string): string => (/[",\r\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name);
