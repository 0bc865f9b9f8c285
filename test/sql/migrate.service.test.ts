/** Applying the migrations, whatever the database is like and whoever owns it. */
import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { migrate } from '../../sql/migrate.ts';
import { asOwner } from '../setup/as-owner.ts';
import { sqlFolder, useEmptyDatabase, useSqlFolders } from './empty-database.ts';

const db = useEmptyDatabase();
const { folderWith } = useSqlFolders();
let migrations: string[];
let code: string[];
beforeAll(async () => {
  const filesIn = async (part: string) =>
    (await readdir(new URL(part, sqlFolder))).map(file => part + file).sort();
  migrations = await filesIn('migrations/');
  code = (await filesIn('code/')).filter(file => file !== 'code/database.sql');
});

const roles = `builder_anon, builder_customer, builder_staff, builder_reader, builder_live, builder_api, builder_jobs,
  builder_sweeper, builder_deliverer`;

/** All that the schema has. */
const objects = async (): Promise<unknown[]> => [
  ...(await db.sql`
    select nspname || '.' || relname as name
    from pg_namespace left join pg_class on relnamespace = pg_namespace.oid and relkind in ('r', 'S')
    where nspname = 'builder'
    union all
    select oid::regprocedure::text from pg_proc where pronamespace = to_regnamespace('builder')
    order by 1`),
];

describe('migrate()', () => {
  it('applies every migration and every file of code/ to a new database, once', async () => {
    const { applied } = await migrate(db.sql);
    expect(applied.slice(0, migrations.length)).toEqual(migrations);
    expect(applied.slice(migrations.length).sort()).toEqual(code);
    const made = await objects();
    expect((await migrate(db.sql)).applied).toEqual([]);
    expect(await objects()).toEqual(made);
  });

  it('serializes two concurrent deploys: one applies everything, the other nothing', async () => {
    const applied = await Promise.all([migrate(db.sql), migrate(db.sql)]);
    expect(applied.map(({ applied: files }) => files.length).sort((a, b) => a - b)).toEqual([
      0,
      migrations.length + code.length,
    ]);
  });

  it('refuses a migration that differs from the applied one, or a new one with a lower number', async () => {
    await migrate(db.sql);
    const made = await objects();
    await db.sql`update builder.migrations set md5 = 'other' where version = 3`;
    await expect(migrate(db.sql)).rejects.toThrow('migration 3 (quotes) differs');
    await db.sql`delete from builder.migrations where version = 3`;
    await expect(migrate(db.sql)).rejects.toThrow('Give it a number above');
    expect(await objects()).toEqual(made);
  });

  it.each([
    ['of a later release', 'update builder.release set number = 999', 'its release is 999'],
    [
      'with a later migration',
      "insert into builder.migrations (version, name, md5) values (999, 'from the future', 'x')",
      'at migration 999,',
    ],
  ])('refuses a database %s, and puts none of its own functions into it', async (_, change, reason) => {
    await migrate(db.sql);
    await db.sql.unsafe(`${change}; update builder.code set md5 = 'other'`);
    await expect(migrate(db.sql)).rejects.toThrow(reason);
    expect(await db.sql`select from builder.code where md5 <> 'other'`).toHaveLength(0);
  });

  it('applies a file of code/ again when it has changed, and no other', async () => {
    await migrate(db.sql);
    const text = await readFile(new URL('code/numbers.sql', sqlFolder), 'utf8');
    const changed = text.replace("select 'QT-'", "select 'QU-'");
    const folder = await folderWith({ 'code/numbers.sql': changed });
    expect((await migrate(db.sql, undefined, { folder })).applied).toEqual(['code/numbers.sql']);
    const [row] = await db.sql`select builder.format_quote_number(2026, 7) as number`;
    expect(row).toEqual({ number: 'QU-2026-00007' });
    expect((await migrate(db.sql, undefined, { folder })).applied).toEqual([]);
  });

  it('forgets a file of code/ that is gone', async () => {
    await migrate(db.sql);
    await db.sql`insert into builder.code values ('old-name', 'x')`;
    expect((await migrate(db.sql)).applied).toEqual([]);
    expect(await db.sql`select from builder.code where name = 'old-name'`).toHaveLength(0);
  });

  it('takes away a policy and a grant that code/access.sql has no more', async () => {
    await migrate(db.sql);
    const [{ readable } = {}] = await db.sql`
      select has_table_privilege('builder_reader', 'builder.notifications', 'select') as readable`;
    expect(readable).toBe(true);
    const text = await readFile(new URL('code/access.sql', sqlFolder), 'utf8');
    const changed = text.replaceAll(
      /^(?:create policy readers_read_all_notifications|grant select) on builder\.notifications (?!to builder_customer).*$/gm,
      '',
    );
    await migrate(db.sql, undefined, { folder: await folderWith({ 'code/access.sql': changed }) });
    const [row] = await db.sql`
      select has_table_privilege('builder_reader', 'builder.notifications', 'select') as readable,
        exists (select from pg_policies where policyname = 'readers_read_all_notifications') as policy,
        has_column_privilege('builder_customer', 'builder.quotes', 'status', 'update') as others`;
    expect(row).toEqual({ readable: false, policy: false, others: true });
  });

  it('says where an error of code/ is, and changes nothing', async () => {
    const folder = await folderWith({
      'code/responses.sql': 'create or replace function builder.nothing() returns',
    });
    await expect(migrate(db.sql, undefined, { folder })).rejects.toThrow('code/responses.sql: syntax error');
    expect(await objects()).toEqual([]);
  });

  it.each([
    'SQL_ASCII',
    'LATIN1',
  ])('refuses a database in %s, and names the statement that creates one in UTF8', async encoding => {
    const { server, name, urlOf } = db;
    const create = (of: string) => server.unsafe(`create database ${name}_${of}`);
    const migrateOther = () => asOwner(urlOf().replace(name, `${name}_other`), sql => migrate(sql));
    try {
      await create(`other template template0 encoding '${encoding}' locale 'C'`);
      const error = await migrateOther().catch(({ message }) => message);
      expect(error).toContain(`the encoding of this database is ${encoding}, and the service needs UTF8.`);
      await server.unsafe(`drop database ${name}_other`);
      await create(error.replace(/.*create database <name>/s, 'other'));
      expect((await migrateOther()).applied).not.toEqual([]);
    } finally {
      await server.unsafe(`drop database if exists ${name}_other`);
    }
  });
});

