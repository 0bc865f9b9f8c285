/**
 * Applies the numbered migrations of this folder to a database: all that are missing, in one transaction, under a
 * lock, so that a failed one leaves nothing behind and two deploys at once take turns.
 *
 * As a program (`npm run migrate`) it reads `DATABASE_URL` (a connection of the database's owner) and
 * `API_DATABASE_PASSWORD` (set as the password of the roles that log in, when given).
 */
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import Postgrator from 'postgrator';
import postgres, { type Sql, type TransactionSql } from 'postgres';

/** Any constant will do; it only has to be the same for every deploy. */
const migrationLock = 7_203_513_491;

const loginRoles = ['builder_api', 'builder_sweeper'];

/** The SQLSTATE of a lock that was not had in time. */
const lockNotAvailable = '55P03';

/** What belongs to the database itself, set by every run. */
const eachTime = new URL('each-time.sql', import.meta.url);

export interface Migration {
  version: number;
  name: string;
}

export interface MigrateOptions {
  /** Where the migrations are; ends with a slash. */
  folder?: URL;
  /** Milliseconds to wait for a lock that somebody else has on a table: who waits keeps later ones waiting too. */
  lockTimeout?: number;
  /** How often to try when it isn't had. */
  tries?: number;
  /** Milliseconds to wait for another deploy. */
  turnTimeout?: number;
}

const defaults: Required<MigrateOptions> = {
  folder: new URL('./', import.meta.url),
  lockTimeout: 3000,
  tries: 3,
  turnTimeout: 60_000,
};

/**
 * Brings the database up to date and answers what was applied. The password, when given, is that of the roles that
 * log in from now on. Rejects with the database's error otherwise.
 */
export async function migrate(
  sql: Sql,
  loginPassword?: string,
  given: MigrateOptions = {},
): Promise<Migration[]> {
  const options = { ...defaults, ...given };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await sql.begin(transaction => applyMissing(transaction, loginPassword, options));
    } catch (error) {
      if ((error as { code?: string }).code !== lockNotAvailable) {
        throw error;
      }
      if (attempt >= options.tries) {
        const message =
          'a lock could not be had: another session uses a table that is to change, or another deploy runs. ' +
          'It can be run again at any time';
        throw Object.assign(new Error(message, { cause: error }), { code: lockNotAvailable });
      }
      await pause(options.lockTimeout / 3);
    }
  }
}

async function applyMissing(
  transaction: TransactionSql,
  loginPassword: string | undefined,
  { folder, lockTimeout, turnTimeout }: Required<MigrateOptions>,
): Promise<Migration[]> {
  const setLockTimeout = (milliseconds: number) =>
    transaction`select set_config('lock_timeout', ${String(milliseconds)}, true)`;
  await transaction`set local client_min_messages = warning`;
  await setLockTimeout(turnTimeout);
  await transaction`select pg_advisory_xact_lock(${migrationLock})`;
  await setLockTimeout(lockTimeout);
  const postgrator = new Postgrator({
    driver: 'pg',
    migrationPattern: fileURLToPath(new URL('*.sql', folder)),
    schemaTable: 'builder.migrations',
    execQuery: async query => ({ rows: await transaction.unsafe(query) }),
  });
  const applied = await postgrator.migrate();
  await transaction.unsafe(await readFile(eachTime, 'utf8'));
  if (loginPassword !== undefined) {
    await setPassword(transaction, loginPassword);
  }
  return applied.map(({ version, name }) => ({ version, name }));
}

async function setPassword(transaction: TransactionSql, password: string): Promise<void> {
  for (const role of loginRoles) {
    const [statement] = await transaction<{ text: string }[]>`
      select format('alter role %I password %L', ${role}::text, ${password}::text) as text`;
    await transaction.unsafe(statement?.text ?? '');
  }
}

async function main(): Promise<void> {
  const { DATABASE_URL: url, API_DATABASE_PASSWORD: password } = process.env;
  if (!url) {
    console.error('DATABASE_URL is not set: it is the connection of the database owner.');
    process.exit(1);
  }
  const sql = postgres(url, { max: 1, connect_timeout: 10, onnotice: () => {} });
  try {
    const applied = await migrate(sql, password);
    for (const { version, name } of applied) {
      console.log(`applied ${version} ${name}`);
    }
    console.log(
      applied.length === 0 ? 'The database is up to date.' : `${applied.length} migrations applied.`,
    );
  } catch (error) {
    console.error(`The migration failed and left nothing behind: ${(error as Error).message}`);
    process.exitCode = 1;
  } finally {
    await sql.end();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main();
}
