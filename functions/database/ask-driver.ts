/** A message through the driver: it opens the connection, if that is not open yet, and its results become an answer. */
import postgres from 'postgres';
import type { DatabaseError, Row } from './database.ts';
import type { Answer } from './reply-reader.ts';

/** Sends a message of simple queries. Never rejects. */
export async function askDriver(client: postgres.Sql, text: string): Promise<Answer> {
  try {
    const result: unknown = await client.unsafe(text).simple();
    const rows = lastRows(result as StatementResult | StatementResult[]);
    return { reply: { ok: true, rows }, endsConnection: false };
  } catch (error) {
    return { reply: { ok: false, error: describe(error) }, endsConnection: endsConnection(error) };
  }
}

interface StatementResult extends Array<Row> {
  columns?: unknown[];
}

/** Returns the rows of the last statement: the driver resolves one to its rows, and several to an array of results. */
function lastRows(result: StatementResult | StatementResult[]): Row[] {
  const statements = 'columns' in result ? [result as StatementResult] : (result as StatementResult[]);
  const last = statements.findLast(
    statement => statement.columns !== undefined && statement.columns.length > 0,
  );
  return (last ?? []).map(row => ({ ...row }));
}

/** Whether an error ends the connection: Postgres's FATAL and PANIC do, and every error that does not come from Postgres. */
const endsConnection = (error: unknown): boolean =>
  !(error instanceof postgres.PostgresError) || error.severity !== 'ERROR';

function describe(error: unknown): DatabaseError {
  if (error instanceof postgres.PostgresError) {
    return {
      is: 'refused',
      sqlstate: error.code,
      message: error.message,
      ...(error.detail && { details: error.detail }),
      ...(error.hint && { hint: error.hint }),
      ...(error.constraint_name && { constraint: error.constraint_name }),
      ...(error.column_name && { column: error.column_name }),
    };
  }
  const { code, message } = error as { code?: string; message?: string };
  return { is: 'unavailable', reason: code ?? message ?? 'unknown' };
}
