/** sql/ says all that the database has, and each thing in one place. */
import type { TransactionSql } from 'postgres';
import { beforeAll, expect, it } from 'vitest';
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
  from pg_constraint where conrelid in (select oid from tables) and contype not in ('n', 't') and conislocal
  union all
  select format('grant %s on %s to %s', lower(privilege_type) || coalesce(' (' || name || ')', ''), target,
    coalesce(nullif(grantee, 0)::regrole::text, 'public'))
  from controlled, aclexplode(acl) where grantee <> owner
  union all
  select format('grant %s to %s', roleid::regrole, member::regrole)
  from pg_auth_members where member::regrole::text ~ '^builder_'`;

it('every function, trigger, view, policy, constraint and grant of the database stands in one place of sql/', async () => {
  const made = (await database.sql.begin(madeInDatabase)).map(({ text }) => text);
  expect({
    notInDatabase: files.filter(text => !made.includes(text)),
    notInFiles: made.filter(text => !files.includes(text)),
    inSeveralPlaces: files.filter((text, place) => files.indexOf(text) !== place),
  }).toEqual({ notInDatabase: [], notInFiles: [], inSeveralPlaces: [] });
});
