/** Applying the migrations, whatever the database is like and whoever owns it. */
import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import postgres, { type Sql } from 'postgres';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { migrationsFolder } from '../../sql/append-only.ts';
import { migrate } from '../../sql/migrate.ts';
import { useEmptyDatabase } from './empty-database.ts';

const db = useEmptyDatabase();
let versions: number[];
beforeAll(async () => {
  const files = await readdir(migrationsFolder);
  versions = files
    .flatMap(file => /^(\d+)\.do\./.exec(file)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
});

const roles = `builder_anon, builder_customer, builder_staff, builder_reader, builder_live, builder_api, builder_sweeper,
  builder_deliverer`;

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
const recorded = async (): Promise<number[]> => {
  const rows = await db.sql`select version::int from builder.migrations where version > 0 order by 1`;
  return rows.map(({ version }) => version);
};

/** Does it as a role that is no superuser and may grant the roles, which belong to the whole cluster. */
async function asRole(rights: 'owner' | 'create', work: (sql: Sql) => Promise<void>): Promise<void> {
  const { server, sql, name } = db;
  const role = `role_${randomBytes(6).toString('hex')}`;
  await server.unsafe(`create role ${role} login createrole password '${inject('postgres').loginPassword}'`);
  await server.unsafe(`grant ${roles} to ${role} with admin option`);
  const owning = `alter database ${name} owner to ${role}`;
  await server.unsafe(rights === 'owner' ? owning : `grant create on database ${name} to ${role}`);
  const as = postgres(db.urlOf(role), { max: 1, onnotice: () => {} });
  try {
    await work(as);
  } finally {
    await as.end({ timeout: 5 });
    await sql`drop schema if exists builder cascade`;
    await server.unsafe(`alter database ${name} owner to postgres`);
    await server.unsafe(`revoke create on database ${name} from ${role}`);
    await server.unsafe(`revoke ${roles} from ${role} cascade; drop role ${role}`);
  }
}

describe('migrate()', () => {
  it('applies every migration to a new database, in order and once', async () => {
    const applied = await migrate(db.sql);
    expect(applied.map(({ version }) => version)).toEqual(versions);
    expect(await recorded()).toEqual(versions);
    const made = await objects();
    expect(await migrate(db.sql)).toEqual([]);
    expect(await objects()).toEqual(made);
  });

  it('serializes two concurrent deploys: one applies everything, the other nothing', async () => {
    const applied = await Promise.all([migrate(db.sql), migrate(db.sql)]);
    expect(applied.map(({ length }) => length).sort((a, b) => a - b)).toEqual([0, versions.length]);
  });

  it('needs an owner with createrole, as hosted databases have, and no superuser', async () => {
    await asRole('owner', async owner => {
      expect(await migrate(owner, inject('postgres').loginPassword)).toHaveLength(versions.length);
    });
  });

  it('refuses a migration that differs from the applied one, or a new one with a lower number', async () => {
    await migrate(db.sql);
    const made = await objects();
    await db.sql`update builder.migrations set md5 = 'other' where version = 3`;
    await expect(migrate(db.sql)).rejects.toThrow('migration 3 (checks) differs');
    await db.sql`delete from builder.migrations where version = 3`;
    await expect(migrate(db.sql)).rejects.toThrow(`Give it a number above ${versions.at(-1)}`);
    expect(await objects()).toEqual(made);
  });

  it('leaves a database alone that a newer deploy has migrated further', async () => {
    await migrate(db.sql);
    await db.sql`insert into builder.migrations (version, name, md5) values (999, 'from the future', 'x')`;
    expect(await migrate(db.sql)).toEqual([]);
    expect(await recorded()).toEqual([...versions, 999]);
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
    await asRole('create', async maker => {
      expect(await migrate(maker)).toHaveLength(versions.length);
      expect(await ofPublic()).toEqual({ temporary: true, making: false });
    });
  });
});
