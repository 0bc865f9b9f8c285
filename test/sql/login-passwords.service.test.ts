/**
 * Migrating leaves no role that logs in without a password, and `npm run migrate` says what it did about them.
 *
 * @module-tag full
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import postgres, { type Sql } from 'postgres';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { PostgresServer } from '../../functions/local/postgres.ts';
import { loginUrl } from '../../sql/login-passwords.ts';
import { migrate } from '../../sql/migrate.ts';
import { runProgram, startCommand } from '../local/program.ts';
import { root } from '../setup/files.ts';
import { startTestPostgres } from '../setup/postgres.ts';
import { makeTemporaryDirectory } from '../setup/temporary-directory.ts';
import { use } from '../setup/use.ts';

// Roles belong to a whole cluster, so these tests have one of their own.
const directory = use(makeTemporaryDirectory, 'remove');
let server: PostgresServer;
let sql: Sql;
beforeAll(async () => {
  const data = join(directory.path, 'postgres');
  server = await startTestPostgres({
    directory: data,
    password: 'owner',
    settings: ['fsync=off', 'log_statement=all'],
  });
  sql = postgres(server.url('postgres'), { max: 1, onnotice: () => {} });
});
afterEach(async () => {
  await sql`drop database if exists hosted with (force)`;
  await sql`drop database if exists second with (force)`;
  await sql`drop schema if exists builder cascade`;
  await sql`drop role builder_anon, builder_customer, builder_staff, builder_reader, builder_live, builder_api, builder_jobs, builder_sweeper, builder_deliverer`;
  await sql`drop role if exists hosted, another`;
});
afterAll(async () => {
  await sql.end({ timeout: 5 });
  await server.stop();
});

const logins = 'builder_api, builder_jobs';
const isNow = `The password of ${logins} is now API_DATABASE_PASSWORD.`;
const isAlready = ['builder_api', 'builder_jobs']
  .map(role => `API_DATABASE_PASSWORD is the password of ${role} already.`)
  .join('\n');
const refusal = (lacking: string): string =>
  `${lacking} would have no password, so the service could not log in. ` +
  `Set API_DATABASE_PASSWORD to a password for ${logins}`;

async function logsIn(role: 'builder_api' | 'builder_jobs', password: string): Promise<boolean> {
  const login = postgres(loginUrl(server.url('postgres'), role, password), { max: 1 });
  const [row] = await login`select current_user::text as role`;
  await login.end();
  return row?.['role'] === role;
}

/** The connection string of a role whose password is `hosted`. */
const as = (username: string, database: string) =>
  Object.assign(new URL(server.url(database)), { username, password: 'hosted' }).href;

async function makeOwner(): Promise<string> {
  await sql`create role hosted login createrole password 'hosted'`;
  await sql`create database hosted owner hosted`;
  return as('hosted', 'hosted');
}

it('migrate() refuses to leave a login without a password after it was removed', async () => {
  await migrate(sql, 'first');
  await sql`alter role builder_jobs password null`;
  await expect(migrate(sql)).rejects.toThrow(refusal('builder_jobs'));
  await migrate(sql, 'second');
  expect(await logsIn('builder_jobs', 'second')).toBe(true);
});

/** Migrates as an owner, in this process. */
async function migrateAs(url: string, password?: string): Promise<void> {
  const own = postgres(url, { max: 1, onnotice: () => {} });
  await migrate(own, password);
  await own.end();
}

/** Runs `npm run migrate`, and returns its code, the lines about passwords, and its errors. */
async function runMigrate(url: string, password: string, ...args: string[]) {
  const env = { DATABASE_URL: url, API_DATABASE_PASSWORD: password };
  const { ended } = startCommand(process.execPath, ['--import', 'tsx', 'sql/run-migrate.ts', ...args], {
    env,
  });
  const { code, stdout, stderr } = await ended;
  const [, lines = ''] = stdout.split('The database is up to date.\n');
  return [code, lines.trim(), stderr];
}

it('by an owner who is no superuser, npm run migrate creates no login without a password, sets a given one, keeps it, and says so', async () => {
  const url = await makeOwner();
  const failed = `The migration failed and changed nothing: ${refusal(logins)}.\n`;
  expect(await runMigrate(url, '')).toEqual([1, '', failed]);
  expect(await sql`select from pg_roles where rolname like 'builder%'`).toHaveLength(0);
  expect(await runMigrate(url, 'first')).toEqual([0, isNow, '']);
  const unchanged = expect.stringMatching(/^The passwords of .* are unchanged: /);
  expect(await runMigrate(url, '')).toEqual([0, unchanged, '']);
  expect(await logsIn('builder_api', 'first')).toBe(true);
  expect(await logsIn('builder_jobs', 'first')).toBe(true);
});

