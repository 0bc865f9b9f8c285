import type { Caller } from '../caller/caller.ts';
import { sessionStatement } from './session.ts';
import { type Message, message, sql } from './sql.ts';

/** The message to which a working database replies: whether the sweep is late. `caller` is anonymous. */
export const healthMessage = (caller: Caller): Message =>
  message(
    sessionStatement(caller),
    sql`select case when builder.sweep_is_late() then 'late' else 'ok' end as sweep`,
  );
