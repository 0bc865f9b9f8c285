/** The driver, and how it is asked: one simple-protocol message in, rows or an error as data out. */
import postgres from 'postgres';
import type { DatabaseError, Reply, Row } from './database.ts';

export type Client = postgres.Sql;

/** Text stays text: Postgres has built the answer already. */
const asText = {
  to: 0,
  from: [16, 20, 21, 23, 114, 700, 701, 1082, 1114, 1184, 1700, 3802],
  serialize: String,
  parse: (text: string) => text,
};

/** Opens no connection yet; the first message does. `connections` is how many it may hold. */
export function createClient(url: string, connections: number): Client {
  return postgres(url, {
    max: connections,
    fetch_types: false,
    connect_timeout: 5,
    idle_timeout: 0,
    max_lifetime: null,
    onnotice: () => {},
    types: { text: asText } as never,
  });
}

/** Sends a message; the answer is the rows of its last statement that has any columns. Never rejects. */
export async function sendThrough(client: Client, text: string): Promise<Reply> {
  try {
    const result: unknown = await client.unsafe(text).simple();
    return { ok: true, rows: lastRows(result as StatementResult | StatementResult[]) };
  } catch (error) {
    return { ok: false, error: describe(error) };
  }
}

interface StatementResult extends Array<Row> {
  columns?: unknown[];
}

/** One statement resolves to its rows, several to an array of those. */
function lastRows(result: StatementResult | StatementResult[]): Row[] {
  const statements = 'columns' in result ? [result as StatementResult] : (result as StatementResult[]);
  const last = statements.findLast(
    statement => statement.columns !== undefined && statement.columns.length > 0,
  );
  return (last ?? []).map(row => ({ ...row }));
}

function describe(error: unknown): DatabaseError {
  if (error instanceof postgres.PostgresError) {
    return {
      is: 'refused',
      sqlstate: error.code,
      message: error.message,
      ...(error.detail && { details: error.detail }),
      ...(error.hint && { hint: error.hint }),
    };
  }
  const { code, message } = error as { code?: string; message?: string };
  return { is: 'unavailable', reason: code ?? message ?? 'unknown' };
}
