import type { Caller } from '../caller/caller.ts';
import { sessionStatement } from './session.ts';
import { message, type Sql, sql } from './sql.ts';

/** Answers `body`, the number as JSON. */
export const nextQuoteNumberMessage = (caller: Caller): Sql =>
  message(sessionStatement(caller), sql`select to_json(builder.next_quote_number())::text as body`);