describe('the privileges of public in the database', () => {
  const ofPublic = async () => {
    const [row] = await db.sql`
      select has_database_privilege('public', current_database(), 'temporary') as temporary,
        has_schema_privilege('public', 'public', 'create') as making`;
    return row;
  };

  it('are revoked when the database is ours alone, also after they were granted again', async () => {
    await migrate(db.sql);
    expect(await ofPublic()).toEqual({ temporary: false, making: false });
    await db.sql`grant temporary on database ${db.sql(db.name)} to public`;
    await db.sql`grant create on schema public to public`;
    await migrate(db.sql);
    expect(await ofPublic()).toEqual({ temporary: false, making: false });
  });

  it('are kept when the database has tables of others', async () => {
    await db.sql`create table public.theirs ()`;
    await db.sql`grant create on schema public to public`;
    await migrate(db.sql);
    expect(await ofPublic()).toEqual({ temporary: true, making: true });
  });

  it('are kept when a role migrates that does not own the database', async () => {
    const { server, sql, name } = db;
    const role = `role_${randomBytes(6).toString('hex')}`;
    // The roles belong to the whole cluster.
    await server.unsafe(`create role ${role} login createrole password '${inject('postgres').loginPassword}';
      grant ${roles} to ${role} with admin option; grant create on database ${name} to ${role}`);
    try {
      expect((await asOwner(db.urlOf(role), as => migrate(as))).applied).not.toEqual([]);
      expect(await ofPublic()).toEqual({ temporary: true, making: false });
    } finally {
      await sql`drop schema if exists builder cascade`;
      await server.unsafe(`revoke create on database ${name} from ${role};
        revoke ${roles} from ${role} cascade; drop role ${role}`);
    }
  });
});
