/**
 * Migrating leaves no role that logs in without a password, and `npm run migrate` says what it did about them.
 *
 * @module-tag full
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import postgres, { type Sql } from 'postgres';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { loginUrl } from '../../functions/local/database.ts';
import type { PostgresServer } from '../../functions/local/postgres.ts';
import { migrate } from '../../sql/migrate.ts';
import { startCommand } from '../local/program.ts';
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
  server = await startTestPostgres({ directory: data, password: 'owner', settings: ['fsync=off'] });
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
const refusal = (lacking: string): string =>
  `${lacking} would have no password, so the service could not log in. ` +
  `Set API_DATABASE_PASSWORD to a password for ${logins}`;

async function logsIn(role: 'builder_api' | 'builder_jobs', password: string): Promise<boolean> {
  const login = postgres(loginUrl(server.url('postgres'), role, password), { max: 1 });
  const [row] = await login`select current_user::text as role`;
  await login.end();
  return row?.['role'] === role;
}

async function makeOwner(): Promise<string> {
  await sql`create role hosted login createrole password 'hosted'`;
  await sql`create database hosted owner hosted`;
  return Object.assign(new URL(server.url('hosted')), { username: 'hosted', password: 'hosted' }).href;
}

describe.each([
  ['a superuser', async () => server.url('postgres')],
  ['an owner who is no superuser', makeOwner],
])('migrate() by %s', (_, owner) => {
  it('creates no login without a password, sets a given password, and then keeps it', async () => {
    const asOwner = postgres(await owner(), { max: 1, onnotice: () => {} });
    for (const missing of [undefined, '']) {
      await expect(migrate(asOwner, missing)).rejects.toThrow(refusal(logins));
      expect(await sql`select from pg_roles where rolname like 'builder%'`).toHaveLength(0);
    }
    await migrate(asOwner, 'first');
    await migrate(asOwner);
    await asOwner.end();
    expect(await logsIn('builder_api', 'first')).toBe(true);
    expect(await logsIn('builder_jobs', 'first')).toBe(true);
  });
});

it('migrate() refuses to leave a login without a password after it was removed', async () => {
  await migrate(sql, 'first');
  await sql`alter role builder_jobs password null`;
  await expect(migrate(sql)).rejects.toThrow(refusal('builder_jobs'));
  await migrate(sql, 'second');
  expect(await logsIn('builder_jobs', 'second')).toBe(true);
});

/** Runs `npm run migrate`, and returns its code, the lines about passwords, and its errors. */
async function runMigrate(url: string, password: string, ...args: string[]) {
  const env = { DATABASE_URL: url, API_DATABASE_PASSWORD: password };
  const { ended } = startCommand(process.execPath, ['--import', 'tsx', 'sql/migrate.ts', ...args], { env });
  const { code, stdout, stderr } = await ended;
  const [, lines = ''] = stdout.split('The database is up to date.\n');
  return [code, lines.trim(), stderr];
}

it('npm run migrate prints what it did about the passwords, or which variable to set', async () => {
  const run = (password: string) => runMigrate(server.url('postgres'), password);
  expect(await run('')).toEqual([1, '', `The migration failed and changed nothing: ${refusal(logins)}.\n`]);
  const changed = 'The password of builder_api, builder_jobs is now API_DATABASE_PASSWORD.';
  expect(await run('first')).toEqual([0, changed, '']);
  expect(await run('')).toEqual([0, expect.stringMatching(/^The passwords of .* are unchanged: /), '']);
});

describe('a second database on the same server', () => {
  const urlOf = (owner: string, name: string) => Object.assign(new URL(owner), { pathname: name }).href;

  /** Migrates the first database of an owner who is no superuser, and makes an empty second one. */
  async function makeTwo(): Promise<[first: string, second: string]> {
    const first = await makeOwner();
    await sql`create database second owner hosted`;
    expect(await runMigrate(first, 'first')).toMatchObject([0, expect.stringContaining('is now'), '']);
    return [first, urlOf(first, 'second')];
  }

  it('leaves the passwords that the first one uses alone, and says so', async () => {
    const [, second] = await makeTwo();
    const kept =
      "builder_api, builder_jobs had a password, and this server's hosted also use them: it was not changed.\n";
    const [code, lines] = await runMigrate(second, 'other');
    expect([code, lines]).toEqual([
      0,
      expect.stringMatching(`^${kept}API_DATABASE_PASSWORD is another password.* -- --reset-password`),
    ]);
    expect(await runMigrate(second, 'first')).toEqual([
      0,
      `${kept}API_DATABASE_PASSWORD is that password.`,
      '',
    ]);
    expect(await logsIn('builder_jobs', 'first')).toBe(true);
  });

  it('sets them for both with --reset-password, which rotates them from either one', async () => {
    const [first, second] = await makeTwo();
    await runMigrate(second, 'first');
    expect(await runMigrate(first, 'rotated', '--reset-password')).toMatchObject([
      0,
      'The password of builder_api, builder_jobs is now API_DATABASE_PASSWORD.',
      '',
    ]);
    expect(await logsIn('builder_api', 'rotated')).toBe(true);
    expect(await runMigrate(first, '', '--reset-password')).toEqual([
      1,
      '',
      '--reset-password needs API_DATABASE_PASSWORD, the new password.\n',
    ]);
  });

  it('is no reason to keep them once it is dropped', async () => {
    const [first, second] = await makeTwo();
    await runMigrate(second, 'first');
    await sql`drop database second with (force)`;
    expect(await runMigrate(first, 'rotated')).toMatchObject([0, expect.stringContaining('is now'), '']);
  });

  it('of another owner is migrated after the statement that the error names, on Postgres 16 and newer', async () => {
    await makeTwo();
    await sql`create role another login createrole password 'hosted'`;
    await sql`alter database second owner to another`;
    const second = Object.assign(new URL(server.url('second')), {
      username: 'another',
      password: 'hosted',
    }).href;
    const [version] = await sql`select current_setting('server_version_num')::int as number`;
    if (version?.['number'] >= 160000) {
      const [code, , error] = await runMigrate(second, 'first');
      expect([code, error]).toEqual([
        1,
        expect.stringMatching(/ another owner has created the roles of this server\. /),
      ]);
      await sql.unsafe(/grant builder_anon, .+ to another with admin option;/.exec(String(error))?.[0] ?? '');
    }
    expect(await runMigrate(second, 'first')).toMatchObject([
      0,
      expect.stringContaining('is that password'),
      '',
    ]);
  });

  it('leaves a pause of the sweep as it is', async () => {
    const [first, second] = await makeTwo();
    const asOwner = postgres(first, { max: 1 });
    await asOwner`revoke builder_sweeper from builder_jobs`;
    await asOwner.end();
    await runMigrate(second, 'first');
    await runMigrate(first, '');
    const [row] = await sql`select pg_has_role('builder_jobs', 'builder_sweeper', 'usage') as sweeps,
      pg_has_role('builder_jobs', 'builder_deliverer', 'usage') as delivers`;
    expect(row).toEqual({ sweeps: false, delivers: true });
  });
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
