import type { Statements } from './prepared-statements.ts';
import type { Message } from './sql.ts';

/** A row as Postgres wrote it: every column is text or null; nothing is parsed. */
export type Row = Record<string, string | null>;

/**
 * The failure of a message. `refused`: Postgres reported an error. `unavailable`: Postgres could not be reached, or did
 * not reply. `too many at once`: the caller has too many messages in flight, so this one was not sent.
 */
export type DatabaseError =
  | {
      is: 'refused';
      sqlstate: string;
      message: string;
      details?: string;
      hint?: string;
      constraint?: string;
      column?: string;
    }
  | { is: 'unavailable'; reason: string; lost?: true }
  | { is: 'too many at once' };

export type Reply = { ok: true; rows: Row[] } | { ok: false; error: DatabaseError };

export const unavailable = (reason: string): Reply => ({ ok: false, error: { is: 'unavailable', reason } });

/** Returns the reply for a connection that was lost with the message in flight. A read may be sent again. */
export const lost = (reason: string): Reply => ({
  ok: false,
  error: { is: 'unavailable', reason, lost: true },
});
export const tooManyAtOnce: Reply = { ok: false, error: { is: 'too many at once' } };

/** Whether a write reached a read-only server, such as a standby or a demoted primary. Nothing was written. */
export const isReadOnly = (reply: Reply): boolean =>
  !reply.ok && reply.error.is === 'refused' && reply.error.sqlstate === '25006';

/** A message for a connection: its text, or statements that a pool may prepare. */
export type SentMessage = string | Statements;

/** A connection path to Postgres. */
export interface Database {
  /**
   * Sends one message of several statements, and resolves to the rows of the last one that returns rows. `callerKey`
   * identifies the caller whose share of connections it uses.
   */
  send(message: Message, callerKey: string): Promise<Reply>;
}
