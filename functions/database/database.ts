import type { Statements } from '../statement/prepared-statements.ts';
import type { Message, Sql } from '../statement/sql.ts';

/** A row as Postgres wrote it: every column is text or null, nothing is parsed. */
export type Row = Record<string, string | null>;

/** Why there are no rows: what Postgres said of the statement, why it could not be asked, or that it wasn't. */
export type DatabaseError =
  | { is: 'refused'; sqlstate: string; message: string; details?: string; hint?: string }
  | { is: 'unavailable'; reason: string }
  | { is: 'too many at once' };

export type Reply = { ok: true; rows: Row[] } | { ok: false; error: DatabaseError };

export const unavailable = (reason: string): Reply => ({ ok: false, error: { is: 'unavailable', reason } });
export const tooManyAtOnce: Reply = { ok: false, error: { is: 'too many at once' } };

/** A write came to a server that takes none: a standby, or a primary that was demoted. Nothing was done. */
export const isReadOnly = (reply: Reply): boolean =>
  !reply.ok && reply.error.is === 'refused' && reply.error.sqlstate === '25006';

/** Milliseconds. Longer than two statements may run (`statement_timeout`), so that only a stuck link runs into it. */
export const deadline = 11_000;

/** A message as it crosses to where the connections are: its text, or statements that may be prepared there. */
export type SentMessage = string | Statements;

/** A way to Postgres. */
export interface Database {
  /**
   * Sends one message of several statements and answers the rows of the last one that returns rows. `sender` tells
   * whose it is: one sender can't have everything.
   */
  send(message: Sql | Message, sender: string): Promise<Reply>;
}
