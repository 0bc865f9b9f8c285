/**
 * Applies the missing migrations of `migrations/` and the changed files of `code/` to a database, in one transaction, under a
 * lock. So a failed run changes nothing, and concurrent deploys take turns.
 *
 * As a program (`npm run migrate`) it reads `DATABASE_URL` (the connection string of the database's owner) and
 * `API_DATABASE_PASSWORD` (the password of the roles that log in; without it, their passwords are unchanged). With
 * `--reset-password` it sets that password also where other databases of the server use these roles.
 */

import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import Postgrator from 'postgrator';
import type { Sql, TransactionSql } from 'postgres';
import { applyCode, changedCode, compareMigrations, lockForCode } from './applied.ts';
import { connect } from './connect.ts';
import {
  loginRoles,
  logsIn,
  mayRefuseVerifiers,
  type PasswordForm,
  type Passwords,
  setPasswords,
  withoutPassword,
} from './login-passwords.ts';
import { endWithReader } from './output.ts';

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
  /** Whether to set a given password also if other databases of the server use the roles. */
  resetPassword?: boolean;
}

interface Migrated {
  /** The names of the applied files. */
  applied: string[];
  /** What became of the passwords, if one was given. */
  passwords: Passwords | undefined;
}

const defaults: Required<MigrateOptions> = {
  folder: new URL('.', import.meta.url),
  lockTimeout: 3000,
  tries: 3,
  turnTimeout: 60_000,
  resetPassword: false,
};

/**
 * Brings the database up to date. Sets the password of the roles that log in, if given: see setPasswords(). Rejects with the database's error, when a migration differs from the applied one, or when a role that logs in would
 * have no password.
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
        return { applied, passwords };
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
  const comparison = await compareMigrations(transaction, await postgrator.getMigrations());
  // The code of a later version may need its migrations.
  const code = comparison === 'newer' ? [] : await changedCode(transaction, folder);
  await lockForCode(transaction, code);
  const migrations = await postgrator.migrate();
  if (comparison !== 'newer') {
    await applyCode(transaction, code);
  }
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

/** The roles that the first migration grants, and those whose passwords are set. */
const sharedRoles = [
  'builder_anon',
  'builder_customer',
  'builder_staff',
  'builder_reader',
  'builder_live',
  ...loginRoles,
];

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

/**
 * Throws if this is a new database and another owner has created the server's roles: since Postgres 16, only a member with the
 * admin option may grant a role or set its password.
 */
async function refuseRolesOfOthers(transaction: TransactionSql): Promise<void> {
  const rows = await transaction<{ role: string; user: string }[]>`
    select rolname as role, quote_ident(current_user) as user from pg_roles
    where rolname = any (${sharedRoles}) and not pg_has_role(oid, 'member with admin option')
      and to_regnamespace('builder') is null and current_setting('server_version_num')::int >= 160000
    order by array_position(${sharedRoles}, rolname::text)`;
  if (rows[0]) {
    const roles = rows.map(({ role }) => role).join(', ');
    throw new Error(
      `another owner has created the roles of this server. As that owner or a superuser: grant ${roles} to ${rows[0].user} with admin option; then run it again`,
    );
  }
}

/** Describes what became of the passwords, and what to do. */
async function describePasswords(url: string, password = '', passwords?: Passwords): Promise<string[]> {
  if (passwords === undefined) {
    return [`The passwords of ${loginRoles.join(', ')} are unchanged: API_DATABASE_PASSWORD is not set.`];
  }
  const { form, set, kept, others } = passwords;
  const lines = set.length > 0 ? [`The password of ${set.join(', ')} is now API_DATABASE_PASSWORD.`] : [];
  if (set.length > 0 && form === 'plain') {
    lines.push(
      'The server refuses SCRAM verifiers, so it was sent as plain text: a log of statements may have it.',
    );
  }
  const [first] = kept;
  if (first === undefined) {
    return lines;
  }
  const roles = kept.join(', ');
  const isTheirs = await logsIn(url, first, password);
  return [
    ...lines,
    `${roles} had a password, and this server's ${others.join(', ')} also use them: it was not changed.`,
    isTheirs
      ? 'API_DATABASE_PASSWORD is that password.'
      : `API_DATABASE_PASSWORD is another password. Use theirs for this database too, or set it for all of them with ` +
        'npm run migrate -- --reset-password, and then update the Hyperdrive configurations of all.',
  ];
}

function readArguments(): { resetPassword: boolean } {
  const options = { 'reset-password': { type: 'boolean', default: false } } as const;
  try {
    return { resetPassword: parseArgs({ options }).values['reset-password'] };
  } catch (error) {
    console.error(`${(error as Error).message} Usage: npm run migrate [-- --reset-password]`);
    process.exit(1);
  }
}

async function main(): Promise<void> {
  const options = readArguments();
  const { DATABASE_URL: url, API_DATABASE_PASSWORD: password } = process.env;
  if (!url) {
    console.error("DATABASE_URL is not set. Set it to the connection string of the database's owner.");
    process.exit(1);
  }
  const connected = connect(url, 10);
  if (!connected.ok) {
    console.error(connected.failure);
    process.exit(1);
  }
  if (options.resetPassword && !password) {
    console.error('--reset-password needs API_DATABASE_PASSWORD, the new password.');
    process.exit(1);
  }
  const sql = connected.value;
  try {
    const { applied, passwords } = await migrate(sql, password, options);
    for (const file of applied) {
      console.log(`applied ${file}`);
    }
    console.log('The database is up to date.');
    console.log((await describePasswords(url, password, passwords)).join('\n'));
  } catch (error) {
    console.error(`The migration failed and changed nothing: ${(error as Error).message}.`);
    process.exitCode = 1;
  } finally {
    await sql.end();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  endWithReader();
  await main();
}
