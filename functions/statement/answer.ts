/** The last select of every statement: the page as the text of the response body, and how many rows it has. */
import type { Output } from '../plan/plan.ts';
import type { RowsMediaType } from '../request/media-type.ts';
import { keyword, type Sql, sql } from './sql.ts';

/** The rows of `page` as one text. */
export function bodyExpression(mediaType: RowsMediaType, outputs: Output[]): Sql {
  switch (mediaType.is) {
    case 'json':
      return sql`coalesce(${stripped(keyword('json_agg(page)'), mediaType.nullsStripped)}, '[]')::text`;
    case 'object':
      return sql`coalesce(${stripped(keyword('json_agg(page)'), mediaType.nullsStripped)} -> 0, 'null')::text`;
    case 'csv': {
      const header = outputs.map(({ name }) => name).join(',');
      return sql`case when count(*) > 0 then ${header} else '' end || ${'\n'}
    || coalesce(string_agg(substring(page::text, 2, length(page::text) - 2), ${'\n'}), '')`;
    }
  }
}

const stripped = (json: Sql, nullsStripped: boolean): Sql =>
  nullsStripped ? sql`json_strip_nulls(${json})` : json;