it('an owner who may set how errors are logged leaves the statements of both logins out of the log', async () => {
  const owner = await makeOwner();
  await sql`grant set on parameter log_min_error_statement, log_error_verbosity to hosted`;
  await migrateAs(owner, 'first');
  for (const role of ['builder_api', 'builder_jobs'] as const) {
    const login = postgres(loginUrl(owner, role, 'first'), { max: 1 });
    const [row] = await login`
      select current_setting('log_min_error_statement') as statements, current_setting('log_error_verbosity') as verbosity`;
    await login.end();
    expect(row).toEqual({ statements: 'panic', verbosity: 'terse' });
  }
  await sql`revoke set on parameter log_min_error_statement, log_error_verbosity from hosted`;
});

it.each([
  ['a superuser', () => server.url('postgres')],
  ['another owner', makeOwner],
])('npm run migrate by %s keeps a password that another one is given for, says so, and fails', async (_, urlOf) => {
  const url = await urlOf();
  await runMigrate(url, 'first');
  const refused = `API_DATABASE_PASSWORD is not the password of ${logins}, and was not set. `;
  expect(await runMigrate(url, 'another')).toEqual([1, '', expect.stringContaining(refused)]);
  expect(await runMigrate(url, 'first')).toEqual([0, isAlready, '']);
  expect(await runMigrate(url, 'another', '--reset-password')).toEqual([0, isNow, '']);
  expect(await logsIn('builder_jobs', 'another')).toBe(true);
});

it('npm run migrate by an owner who cannot see whether a restore has lost the passwords sets the kept one with --reset-password', async () => {
  const url = await makeOwner();
  await runMigrate(url, 'kept');
  await sql`alter role builder_api password null`;
  await sql`alter role builder_jobs password null`;
  const [code, , advice] = await runMigrate(url, 'kept');
  expect([code, advice]).toEqual([1, expect.stringContaining('after a restore without passwords')]);
  expect(await runMigrate(url, 'kept', '--reset-password')).toEqual([0, isNow, '']);
  expect(await logsIn('builder_api', 'kept')).toBe(true);
});

