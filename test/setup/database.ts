/** A database for one test file, created from the migrated template. */
import { randomBytes } from 'node:crypto';
import postgres, { type Sql } from 'postgres';
import { inject } from 'vitest';
import { loginUrl } from '../../sql/login-passwords.ts';
import { asOwner } from './as-owner.ts';
import { use } from './use.ts';

export type TestDatabase = ReturnType<typeof databaseAt>;

/** A database as its owner reaches it, and the login roles. */
export function databaseAt(ownerUrl: string, sql: Sql, drop: () => Promise<void>) {
  const { loginPassword } = inject('postgres');
  return {
    /** Connected as the superuser: row level security doesn't apply. */
    sql,
    /** The superuser's connection string. */
    ownerUrl,
    /** The connection strings of the login roles. */
    apiUrl: loginUrl(ownerUrl, 'builder_api', loginPassword),
    jobsUrl: loginUrl(ownerUrl, 'builder_jobs', loginPassword),
    /** Closes `sql` and drops the database, even if it has other connections. */
    drop,
  };
}

export async function createDatabase(): Promise<TestDatabase> {
  const { ownerUrl: serverUrl, template } = inject('postgres');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asOwner(serverUrl, owner => owner`create database ${owner(name)} template ${owner(template)}`);
  const ownerUrl = Object.assign(new URL(serverUrl), { pathname: name }).href;
  const sql = postgres(ownerUrl, { max: 4, onnotice: () => {} });
  return databaseAt(ownerUrl, sql, async () => {
    await sql.end({ timeout: 5 });
    await asOwner(serverUrl, owner => owner`drop database if exists ${owner(name)} with (force)`);
  });
}

/** The database of a test file, or of a `describe`: it is made before its tests, and until then has no properties. */
export const useDatabase = (): TestDatabase => use(createDatabase, 'drop');

/** Deletes every row that the migrations have not made. */
export async function emptyDatabase({ sql }: TestDatabase): Promise<void> {
  await sql`truncate ${sql(inject('postgres').emptyTables)} restart identity`;
}
