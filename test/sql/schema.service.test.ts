/** The files that say what the migrations make, and which of them have landed, follow the migrations. */
import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { checksumsOfFiles, landedChecksums, rewritten } from '../../sql/append-only.ts';
import { describeSchema } from '../../sql/describe-schema.ts';
import { migrate } from '../../sql/migrate.ts';
import { useDatabase } from '../setup/database.ts';

const database = useDatabase();
beforeAll(async () => {
  // A copied database has its own privileges and settings, which migrate sets again.
  await migrate(database.sql);
});

const remedy = 'The migrations make another schema than sql/schema.sql has: run `npm run schema`';

const occurrences = (part: string, text: string): number => text.split(part).length - 1;

describe('sql/schema.sql', () => {
  it('is the schema that the migrations make', async () => {
    const text = await readFile(new URL('../../sql/schema.sql', import.meta.url), 'utf8');
    expect(await describeSchema(database.sql), remedy).toBe(text);
  });

  it.each([
    ['alter table builder.quotes add column season text', '  season text,'],
    ['alter table builder.graphics alter code drop not null', '  code text,'],
    [
      'alter table builder.graphics add constraint wide check (width > 9) not valid',
      'CHECK ((width > 9)) NOT VALID',
    ],
    ['create index on builder.quotes (company)', 'CREATE INDEX quotes_company_idx ON builder.quotes'],
    [
      'alter table builder.quotes disable trigger rules',
      'EXECUTE FUNCTION builder.rule_quote(); -- not enabled',
    ],
    [
      'alter table builder.quotes disable row level security',
      'alter table builder.quotes disable row level security;',
    ],
    ['alter policy staff_do_everything on builder.quotes using (false)', 'using (false)'],
    [
      'create policy more on builder.quotes for select using (true)',
      'create policy more on builder.quotes as permissive for select\n  to public\n  using (true)',
    ],
    ['alter function builder.key_owner() security definer', 'LANGUAGE sql\n STABLE SECURITY DEFINER'],
    ["alter type builder.notification_channel rename value 'email' to 'mail'", "as enum ('in_app', 'mail');"],
    [
      'create view builder.sports as select sport from builder.quotes',
      '-- not described here: view builder.sports',
    ],
    [
      'grant truncate on builder.migrations to builder_anon',
      'grant truncate on builder.migrations to builder_anon;',
    ],
    [
      'grant delete on builder.graphics to builder_anon with grant option',
      'grant delete on builder.graphics to builder_anon with grant option;',
    ],
    [
      'grant select (body), update (body) on builder.notifications to builder_anon',
      'grant select (body), update (body) on builder.notifications to builder_anon;',
    ],
    [
      'grant select (xmin) on builder.notifications to public',
      'grant select (xmin) on builder.notifications to public;',
    ],
    ['grant execute on function builder.key_owner() to public', 'on function builder.key_owner() to public;'],
    ['create function builder.f() returns int return 1', 'grant execute on function builder.f() to public;'],
    [
      'grant usage on type builder.notification_type to public',
      'grant usage on type builder.notification_type to public;',
    ],
    [
      'grant update on sequence builder.notifications_id_seq to builder_staff',
      'grant update, usage on sequence builder.notifications_id_seq to builder_staff;',
    ],
    [
      'create sequence builder.counter; grant usage on sequence builder.counter to builder_anon',
      'grant usage on sequence builder.counter to builder_anon;',
    ],
    [
      'grant create on schema builder to builder_live',
      'grant create, usage on schema builder to builder_live;',
    ],
    ['grant create on schema public to public', 'grant create, usage on schema public to public;'],
    [
      "do $$ begin execute format('grant temporary on database %I to public', current_database()); end $$",
      'grant connect, temporary on this database to public;',
    ],
    [
      'alter default privileges in schema builder grant select on tables to builder_anon',
      '-- default privileges of postgres in builder: {builder_anon=r/postgres}',
    ],
    [
      'create table public.t (); grant select on public.t to builder_anon',
      '-- builder_anon is named by table t',
    ],
    ['set role builder_api; select lo_create(4711); reset role', '-- builder_api OWNS large object 4711'],
    [
      'grant create on schema builder to builder_staff; alter table builder.quotes owner to builder_staff',
      '-- builder_staff OWNS table builder.quotes',
    ],
    ['grant builder_staff to builder_sweeper', 'grant builder_staff to builder_sweeper;'],
    [
      'grant pg_read_all_data to builder_live with admin option',
      'grant pg_read_all_data to builder_live with admin option;',
    ],
    ['alter role builder_live login bypassrls', 'create role builder_live login noinherit bypassrls;'],
    [
      "do $$ begin execute format('alter role builder_api in database %I set row_security = off', current_database()); end $$",
      'alter role builder_api in this database set row_security=off;',
    ],
  ])('would differ after: %s', async (change, text) => {
    const before = await describeSchema(database.sql);
    let after = '';
    await database.sql
      .begin(async transaction => {
        await transaction.unsafe(change);
        after = await describeSchema(transaction);
        throw new Error('undone');
      })
      .catch(error => expect(error.message).toBe('undone'));
    const lines = before.split('\n');
    const added = after.split('\n').filter(line => !lines.includes(line));
    expect(occurrences(text, after), `What differs is: ${added.join('\n')}`).toBe(
      occurrences(text, before) + 1,
    );
  });
});

describe('the migrations', () => {
  it('that have landed are unchanged: a later change is a new migration', async () => {
    expect(rewritten(await landedChecksums(), await checksumsOfFiles())).toEqual([]);
  });

  it('are all in sql/migrations/checksums.txt, which `npm run schema` completes', async () => {
    expect([...(await landedChecksums()).keys()]).toEqual([...(await checksumsOfFiles()).keys()]);
  });

  it('are reported when one is changed or removed', () => {
    const landed = new Map([
      ['001.do.a.sql', '1'],
      ['002.do.b.sql', '2'],
      ['003.do.c.sql', '3'],
    ]);
    const files = new Map([
      ['001.do.a.sql', '1'],
      ['002.do.b.sql', '0'],
      ['004.do.d.sql', '4'],
    ]);
    expect(rewritten(landed, files)).toEqual(['002.do.b.sql is changed', '003.do.c.sql is gone']);
  });
});