describe('a second database on the same server', () => {
  /** Migrates the first database of an owner who is no superuser, and makes an empty second one. */
  async function makeTwo(): Promise<[first: string, second: string]> {
    const first = await makeOwner();
    await sql`create database second owner hosted`;
    await migrateAs(first, 'first');
    return [first, as('hosted', 'second')];
  }

  it('leaves the passwords that the first one uses alone, and says so', async () => {
    const [, second] = await makeTwo();
    const [code, , refused] = await runMigrate(second, 'other');
    expect([code, refused]).toEqual([
      1,
      expect.stringMatching(/was not set: this server's hosted also use it\. .* -- --reset-password/),
    ]);
    expect(await runMigrate(second, 'first')).toEqual([0, isAlready, '']);
    expect(await logsIn('builder_jobs', 'first')).toBe(true);
  });

  it('sets them for both with --reset-password, which rotates them from either one', async () => {
    const [first, second] = await makeTwo();
    await migrateAs(second, 'first');
    expect(await runMigrate(first, 'rotated', '--reset-password')).toEqual([0, isNow, '']);
    expect(await logsIn('builder_api', 'rotated')).toBe(true);
    const needed = '--reset-password needs API_DATABASE_PASSWORD, the new password.\n';
    expect(await runMigrate(first, '', '--reset-password')).toEqual([1, '', needed]);
  });

  it('of another owner is migrated after the statement that the error names, on Postgres 16 and newer', async () => {
    await makeTwo();
    await sql`create role another login createrole password 'hosted'`;
    await sql`alter database second owner to another`;
    const second = as('another', 'second');
    const [version] = await sql`select current_setting('server_version_num')::int as number`;
    if (version?.['number'] >= 160000) {
      const [code, , error] = await runMigrate(second, 'first');
      expect(code).toBe(1);
      expect(error).toContain(' another owner has created the roles of this server. ');
      await sql.unsafe(/grant builder_anon, .+ to another with admin option;/.exec(String(error))?.[0] ?? '');
    }
    expect(await runMigrate(second, 'first')).toEqual([0, isAlready, '']);
  });

  it('leaves a pause of the sweep as it is', async () => {
    const [first, second] = await makeTwo();
    const asOwner = postgres(first, { max: 1 });
    await asOwner`revoke builder_sweeper from builder_jobs`;
    await asOwner.end();
    await migrateAs(second, 'first');
    await migrateAs(first);
    const [row] = await sql`select pg_has_role('builder_jobs', 'builder_sweeper', 'usage') as sweeps,
      pg_has_role('builder_jobs', 'builder_deliverer', 'usage') as delivers`;
    expect(row).toEqual({ sweeps: false, delivers: true });
  });
});

describe('the log of a server that logs every statement', () => {
  const logged = () => readFile(join(directory.path, 'postgres/server.log'), 'utf8');

  it('has a SCRAM verifier of the logins’ password, with which they log in', async () => {
    const password = `it's %41 $1 \\ "secret"`;
    expect(await runMigrate(server.url('postgres'), password)).toEqual([0, isNow, '']);
    expect(await logsIn('builder_api', password)).toBe(true);
    expect(await logged()).toContain("alter role builder_api password 'SCRAM-SHA-256$4096:");
    expect(await logged()).not.toMatch(/it'+s %41/);
  });

  it('has no secret of a webhook', async () => {
    await migrate(sql, 'first');
    const env = { DATABASE_URL: server.url('postgres') };
    const added = await runProgram('webhook', ['add', 'https://example.com/logged'], env);
    const [, id = ''] = /^added {3}(\S+)/.exec(added.stdout) ?? [];
    const rotated = await runProgram('webhook', ['rotate', id], env);
    expect(await logged()).toContain('https://example.com/logged');
    for (const { stdout } of [added, rotated]) {
      expect(await logged()).not.toContain(/whsec_(\S+)/.exec(stdout)?.[1]);
    }
  });
});

it('the password is sent as plain text to a server that refuses verifiers when the transaction commits, as Neon does', async () => {
  await migrate(sql, 'first');
  await sql.unsafe(`
    create function builder.refuse_verifiers() returns trigger language plpgsql as $$
    begin
      if exists (select from pg_authid where rolname = 'builder_api' and rolpassword like 'SCRAM-SHA-256$%') then
        raise internal_error using message = 'only plaintext passwords are supported';
      end if;
      return null;
    end $$;
    create constraint trigger refuse_verifiers after delete on builder.code deferrable initially deferred
      for each row execute function builder.refuse_verifiers();
    insert into builder.code values ('gone', 'x')`);
  // The server stores a plain text otherwise, so that the trigger can tell them apart.
  const url = `${server.url('postgres')}?options=-c%20password_encryption%3Dmd5`;
  const sent =
    'The server refuses SCRAM verifiers, so it was sent as plain text: a log of statements may have it.';
  expect(await runMigrate(url, 'second', '--reset-password')).toEqual([0, `${isNow}\n${sent}`, '']);
  const stored = await sql`select rolpassword from pg_authid where rolname = 'builder_jobs'`;
  expect(stored).toEqual([{ rolpassword: expect.stringMatching(/^md5/) }]);
});

it.each([
  ['sweep', 'select builder.expire_quotes(1)', 'select builder.delivery_status(true)'],
  ['delivery', 'select builder.delivery_status(true)', 'select builder.expire_quotes(1)'],
])('the statements of the runbook pause and resume the %s alone, by the owner who migrated', async (job, paused, other) => {
  const runbook = await readFile(join(root, 'functions/operate/README.md'), 'utf8');
  const role = { sweep: 'builder_sweeper', delivery: 'builder_deliverer' }[job];
  const statement = (start: string) =>
    new RegExp(`^${start} ${role} .*builder_jobs;`, 'm').exec(runbook)?.[0] ?? '';
  const owner = await makeOwner();
  const asOwner = postgres(owner, { max: 1, onnotice: () => {} });
  await migrate(asOwner, 'first');
  const jobs = postgres(loginUrl(owner, 'builder_jobs', 'first'), { max: 1 });
  await jobs.unsafe(paused);
  await asOwner.unsafe(statement('revoke'));
  await expect(jobs.unsafe(paused)).rejects.toMatchObject({ code: '42501' });
  await jobs.unsafe(other);
  await asOwner.unsafe(statement('grant'));
  await jobs.unsafe(paused);
  await Promise.all([jobs.end(), asOwner.end()]);
});
