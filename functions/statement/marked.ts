/** A message that says whose it is, where the database's operator looks: pg_stat_activity and the server's log. */
import type { TraceParent } from '../request/trace-parent.ts';
import { comment, type Message, messageBehind } from './sql.ts';

/** Which request a message is of. */
export interface Origin {
  requestId: string;
  traceParent: TraceParent | undefined;
}

/**
 * The message behind a comment, which takes Postgres 1 µs, measured; setting application_name takes 6, and cuts the id
 * at 63 bytes. It comes first, since pg_stat_activity shows the first 1,024 bytes.
 */
export function marked({ statements }: Message, { requestId, traceParent }: Origin): Message {
  const trace = traceParent ? ` traceparent=${traceParent.text}` : '';
  return messageBehind(comment(`request_id=${requestId}${trace}`), statements);
}
