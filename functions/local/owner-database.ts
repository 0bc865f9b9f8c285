/** The database at DATABASE_URL, as its owner, for `npm run webhook` and `npm run account`. */
import postgres, { type PendingQuery, type Row, type Sql } from 'postgres';
import { databaseAddress, isPostgresUrl, notPostgresUrl } from '../common/database-address.ts';
import { Problem } from './problem.ts';

export interface OwnerDatabase {
  sql: Sql;
  url: URL;
}

/** Runs `work` with a connection, and closes it. Throws a Problem when DATABASE_URL is not set or not a URL of Postgres. */
export async function withOwnerDatabase<T>(work: (database: OwnerDatabase) => Promise<T>): Promise<T> {
  const { DATABASE_URL = '' } = process.env;
  if (DATABASE_URL === '') {
    throw new Problem("DATABASE_URL is not set. Set it to the connection string of the database's owner.");
  }
  if (!isPostgresUrl(DATABASE_URL)) {
    throw new Problem(notPostgresUrl);
  }
  const url = new URL(DATABASE_URL);
  const sql = postgres(url.href, {
    ...databaseAddress(url.href),
    max: 1,
    connect_timeout: 10,
    onnotice: () => {},
  });
  try {
    return await work({ sql, url });
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
  return new Problem(`The database at DATABASE_URL cannot be used: ${message || code}.`);
}
