/** The messages of functions that return a value and no rows. */
import type { Caller } from '../../caller/caller.ts';
import { keyword, type Message, message, sql } from '../../database/sql.ts';
import type { RowsMediaType } from '../request/media-type.ts';
import type { Preferences } from '../request/preferences.ts';
import { ending, sessionStatement } from './session.ts';
import { returned } from './statement-row.ts';

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

/** Returns `body`: the delivery's id and state as JSON, or null when there is no such delivery. */
export const redeliverMessage = (caller: Caller, id: string, preferences: Preferences): Message =>
  message(
    sessionStatement(caller),
    sql`select builder.redeliver(${id}::bigint)::text as body`,
    ...ending(preferences),
  );
