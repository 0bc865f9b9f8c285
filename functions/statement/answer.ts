/** The last select of every statement: the page as the text of the response body, and how many rows it has. */
import type { Output } from '../plan/plan.ts';
import type { RowsMediaType } from '../request/media-type.ts';
import { keyword, type Sql, sql } from './sql.ts';

/** Bytes a response body has at most. */
const responseLimit = 16 * 1024 * 1024;

/** Raised inside the statement, since a write whose answer can't be sent must not have happened. */
export const sizeExpectation = sql`builder.expect_number('PG413', octet_length(body), 0, ${responseLimit})`;

/** The rows of `page` as one text. */
export function bodyExpression(mediaType: RowsMediaType, outputs: Output[]): Sql {
  switch (mediaType.is) {
    case 'json':
      return sql`coalesce(${stripped(keyword('json_agg(page)'), mediaType.nullsStripped)}, '[]')::text`;
    case 'object':
      return sql`coalesce(${stripped(keyword('json_agg(page)'), mediaType.nullsStripped)} -> 0, 'null')::text`;
    case 'csv': {
      const header = outputs.map(({ name }) => quoted(name)).join(',');
      return sql`case when count(*) > 0 then ${header} else '' end || ${'\n'}
    || coalesce(string_agg(substring(page::text, 2, length(page::text) - 2), ${'\n'}), '')`;
    }
  }
}

const stripped = (json: Sql, nullsStripped: boolean): Sql =>
  nullsStripped ? sql`json_strip_nulls(${json})` : json;

/** A name in a line of CSV (RFC 4180). */
const quoted = (name: string): string => (/[",\r\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name);
