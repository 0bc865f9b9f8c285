/**
 * Migrating leaves no role that logs in without a password, and `npm run migrate` says what it did about them.
 *
 * @module-tag full
 */
import { join } from 'node:path';
import postgres, { type Sql } from 'postgres';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { loginUrl } from '../../functions/local/database.ts';
import type { PostgresServer } from '../../functions/local/postgres.ts';
import { migrate } from '../../sql/migrate.ts';
import { startCommand } from '../local/program.ts';
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
  await sql`drop schema if exists builder cascade`;
  await sql`drop role builder_anon, builder_customer, builder_staff, builder_reader, builder_live, builder_api, builder_jobs, builder_sweeper, builder_deliverer`;
  await sql`drop role if exists hosted`;
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

it('npm run migrate prints what it did about the passwords, or which variable to set', async () => {
  const run = async (password: string) => {
    const env = { DATABASE_URL: server.url('postgres'), API_DATABASE_PASSWORD: password };
    const { ended } = startCommand(process.execPath, ['--import', 'tsx', 'sql/migrate.ts'], { env });
    const { code, stdout, stderr } = await ended;
    return [code, stdout.trim().split('\n').at(-1), stderr];
  };
  expect(await run('')).toEqual([1, '', `The migration failed and changed nothing: ${refusal(logins)}.\n`]);
  const changed = expect.stringMatching(/^The password of .* is now the one in /);
  expect(await run('first')).toEqual([0, changed, '']);
  expect(await run('')).toEqual([0, expect.stringMatching(/^The passwords of .* are unchanged: /), '']);
});
