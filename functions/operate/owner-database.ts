/** The database at DATABASE_URL, as its owner, for `npm run webhook` and `npm run account`. */
import type { PendingQuery, Row, Sql } from 'postgres';
import { connect } from '../../sql/connect.ts';
import { Problem } from '../local/program.ts';

export interface OwnerDatabase {
  sql: Sql;
  url: URL;
}

/** Runs `work` with a connection, and closes it. Throws a Problem when DATABASE_URL is not set or cannot be used. */
export async function withOwnerDatabase<T>(work: (database: OwnerDatabase) => Promise<T>): Promise<T> {
  const { DATABASE_URL = '' } = process.env;
  if (DATABASE_URL === '') {
    throw new Problem("DATABASE_URL is not set. Set it to the connection string of the database's owner.");
  }
  const connected = connect(DATABASE_URL, 10);
  if (!connected.ok) {
    throw new Problem(connected.failure);
  }
  const sql = connected.value;
  try {
    return await work({ sql, url: new URL(DATABASE_URL) });
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** Resolves to the rows of a query. Throws a Problem when the query fails. */
export async function read<T extends Row[]>(query: PendingQuery<T>): Promise<T> {
  try {
    return await query;
  } catch (error) {
    throw unusable(error);
  }
}

/** Returns the problem of a query that failed. */
export function unusable(error: unknown): Problem {
  const { message, code } = error as Error & { code?: string };
  if (code === '55P03') {
    return new Problem('A row is locked by another transaction: run it again when that has ended.');
  }
  return new Problem(`The database at DATABASE_URL cannot be used: ${message || code}.`);
}

/** Renews the planner's statistics, which have values of columns: also names that were erased. */
export async function analyze(sql: Sql): Promise<void> {
  await read(sql`analyze builder.quotes, builder.quote_offers, builder.quote_events, builder.quote_links, builder.notifications,
    builder.deliveries, builder.idempotency_keys, builder.refused_addresses, builder.changes, builder.terms, builder.design, builder.price`);
}
