/** What a statement answers: rows of `page` as the text of the response body. */
import type { Output } from '../plan/plan.ts';
import type { RowsMediaType } from '../request/media-type.ts';
import { empty, keyword, type Sql, sql } from './sql.ts';

/** Bytes a response body has at most. */
const responseLimit = 16 * 1024 * 1024;

/** Checked inside the statement, since a write whose answer can't be sent must not have happened. */
const withinLimit = (body: Sql): Sql => sql`builder.within_bytes(${body}, ${responseLimit})`;

/** The whole row: without the star it would be a column of it, if one has the alias `page`. */
const pageRow = keyword('page.*');

/** All rows of `page`, or those that meet a condition. */
export function bodyExpression(mediaType: RowsMediaType, outputs: Output[], condition?: Sql): Sql {
  const filter = condition ? sql` filter (where ${condition})` : empty;
  const rows = sql`json_agg(${pageRow})${filter}`;
  switch (mediaType.is) {
    case 'json':
      return withinLimit(sql`coalesce(${stripped(rows, mediaType.nullsStripped)}, '[]')::text`);
    case 'object':
      return withinLimit(sql`coalesce(${stripped(rows, mediaType.nullsStripped)} -> 0, 'null')::text`);
    case 'csv': {
      const header = outputs.map(({ name }) => quoted(name)).join(',');
      const line = sql`(${pageRow})::text`;
      return withinLimit(sql`case when count(*) > 0 then ${header} else '' end || ${'\n'}
    || coalesce(string_agg(substring(${line}, 2, length(${line}) - 2), ${'\n'})${filter}, '')`);
    }
  }
}

/** Where `page` is one row; for CSV there is none. */
export function rowExpression(mediaType: RowsMediaType): Sql {
  const nullsStripped = mediaType.is !== 'csv' && mediaType.nullsStripped;
  const row = sql`${stripped(sql`row_to_json(${pageRow})`, nullsStripped)}::text`;
  return withinLimit(mediaType.is === 'json' ? sql`'[' || ${row} || ']'` : row);
}

const stripped = (json: Sql, nullsStripped: boolean): Sql =>
  nullsStripped ? sql`json_strip_nulls(${json})` : json;

/** A name in a line of CSV (RFC 4180). */
const quoted = (name: string): string => (/[",\r\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name);
