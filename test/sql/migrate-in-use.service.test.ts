/**
 * Migrating a database that has rows and is in use, and migrations that fail.
 *
 * @module-tag full
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import postgres, { type Sql } from 'postgres';
import { describe, expect, inject, it } from 'vitest';
import { loginUrl } from '../../functions/local/database.ts';
import { type MigrateOptions, migrate } from '../../sql/migrate.ts';
import { aNotification, aQuote } from '../setup/rows.ts';
import { useEmptyDatabase, useMigrations } from './empty-database.ts';
import { asCustomer, asStaff, claimsOf, insert, update } from './roles.ts';

const { loginPassword } = inject('postgres');
/** The last migration of the baseline, from which every database is upgraded. */
const baseline = 12;

const db = useEmptyDatabase();
const { folderOf } = useMigrations();

const apply = (options: MigrateOptions) => migrate(db.sql, loginPassword, options);
const appliedVersions = async (options: MigrateOptions = {}): Promise<number[]> =>
  (await apply(options)).map(({ version }) => version);
const exists = async (table: string): Promise<boolean> =>
  (await db.sql`select to_regclass(${table}) is not null as found`)[0]?.['found'];

describe('a database at the baseline, with rows and traffic,', () => {
  const account = randomUUID();
  const customer = claimsOf(account);

  /** What callers do, over and over, on a connection of builder_api, until told to stop; returns the ids it made. */
  async function use(api: Sql, going: () => boolean): Promise<string[]> {
    const made: string[] = [];
    while (going()) {
      const id = await asCustomer(api, customer, as => insert(as, 'quotes', aQuote(account)));
      made.push(id);
      await asCustomer(api, customer, as => as`select id, status from builder.quotes limit 20`);
      await asCustomer(api, customer, as => update(as, 'quotes', id, { status: 'submitted' }));
      await asStaff(api, {}, as =>
        update(as, 'quotes', id, { status: 'quoted', unit_price: 1, total_price: 2 }),
      );
      await asStaff(api, {}, as => insert(as, 'notifications', aNotification(account, { link: id })));
      await asCustomer(api, customer, as => as`delete from builder.notifications where link = ${id}`);
    }
    return made;
  }

  /** What a new column that customers may edit takes, and a rule and an index that change with it. */
  const upgrade = `
    alter table builder.quotes add column season text,
      add constraint season_has_at_most_100_bytes check (octet_length(season) <= 100) not valid;
    grant select (season), insert (season), update (season) on builder.quotes to builder_customer;
    create or replace function builder.columns_open_after_draft() returns text[]
      language sql immutable parallel safe set search_path = pg_catalog, pg_temp
    as $$ select '{customer_notes,contact_name,season}'::text[] $$;
    drop index builder.quotes_of_an_account_with_status;
    create index quotes_of_an_account on builder.quotes (account_id, created_at desc, id) include (deleted_at);
    alter table builder.notifications alter column expires_at set default now() + interval '2 months'`;

  it('can be migrated to every later version: no request fails, and no row is lost or changed', async () => {
    const { sql } = db;
    await apply({ folder: await folderOf(baseline) });
    for (let row = 0; row < 20; row += 1) {
      await insert(sql, 'quotes', aQuote(randomUUID()));
    }
    const [{ columns = [] } = {}] = await sql<{ columns: string[] }[]>`
      select array_agg(column_name::text) as columns from information_schema.columns
      where table_schema = 'builder' and table_name = 'quotes'`;
    const content = async () =>
      await sql`select ${sql(columns)} from builder.quotes where account_id <> ${account} order by id`;
    const before = await content();
    const connections = [1, 2, 3, 4].map(() =>
      postgres(loginUrl(db.urlOf(), 'builder_api', loginPassword), { max: 1, onnotice: () => {} }),
    );
    let going = true;
    const traffic = Promise.all(connections.map(api => use(api, () => going)));
    try {
      await pause(100);
      const folder = await folderOf(899, { '900.do.season.sql': upgrade });
      expect((await appliedVersions({ folder })).at(-1)).toBe(900);
      expect(await appliedVersions({ folder })).toEqual([]);
      await pause(100);
    } finally {
      going = false;
    }
    const made = (await traffic).flat();
    await Promise.all(connections.map(api => api.end()));
    const rows = await sql<{ id: string; status: string }[]>`
      select id, status from builder.quotes where account_id = ${account}`;
    expect(rows.map(({ id }) => id).sort()).toEqual(made.sort());
    expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(['quoted']));
    expect(await content()).toEqual(before);
  });
});

describe('a migration that needs a lock another session holds', () => {
  const change = {
    '900.do.change.sql': 'create table builder.mine (); alter table builder.quotes add column mine int',
  };

  it('times out with a message, is rolled back, and can be run again', async () => {
    const { sql } = db;
    const folder = await folderOf(899, change);
    await apply({});
    await sql.begin(async holder => {
      await holder`select from builder.quotes`;
      await expect(apply({ folder, lockTimeout: 100, tries: 2 })).rejects.toMatchObject({
        code: '55P03',
        message: expect.stringMatching(/a lock could not be acquired.*can be run again/),
      });
      expect(await exists('builder.mine')).toBe(false);
      // Nobody waits behind it any more.
      await insert(sql, 'quotes', aQuote(randomUUID()));
    });
    expect(await appliedVersions({ folder })).toEqual([900]);
    expect(await exists('builder.mine')).toBe(true);
  });

  it('is retried automatically', async () => {
    const folder = await folderOf(899, change);
    await apply({});
    const { applying } = await db.sql.begin(async holder => {
      await holder`select from builder.quotes`;
      const applying = appliedVersions({ folder, lockTimeout: 300, tries: 20 });
      await pause(450);
      return { applying };
    });
    await expect(applying).resolves.toEqual([900]);
  });

  it('waits for another deploy no longer than its timeout', async () => {
    await db.sql.begin(async holder => {
      await holder`select pg_advisory_xact_lock(7203513491)`;
      await expect(apply({ turnTimeout: 100, tries: 1 })).rejects.toMatchObject({ code: '55P03' });
    });
    expect(await appliedVersions()).not.toEqual([]);
  });

  it('is tried again when a deploy to another database of the server changes the same roles', async () => {
    const other = await db.server.reserve();
    await other`begin`;
    await other`alter role builder_api connection limit -1`;
    const applying = appliedVersions();
    const waiting = () => db.sql`select 1 from pg_stat_activity
      where datname = ${db.name} and wait_event = 'transactionid' and query like 'alter role%'`;
    await expect.poll(waiting).toHaveLength(1);
    await other`commit`;
    other.release();
    expect(await applying).not.toEqual([]);
  });
});

it('a migration that fails is rolled back with those before it in the same run, and works once it is fixed', async () => {
  await apply({});
  const first = 'create table builder.mine ()';
  const second = (end: string) => `alter table builder.quotes add column mine int; ${end}`;
  const broken = { '900.do.first.sql': first, '901.do.second.sql': second('select 1 / 0') };
  await expect(apply({ folder: await folderOf(899, broken) })).rejects.toMatchObject({ code: '22012' });
  expect(await exists('builder.mine')).toBe(false);
  await expect(db.sql`select mine from builder.quotes`).rejects.toMatchObject({ code: '42703' });
  const mended = { ...broken, '901.do.second.sql': second('select 1') };
  expect(await appliedVersions({ folder: await folderOf(899, mended) })).toEqual([900, 901]);
});
