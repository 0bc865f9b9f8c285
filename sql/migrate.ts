/**
 * Applies the missing migrations of `migrations/` and the changed files of `code/` to a database, in one transaction, under a
 * lock. So a failed run changes nothing, and concurrent deploys take turns.
 */

import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import Postgrator from 'postgrator';
import type { Sql, TransactionSql } from 'postgres';
import { applyCode, changedCode, compareMigrations, lockForCode } from './applied.ts';
import {
  loginRoles,
  mayRefuseVerifiers,
  type PasswordForm,
  type Passwords,
  refuseRolesOfOthers,
  setPasswords,
  withoutPassword,
} from './login-passwords.ts';

/** Any constant will do; it only has to be the same for every deploy. */
const migrationLock = 7_203_513_491;

/** The SQLSTATE of a lock that could not be taken in time, and of a deadlock. */
const lockNotAvailable = '55P03';
const deadlockDetected = '40P01';

/**
 * Whether another session was in the way. Roles belong to the whole server. A concurrent change of one has no SQLSTATE of its
 * own: Postgres's function `simple_heap_update` raises it.
 */
const isInTheWay = ({ code, routine }: { code?: string; routine?: string }): boolean =>
  code === lockNotAvailable || code === deadlockDetected || routine === 'simple_heap_update';

export interface MigrateOptions {
  /** Where `migrations/` and `code/` are; ends with a slash. */
  folder?: URL;
  /** Milliseconds to wait for a table that another session has locked. Meanwhile, later sessions wait too. */
  lockTimeout?: number;
  /** Attempts when another session is in the way. */
  tries?: number;
  /** Milliseconds to wait for another deploy. */
  turnTimeout?: number;
  /** Whether to set a given password also for roles that have one, with which a service may log in. */
  resetPassword?: boolean;
  /** What its rows come from: it is a copy that runs beside its original, or was restored in its place (code/copies.sql). */
  origin?: Origin;
  /** Is called with what became of the passwords before rows are adapted: if it rejects, nothing was changed. */
  checkPasswords?: (passwords: Passwords | undefined) => Promise<void>;
}

type Origin = 'copy' | 'restored' | undefined;

interface Migrated {
  /** The names of the applied files. */
  applied: string[];
  /** What became of the passwords, if one was given. */
  passwords: Passwords | undefined;
  /** How many webhooks and deliveries of a copy ended. */
  silenced: Silenced | undefined;
}

export interface Silenced {
  webhooks: string;
  deliveries: string;
}

const defaults: Required<MigrateOptions> = {
  folder: new URL('.', import.meta.url),
  lockTimeout: 3000,
  tries: 3,
  turnTimeout: 60_000,
  resetPassword: false,
  origin: undefined,
  checkPasswords: async () => {},
};

/**
 * Brings the database up to date. Sets the password of the roles that log in, if given: see setPasswords(). Rejects with the
 * database's error, when a migration differs from the applied one, or when a role that logs in would have no password.
 */
export async function migrate(
  sql: Sql,
  loginPassword?: string,
  given: MigrateOptions = {},
): Promise<Migrated> {
  const options = { ...defaults, ...given };
  let form: PasswordForm = 'verifier';
  for (let attempt = 1; ; attempt += 1) {
    let isApplied = false;
    try {
      return await sql.begin(async transaction => {
        const { applied, lacking } = await applyMissing(transaction, loginPassword, options);
        isApplied = true;
        const how = { lacking, reset: options.resetPassword, form };
        const passwords = loginPassword ? await setPasswords(transaction, loginPassword, how) : undefined;
        await options.checkPasswords(passwords);
        // Last, since moved sequences stay when a transaction fails.
        const silenced = options.origin && (await adaptRows(transaction, options.origin, applied));
        return { applied, passwords, silenced };
      });
    } catch (error) {
      if (isInTheWay(error as { code?: string })) {
        await pauseOrGiveUp(attempt, options, error);
      } else if (isApplied && loginPassword && form === 'verifier' && mayRefuseVerifiers(error)) {
        form = 'plain';
      } else {
        throw error;
      }
    }
  }
}

