import type { Caller } from '../caller/caller.ts';
import { sessionStatement } from './session.ts';
import { type Message, message, sql } from './sql.ts';

/** Returns `body`: the delivery's id and state as JSON, or null when there is no such delivery. */
export const redeliverMessage = (caller: Caller, id: string): Message =>
  message(sessionStatement(caller), sql`select builder.redeliver(${id}::bigint)::text as body`);
