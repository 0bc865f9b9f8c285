/** sql/ says all that the database has, and each thing in one place. */
import type { TransactionSql } from 'postgres';
import { beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../../sql/migrate.ts';
import { useDatabase } from '../setup/database.ts';
import { madeByFiles } from './sql-files.ts';

const database = useDatabase();
let files: string[];
beforeAll(async () => {
  // A copied database has its own privileges and settings, which migrate sets again.
  await migrate(database.sql);
  files = await madeByFiles();
});

/** What the database has, in the words of madeByFiles(). Postgrator makes its own table. */
const madeInDatabase = (sql: TransactionSql) => sql<{ text: string }[]>`
  with
    tables as (
      select * from pg_class
      where relnamespace = 'builder'::regnamespace and relkind in ('r', 'v', 'm', 'S') and relname <> 'migrations'
    ),
    controlled as (
      select case relkind when 'S' then 'sequence ' else '' end || oid::regclass as target, null as name, relowner as owner, relacl as acl
      from tables
      union all
      select attrelid::regclass::text, attname, relowner, attacl from pg_attribute join tables on oid = attrelid
      union all
      select 'function ' || oid::regprocedure, null, proowner, coalesce(proacl, acldefault('f', proowner))
      from pg_proc where pronamespace = 'builder'::regnamespace
      union all
      select 'type ' || oid::regtype, null, typowner, coalesce(typacl, acldefault('T', typowner))
      from pg_type where typnamespace = 'builder'::regnamespace and typtype in ('e', 'd', 'r')
      union all
      select 'schema ' || nspname, null, nspowner, nspacl from pg_namespace where nspname = 'builder'
    )
  select 'function ' || oid::regprocedure as text from pg_proc where pronamespace = 'builder'::regnamespace
  union all
  select format('trigger %s on %s', tgname, tgrelid::regclass)
  from pg_trigger where tgrelid in (select oid from tables) and not tgisinternal
  union all
  select 'view ' || oid::regclass from tables where relkind in ('v', 'm')
  union all
  select format('policy %s on %s', polname, polrelid::regclass) from pg_policy where polrelid in (select oid from tables)
  union all
  select format('constraint %s on %s', conname, conrelid::regclass)
  from pg_constraint where conrelid in (select oid from tables) and contype not in ('n', 't')
  union all
  select format('grant %s on %s to %s', lower(privilege_type) || coalesce(' (' || name || ')', ''), target,
    coalesce(nullif(grantee, 0)::regrole::text, 'public'))
  from controlled, aclexplode(acl) where grantee <> owner
  union all
  select format('grant %s to %s', roleid::regrole, member::regrole)
  from pg_auth_members where member::regrole::text ~ '^builder_'`;

async function compare(sql: TransactionSql) {
  const made = (await madeInDatabase(sql)).map(({ text }) => text);
  return {
    notInDatabase: files.filter(text => !made.includes(text)),
    notInFiles: made.filter(text => !files.includes(text)),
    inSeveralPlaces: files.filter((text, place) => files.indexOf(text) !== place),
  };
}

const same = { notInDatabase: [], notInFiles: [], inSeveralPlaces: [] };

it('every function, trigger, view, policy, constraint and grant of the database stands in one place of sql/', async () => {
  expect(await database.sql.begin(compare)).toEqual(same);
});

/** Compares the files with a database in which a statement was run, which is undone. */
async function compareAfter(statement: string) {
  const result: { after?: Awaited<ReturnType<typeof compare>> } = {};
  const undone = database.sql.begin(async sql => {
    await sql.unsafe(statement);
    result.after = await compare(sql);
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  return result.after;
}

describe('the comparison of sql/ with the database reports', () => {
  it.each([
    [
      'a function',
      "create function builder.own() returns int language sql as 'select 1'; revoke execute on function builder.own() from public",
    ],
    [
      'a trigger',
      'create trigger own before insert on builder.graphics for each row execute function builder.stamp_graphic()',
    ],
    ['a view', 'create view builder.own as select 1 as one'],
    ['a policy', 'create policy own on builder.graphics to builder_anon using (true)'],
    ['a constraint', 'alter table builder.graphics add constraint own check (true)'],
    ['a grant', 'grant delete on builder.graphics to builder_anon'],
    ['a grant of a column', 'grant update (name) on builder.graphics to builder_anon'],
    ['a grant to everybody', 'grant execute on function builder.caller_id() to public'],
  ])('%s that no file makes', async (_, statement) => {
    expect(await compareAfter(statement)).toEqual({ ...same, notInFiles: [expect.any(String)] });
  });

  it.each([
    ['a function', 'drop function builder.key_owner()'],
    ['a trigger', 'drop trigger stamp on builder.graphics'],
    ['a policy', 'drop policy everyone_reads_active_graphics on builder.graphics'],
    ['a constraint', 'alter table builder.graphics drop constraint width_is_not_negative'],
    ['a grant', 'revoke select on builder.graphics from builder_anon'],
    ['a grant of a column', 'revoke select (xmin) on builder.quotes from builder_customer'],
  ])('%s that the database lacks', async (_, statement) => {
    expect(await compareAfter(statement)).toEqual({ ...same, notInDatabase: [expect.any(String)] });
  });
});