/** Throws if the database was empty: what is restored after this would not be adapted. */
async function adaptRows(
  transaction: TransactionSql,
  origin: 'copy' | 'restored',
  applied: readonly string[],
): Promise<Silenced | undefined> {
  if (applied[0]?.startsWith('migrations/001.')) {
    throw emptyError(origin);
  }
  if (origin === 'restored') {
    await transaction`select builder.skip_lost_numbers()`;
    return undefined;
  }
  const [silenced] = await transaction<Silenced[]>`select * from builder.silence_copy()`;
  return silenced;
}

const emptyError = (origin: 'copy' | 'restored'): Error =>
  new Error(
    `--${origin} is for a database with restored rows, and this one is empty: restore the backup first`,
  );

/** What the option `copy` would change, and how many connections the logins have: a database in use is perhaps the original. */
interface CopyPreview extends Silenced {
  connections: string;
}

export async function previewCopy(sql: Sql): Promise<CopyPreview> {
  const [found] = await sql`select to_regclass('builder.deliveries') is not null as has_rows`;
  if (found?.['has_rows'] !== true) {
    throw emptyError('copy');
  }
  const [preview] = await sql<CopyPreview[]>`
    select (select count(*) from builder.webhooks where disabled_at is null) as webhooks,
      (select count(*) from builder.deliveries where due_at is not null) as deliveries,
      (select count(*) from pg_stat_activity where datname = current_database() and usename = any (${loginRoles})) as connections`;
  return preview as CopyPreview;
}

async function pauseOrGiveUp(
  attempt: number,
  { tries, lockTimeout }: Required<MigrateOptions>,
  cause: unknown,
): Promise<void> {
  if (attempt >= tries) {
    const message =
      'a lock could not be acquired: another session is using a table, or another deploy is running. ' +
      'It can be run again at any time';
    throw Object.assign(new Error(message, { cause }), { code: lockNotAvailable });
  }
  await pause(lockTimeout / 3);
}

/** Returns the names of the applied files, and the roles that lack a password. */
async function applyMissing(
  transaction: TransactionSql,
  loginPassword: string | undefined,
  { folder, lockTimeout, turnTimeout }: Required<MigrateOptions>,
): Promise<{ applied: string[]; lacking: string[] }> {
  const setLockTimeout = (milliseconds: number) =>
    transaction`select set_config('lock_timeout', ${String(milliseconds)}, true)`;
  await transaction`set local client_min_messages = warning`;
  await setLockTimeout(turnTimeout);
  await transaction`select pg_advisory_xact_lock(${migrationLock})`;
  await setLockTimeout(lockTimeout);
  await refuseOtherEncoding(transaction);
  await refuseRolesOfOthers(transaction);
  const lacking = await withoutPassword(transaction);
  const postgrator = new Postgrator({
    driver: 'pg',
    migrationPattern: fileURLToPath(new URL('migrations/*.sql', folder)),
    schemaTable: 'builder.migrations',
    validateChecksums: false,
    execQuery: async query => ({ rows: await transaction.unsafe(query) }),
  });
  await compareMigrations(transaction, await postgrator.getMigrations());
  const code = await changedCode(transaction, folder);
  await lockForCode(transaction, code);
  const migrations = await postgrator.migrate();
  await applyCode(transaction, code);
  await transaction.unsafe(await readFile(new URL('code/database.sql', folder), 'utf8'));
  if (!loginPassword && lacking.length > 0) {
    throw new Error(
      `${lacking.join(', ')} would have no password, so the service could not log in. ` +
        `Set API_DATABASE_PASSWORD to a password for ${loginRoles.join(', ')}`,
    );
  }
  return {
    applied: [
      ...migrations.map(({ filename }) => `migrations/${basename(filename)}`),
      ...code.map(({ name }) => `code/${name}.sql`),
    ],
    lacking,
  };
}

/** Throws unless the database stores text as UTF-8: another encoding lacks characters that clients send. */
async function refuseOtherEncoding(transaction: TransactionSql): Promise<void> {
  const [{ encoding } = {}] = await transaction`select current_setting('server_encoding') as encoding`;
  if (encoding !== 'UTF8') {
    throw new Error(
      `the encoding of this database is ${encoding}, and the service needs UTF8. Migrate another one: ` +
        "create database <name> template template0 encoding 'UTF8' locale 'C.UTF-8';",
    );
  }
}
