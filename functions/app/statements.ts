/** The message of the function `next_quote_number`. */
import type { Caller } from '../caller/caller.ts';
import { keyword, type Message, message, sql } from '../database/sql.ts';
import { sessionStatement } from '../database/statements.ts';
import type { RowsMediaType } from '../rest/request/media-type.ts';
import type { Preferences } from '../rest/request/preferences.ts';
import { ending } from '../rest/statement/session.ts';
import { returned } from '../rest/statement/statement-row.ts';

/**
 * The number in a format. As JSON it is a text in every array or object format, since the function returns no row. As
 * CSV it has PostgREST's name for such a value, and needs no quotes.
 */
const formats: Record<RowsMediaType['is'], string> = {
  json: 'to_json(builder.next_quote_number())::text',
  object: 'to_json(builder.next_quote_number())::text',
  csv: "E'pgrst_scalar\\n' || builder.next_quote_number()",
};

/** Returns `body`, the number. */
export const nextQuoteNumberMessage = (
  caller: Caller,
  { is }: RowsMediaType,
  preferences: Preferences,
): Message =>
  message(
    sessionStatement(caller),
    sql`select ${returned('body', keyword(formats[is]))}`,
    ...ending(preferences),
  );
