import type { Sql } from '../statement/sql.ts';

/** A row as Postgres wrote it: every column is text or null, nothing is parsed. */
export type Row = Record<string, string | null>;

/** Why there are no rows: what Postgres said of the statement, or why it could not be asked. */
export type DatabaseError =
  | { is: 'refused'; sqlstate: string; message: string; details?: string; hint?: string }
  | { is: 'unavailable'; reason: string };

export type Reply = { ok: true; rows: Row[] } | { ok: false; error: DatabaseError };

/** A way to Postgres. */
export interface Database {
  /** Sends one message of several statements and answers the rows of the last one that returns rows. */
  send(message: Sql): Promise<Reply>;
}
