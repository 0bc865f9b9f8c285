import type { Caller } from '../caller/caller.ts';
import { sessionStatement } from './session.ts';
import { keyword, type Message, message, sql } from './sql.ts';
import { returned } from './statement-row.ts';

/** Returns `body`, the number as JSON. */
export const nextQuoteNumberMessage = (caller: Caller): Message =>
  message(
    sessionStatement(caller),
    sql`select ${returned('body', keyword('to_json(builder.next_quote_number())::text'))}`,
  );
