/**
 * Every privilege of a migrated database, as sql/privileges.sql lists them, is in privileges.txt, which a person has
 * read. After a migration that changes them: `npm test -- test/sql/privileges -u`.
 */
import { readFile } from 'node:fs/promises';
import type { Sql } from 'postgres';
import { beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../../sql/migrate.ts';
import { useDatabase } from '../setup/database.ts';

const database = useDatabase();
let sql: Sql;
let query: string;
beforeAll(async () => {
  sql = database.sql;
  // A copied database has its own privileges, which migrate sets again.
  await migrate(sql);
  query = await readFile(new URL('../../sql/privileges.sql', import.meta.url), 'utf8');
});

/** What is listed after a change that is then undone, and wasn't before it. */
async function added(change: string): Promise<string[]> {
  const before = await sql.unsafe<{ line: string }[]>(query);
  let after: string[] = [];
  await sql
    .begin(async transaction => {
      await transaction.unsafe(change);
      after = (await transaction.unsafe<{ line: string }[]>(query)).map(({ line }) => line);
      throw new Error('undone');
    })
    .catch(error => expect(error.message).toBe('undone'));
  return after.filter(line => !before.some(row => row.line === line)).map(line => line.trim());
}

describe('the privileges', () => {
  it('are those of privileges.txt', async () => {
    const rows = await sql.unsafe<{ line: string }[]>(query);
    await expect(`${rows.map(({ line }) => line).join('\n')}\n`).toMatchFileSnapshot('privileges.txt');
  });

  it.each([
    ['grant truncate on builder.migrations to builder_anon', 'builder_anon truncate'],
    ['grant select (body) on builder.notifications to public', 'column body: PUBLIC select'],
    ['grant execute on function builder.key_owner() to public', 'PUBLIC execute'],
    [
      'grant create on schema builder to builder_staff with grant option',
      'builder_staff create with grant option, usage',
    ],
    [
      'grant usage on type builder.notification_type to public',
      'type builder.notification_type\n  PUBLIC usage',
    ],
    ['grant update on sequence builder.notifications_id_seq to builder_staff', 'builder_staff update, usage'],
    ['alter table builder.quotes disable row level security', 'row level security OFF'],
    ['alter table builder.quotes disable trigger rules', 'trigger rules: builder.rule_quote() NOT ENABLED'],
    [
      'create policy more on builder.quotes for select using (true)',
      'policy more: select of PUBLIC\n      using true',
    ],
    ['alter function builder.key_owner() reset all', 'runs as its caller, stable, NOTHING PINNED'],
    [
      'alter function builder.key_owner() security definer',
      'runs as its OWNER, stable, search_path=pg_catalog, pg_temp',
    ],
    ['create function builder.f() returns int return 1', 'PUBLIC execute'],
    [
      'alter default privileges in schema builder grant select on tables to builder_anon',
      /^default privileges\n +of postgres in builder: /,
    ],
    [
      'create table public.t (); grant select on public.t to builder_anon',
      'elsewhere\n  builder_anon is named by table t',
    ],
    [
      'set role builder_api; select lo_create(4711); reset role',
      'elsewhere\n  builder_api OWNS large object 4711',
    ],
  ])('would show: %s', async (change, line) => {
    expect(await added(change)).toContainEqual(
      expect.stringMatching(line instanceof RegExp ? line : exactly(line)),
    );
  });
});

const exactly = (line: string): RegExp =>
  new RegExp(`(^|\\n *)${line.replace(/[()[\].*+?^$|\\]/g, '\\$&')}$`);
