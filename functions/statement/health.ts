import type { Caller } from '../caller/caller.ts';
import { sessionStatement } from './session.ts';
import { type Message, message, type Sql, sql } from './sql.ts';

/** The message to which a working database replies: whether the sweep is late. `caller` is anonymous. */
export const healthMessage = (caller: Caller): Message =>
  message(
    sessionStatement(caller),
    sql`select case when builder.sweep_is_late() then 'late' else 'ok' end as sweep`,
  );

/** The smallest statement to which a new connection replies. */
export const aliveStatement: Sql = sql`select '1' as alive`;
