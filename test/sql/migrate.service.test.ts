/** Applying the migrations, whatever the database is like; and the ids that notifications get in a migrated one. */
import { randomBytes, randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import postgres, { type Sql } from 'postgres';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { migrationsFolder } from '../../sql/append-only.ts';
import { migrate } from '../../sql/migrate.ts';
import { createDatabase, type TestDatabase } from '../setup/database.ts';
import { aNotification } from '../setup/rows.ts';
import { asStaff, insert } from './roles.ts';

/** The versions of the migrations that are there. */
async function versions(): Promise<number[]> {
  const files = await readdir(fileURLToPath(migrationsFolder));
  return files
    .flatMap(file => /^(\d+)\.do\./.exec(file)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
}

const roles =
  'builder_anon, builder_customer, builder_staff, builder_reader, builder_live, builder_api, builder_sweeper, builder_deliverer';

describe('migrate()', () => {
  const { ownerUrl, loginPassword } = inject('postgres');
  const server = postgres(ownerUrl, { max: 1, onnotice: () => {} });
  let name: string;
  let sql: Sql;
  let other: Sql;
  beforeEach(async () => {
    name = `empty_${randomBytes(6).toString('hex')}`;
    await server`create database ${server(name)}`;
    const url = Object.assign(new URL(ownerUrl), { pathname: name }).href;
    sql = postgres(url, { max: 1, onnotice: () => {} });
    other = postgres(url, { max: 1, onnotice: () => {} });
  });
  afterEach(async () => {
    await Promise.all([sql.end({ timeout: 5 }), other.end({ timeout: 5 })]);
    await server`drop database ${server(name)} with (force)`;
  });
  afterAll(() => server.end());

  const objects = async (): Promise<string[]> => {
    const rows = await sql<{ name: string }[]>`
      select nspname || '.' || relname as name
      from pg_namespace left join pg_class on relnamespace = pg_namespace.oid and relkind in ('r', 'S')
      where nspname = 'builder'
      union all
      select oid::regprocedure::text from pg_proc where pronamespace = to_regnamespace('builder')
      order by 1`;
    return rows.map(({ name }) => name);
  };
  const recorded = async (): Promise<number[]> => {
    const rows = await sql<{ version: number }[]>`
      select version::int from builder.migrations where version > 0 order by 1`;
    return rows.map(({ version }) => version);
  };

  it('applies every migration to a new database, in order and once', async () => {
    const applied = await migrate(sql);
    expect(applied.map(({ version }) => version)).toEqual(await versions());
    expect(await recorded()).toEqual(await versions());
    const made = await objects();
    expect(await migrate(sql)).toEqual([]);
    expect(await objects()).toEqual(made);
  });

  it('serializes two concurrent deploys: one applies everything, the other nothing', async () => {
    const applied = await Promise.all([migrate(sql), migrate(other)]);
    expect(applied.map(({ length }) => length).sort((a, b) => a - b)).toEqual([0, (await versions()).length]);
    expect(await recorded()).toEqual(await versions());
  });

  it('sets a new password of the login roles, even without migrations to apply', async () => {
    await migrate(sql);
    expect(await migrate(sql, loginPassword)).toEqual([]);
    for (const username of ['builder_api', 'builder_sweeper']) {
      const url = Object.assign(new URL(ownerUrl), {
        pathname: name,
        username,
        password: loginPassword,
      }).href;
      const login = postgres(url, { max: 1 });
      await expect(login`select current_user::text as role`).resolves.toEqual([{ role: username }]);
      await login.end();
    }
  });

  it.each([
    [
      'first',
      'create schema builder; create function builder.caller_id() returns uuid language sql as $$ select null::uuid $$',
    ],
    ['middle', 'create schema builder; create type builder.notification_type as enum ()'],
    [
      'last',
      'create schema builder; create function builder.expire_quotes(batch integer) returns integer return 1',
    ],
  ])('that fails at the %s migration leaves nothing behind, and works once the obstacle is gone', async (_, obstacle) => {
    await sql.unsafe(obstacle);
    const before = await objects();
    await expect(migrate(sql)).rejects.toMatchObject({ code: expect.stringMatching(/^42(723|710|P07)$/) });
    expect(await objects()).toEqual(before);
    await sql`drop schema builder cascade`;
    expect((await migrate(sql)).map(({ version }) => version)).toEqual(await versions());
  });

  it('needs an owner with createrole, as hosted databases have, and no superuser', async () => {
    const owner = `owner_${randomBytes(6).toString('hex')}`;
    await server.unsafe(`create role ${owner} login createrole password '${loginPassword}'`);
    // Roles belong to the whole cluster: those that are there are another's, who lets this owner grant them.
    await server.unsafe(`grant ${roles} to ${owner} with admin option`);
    await server`alter database ${server(name)} owner to ${server(owner)}`;
    const url = Object.assign(new URL(ownerUrl), { pathname: name, username: owner }).href;
    const asOwner = postgres(url, { max: 1, onnotice: () => {} });
    try {
      const applied = await migrate(asOwner, loginPassword);
      expect(applied.map(({ version }) => version)).toEqual(await versions());
    } finally {
      await asOwner.end({ timeout: 5 });
      await sql`drop schema if exists builder cascade`;
      await server`alter database ${server(name)} owner to postgres`;
      await server.unsafe(`revoke ${roles} from ${owner} cascade; drop role ${owner}`);
    }
  });

  describe('and the privileges of public in the database:', () => {
    const ofPublic = async () =>
      (
        await sql`
        select has_database_privilege('public', current_database(), 'temporary') as temporary,
          has_schema_privilege('public', 'public', 'create') as making`
      )[0];

    it('revokes them when the database is ours alone, also after they were granted again', async () => {
      await migrate(sql);
      expect(await ofPublic()).toEqual({ temporary: false, making: false });
      await sql`grant temporary on database ${sql(name)} to public`;
      await sql`grant create on schema public to public`;
      await migrate(sql);
      expect(await ofPublic()).toEqual({ temporary: false, making: false });
    });

    it('keeps them when the database has tables of others', async () => {
      await sql`create table public.theirs ()`;
      await sql`grant create on schema public to public`;
      await migrate(sql);
      expect(await ofPublic()).toEqual({ temporary: true, making: true });
    });

    it('keeps them when it runs as a role that does not own the database', async () => {
      const maker = `maker_${randomBytes(6).toString('hex')}`;
      await server.unsafe(`create role ${maker} login createrole password '${loginPassword}'`);
      await server.unsafe(`grant ${roles} to ${maker} with admin option`);
      await server.unsafe(`grant create on database ${name} to ${maker}`);
      const url = Object.assign(new URL(ownerUrl), { pathname: name, username: maker }).href;
      const asMaker = postgres(url, { max: 1, onnotice: () => {} });
      try {
        expect(await migrate(asMaker)).toHaveLength((await versions()).length);
        expect(await ofPublic()).toEqual({ temporary: true, making: false });
      } finally {
        await asMaker.end({ timeout: 5 });
        await sql`drop schema if exists builder cascade`;
        await server.unsafe(`revoke create on database ${name} from ${maker}`);
        await server.unsafe(`revoke ${roles} from ${maker} cascade; drop role ${maker}`);
      }
    });
  });

  it('releases its lock when it fails, so that the next one does not wait', async () => {
    await sql`create schema builder`;
    await sql`create table builder.quotes ()`;
    await expect(migrate(sql)).rejects.toMatchObject({ code: '42P07' });
    await sql`drop table builder.quotes`;
    expect(await migrate(other)).toHaveLength((await versions()).length);
  });

  it('refuses a migration that differs from the applied one, and leaves the database as it is', async () => {
    await migrate(sql);
    const made = await objects();
    await sql`update builder.migrations set md5 = 'other' where version = 3`;
    await expect(migrate(sql)).rejects.toThrow(
      'migration 3 (checks) differs from the one that was applied to this database. ' +
        'Restore the file, and put the change into a new migration',
    );
    expect(await objects()).toEqual(made);
  });

  it('refuses a new migration with a lower number than an applied one', async () => {
    await migrate(sql);
    await sql`delete from builder.migrations where version = 3`;
    const latest = (await versions()).at(-1);
    await expect(migrate(sql)).rejects.toThrow(
      `migration 3 (checks) was not applied to this database, which is already at ${latest}. ` +
        `Give it a number above ${latest}`,
    );
  });

  it('stops after the last migration that a newer deploy has applied', async () => {
    await migrate(sql);
    await sql`insert into builder.migrations (version, name, md5) values (999, 'from the future', 'x')`;
    expect(await migrate(sql)).toEqual([]);
    expect(await recorded()).toEqual([...(await versions()), 999]);
  });
});

describe('the id of a notification', () => {
  let database: TestDatabase;
  let sql: Sql;
  beforeAll(async () => {
    database = await createDatabase();
    sql = database.sql;
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    await sql`truncate builder.notifications restart identity`;
  });

  const account = randomUUID();
  const add = (id?: string): Promise<string> =>
    asStaff(sql, {}, as =>
      insert(as, 'notifications', aNotification(account, id === undefined ? {} : { id })),
    );
  const addMany = async (count: number): Promise<bigint[]> =>
    (await Promise.all(Array.from({ length: count }, () => add()))).map(BigInt);

  it('is generated when left out, and kept when supplied', async () => {
    const ids = [await add(), await add(), await add('7'), await add('5')];
    expect(ids).toEqual(['1', '2', '7', '5']);
  });

  it.each([
    '1',
    '2',
    '3',
    '10',
    '999',
    '1000',
    '1001',
    '1002',
    '123456789012',
    '4503599627370495',
  ])('supplied as %s is never generated later', async id => {
    expect(await add(id)).toBe(id);
    const later = await addMany(5);
    expect(new Set(later).size).toBe(5);
    expect(later.every(generated => generated > BigInt(id))).toBe(true);
  });

  it.each([
    '9007199254740991',
    '4503599627370496',
    '0',
    '-1',
  ])('supplied as %s does not move the sequence', async id => {
    expect(await add(id)).toBe(id);
    expect((await addMany(3)).sort()).toEqual([1n, 2n, 3n]);
    await expect(add(id)).rejects.toMatchObject({ code: '23505' });
  });

  it('may be as small as -9007199254740991, after others', async () => {
    await addMany(3);
    expect(await add('-9007199254740991')).toBe('-9007199254740991');
  });

  it('below the generated ones does not move the sequence back', async () => {
    await add('5000');
    await add('3');
    await add('4000');
    expect(await add()).toBe('5001');
  });

  it('supplied in one insert with generated ones collides with no later one', async () => {
    await sql`
      insert into builder.notifications (id, account_id, body, dismissed)
      select n, ${account}, 'Ready', false from unnest('{3,2,1,2000,1500}'::bigint[]) n`;
    expect(await add()).toBe('2001');
  });

  it('supplied in many concurrent inserts is never generated later', async () => {
    const supplied = Array.from({ length: 40 }, (_, index) => String(10 + index * index * 37));
    await Promise.all(supplied.map(id => add(id)));
    const later = await addMany(20);
    expect(later.every(id => id > BigInt(supplied.at(-1) ?? 0))).toBe(true);
  });
});
