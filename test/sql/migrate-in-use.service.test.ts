/** Migrating a database that has rows and is in use, and migrations that fail. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import postgres, { type Sql } from 'postgres';
import { describe, expect, inject, it } from 'vitest';
import { loginUrl } from '../../sql/login-passwords.ts';
import { type MigrateOptions, migrate } from '../../sql/migrate.ts';
import { root } from '../setup/files.ts';
import { untilBlocked } from '../setup/locks.ts';
import { blocksOf } from '../setup/readmes.ts';
import { aNotification, aQuote } from '../setup/rows.ts';
import { sqlFolder, useEmptyDatabase, useSqlFolders } from './empty-database.ts';
import { asCustomer, asStaff, claimsOf, insert, update } from './roles.ts';

const { loginPassword } = inject('postgres');
const quotes = 200_000;

const db = useEmptyDatabase();
const { folderWith } = useSqlFolders();

/** Returns the applied files. */
const apply = async (options: MigrateOptions) => (await migrate(db.sql, loginPassword, options)).applied;
const exists = async (table: string): Promise<boolean> =>
  (await db.sql`select to_regclass(${table}) is not null as found`)[0]?.['found'];

describe('a database in use', () => {
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
      const quoted = { status: 'quoted', unit_price: 1, total_price: 2 };
      await asStaff(api, {}, as => update(as, 'quotes', id, quoted));
      await asStaff(api, {}, as => insert(as, 'notifications', aNotification(account, { link: `/${id}` })));
      await asCustomer(api, customer, as => as`delete from builder.notifications where link = ${`/${id}`}`);
    }
    return made;
  }

  /** A new column, and an index and a default that change with it. */
  const upgrade = `
    alter table builder.quotes add column season text,
      add constraint season_has_at_most_100_bytes check (octet_length(season) <= 100) not valid;
    drop index builder.quotes_of_an_account_with_status;
    create index quotes_of_an_account on builder.quotes (account_id, created_at desc, id) include (deleted_at);
    alter table builder.notifications alter column expires_at set default now() + interval '2 months'`;

  /** Milliseconds after which a request that waits for a lock fails. */
  const longestWait = 5000;

  /** Does something while callers use the database, of whom none may fail. Returns the ids of the quotes they made. */
  async function underTraffic(work: () => Promise<void>): Promise<string[]> {
    const options = { max: 1, onnotice: () => {}, connection: { lock_timeout: longestWait } };
    const url = loginUrl(db.urlOf(), 'builder_api', loginPassword);
    const connections = [1, 2, 3, 4].map(() => postgres(url, options));
    let going = true;
    const traffic = Promise.all(connections.map(api => use(api, () => going)));
    // It is awaited when the work is done.
    traffic.catch(() => {});
    try {
      await pause(100);
      await work();
      await pause(100);
    } finally {
      going = false;
      await Promise.allSettled([traffic]);
      await Promise.all(connections.map(api => api.end()));
    }
    const made = (await traffic).flat();
    const rows = await db.sql`
      select id, status from builder.quotes where account_id = ${account} order by id`;
    expect(rows).toEqual(made.sort().map(id => ({ id, status: 'quoted' })));
    return made;
  }

  it('can be migrated, and all code applied again: no request fails, and no row is lost or changed', async () => {
    const { sql } = db;
    const code = (await apply({})).filter(file => file.startsWith('code/'));
    for (let row = 0; row < 20; row += 1) {
      await insert(sql, 'quotes', aQuote(randomUUID()));
    }
    const [{ columns = [] } = {}] = await sql<{ columns: string[] }[]>`
      select array_agg(column_name::text) as columns from information_schema.columns
      where table_schema = 'builder' and table_name = 'quotes'`;
    const content = async () =>
      await sql`select ${sql(columns)} from builder.quotes where account_id <> ${account} order by id`;
    const before = await content();
    await underTraffic(async () => {
      const migration = 'migrations/900.do.season.sql';
      const folder = await folderWith({ [migration]: upgrade }, '\n-- Another version.\n');
      expect(await apply({ folder })).toEqual([migration, ...code]);
      expect(await apply({ folder })).toEqual([]);
    });
    expect(await content()).toEqual(before);
  });

  it(`gets the indexes of ${quotes} quotes by the commands of sql/README.md, while no write waits too long`, {
    timeout: 600_000,
    tags: ['full'],
  }, async () => {
    const { sql } = db;
    await apply({});
    const text =
      'create index if not exists quotes_by_company on builder.quotes (company)\n  where company is not null;\n';
    const folder = await folderWith({ 'migrations/900.do.indexes.sql': text });
    await sql.begin(async own => {
      // The triggers would write a history for rows that have none.
      await own`set local session_replication_role = replica`;
      await own`
        insert into builder.quotes (account_id, quote_number, product_id, sport, customization, created_at)
        select ('a0000000-0000-4000-8000-' || lpad((n % 10000)::text, 12, '0'))::uuid,
          'QT-2026-' || lpad((n % 100000)::text, 5, '0'), gen_random_uuid(), 'golf', '{}', now() - n * interval '1 minute'
        from generate_series(1, ${quotes}::integer) n`;
    });
    const valid = async () => {
      const rows = await sql`select indexrelid::regclass::text as name from pg_index
        where indisvalid and indrelid::regclass::text like 'builder.%'`;
      return rows.map(({ name }) => name);
    };
    const made = await underTraffic(async () => {
      for (const command of await readmeCommands(
        fileURLToPath(new URL('migrations/900.do.indexes.sql', folder)),
      )) {
        await sql.unsafe(command);
      }
      const before = await valid();
      expect(before).toContain('builder.quotes_by_company');
      expect(await apply({ folder })).toEqual(['migrations/900.do.indexes.sql']);
      expect((await valid()).filter(name => !before.includes(name))).toEqual([]);
    });
    expect(made.length).toBeGreaterThan(0);
  });
});

/** The README's commands for a migration, without psql. */
async function readmeCommands(file: string): Promise<string[]> {
  const block = blocksOf('bash', 'sql/README.md').find(({ text }) => text.includes('concurrently'));
  const [command = ''] = block?.text.replace(/^file=\S+/m, `file=${file}`).split(' | psql') ?? [];
  const { stdout } = await promisify(execFile)('sh', ['-c', command], { cwd: root });
  const commands = stdout.split(';\n').filter(text => text.trim() !== '');
  expect(commands.length).toBeGreaterThan(0);
  expect(commands.every(text => text.startsWith('create index concurrently if not exists'))).toBe(true);
  return commands;
}

describe('a migration that needs a lock another session holds', () => {
  const change = {
    'migrations/900.do.change.sql':
      'create table builder.mine (); alter table builder.quotes add column mine int',
  };

  it('times out with a message, is rolled back, and can be run again', async () => {
    const { sql } = db;
    const folder = await folderWith(change);
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
    expect(await apply({ folder })).toEqual(['migrations/900.do.change.sql']);
    expect(await exists('builder.mine')).toBe(true);
  });

  it('is retried automatically', async () => {
    const folder = await folderWith(change);
    await apply({});
    const { applying } = await db.sql.begin(async holder => {
      await holder`select from builder.quotes`;
      const applying = apply({ folder, lockTimeout: 300, tries: 20 });
      await pause(450);
      return { applying };
    });
    await expect(applying).resolves.toEqual(['migrations/900.do.change.sql']);
  });

  it('waits for a request that writes a new table and then the feed, and makes it wait for nothing', async () => {
    const access = await readFile(new URL('code/access.sql', sqlFolder), 'utf8');
    const added = {
      'migrations/900.do.fabrics.sql': 'create table builder.fabrics (code text primary key)',
      'code/access.sql': `${access}create policy staff_do_everything on builder.fabrics to builder_staff using (true);`,
    };
    await apply({});
    expect(await apply({ folder: await folderWith(added) })).toEqual(Object.keys(added));
    const changed = await folderWith({ ...added, 'code/access.sql': `${added['code/access.sql']}\n` });
    const { applying } = await db.sql.begin(async request => {
      await request`insert into builder.fabrics values ('MESH')`;
      const applying = apply({ folder: changed, lockTimeout: 5000, tries: 1 });
      await untilBlocked(db);
      await request`
        insert into builder.changes (collection, operation, account_id, key) values ('fabrics', 'I', ${randomUUID()}, 'MESH')`;
      return { applying };
    });
    expect(await applying).toEqual(['code/access.sql']);
  });

  it('waits for another deploy no longer than its timeout', async () => {
    await db.sql.begin(async holder => {
      await holder`select pg_advisory_xact_lock(7203513491)`;
      await expect(apply({ turnTimeout: 100, tries: 1 })).rejects.toMatchObject({ code: '55P03' });
    });
    expect(await apply({})).not.toEqual([]);
  });

  it('is tried again when a deploy to another database of the server changes the same roles', async () => {
    const other = await db.server.reserve();
    await other`begin`;
    await other`alter role builder_api connection limit -1`;
    const applying = apply({ resetPassword: true });
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
  const broken = {
    'migrations/900.do.first.sql': first,
    'migrations/901.do.second.sql': second('select 1 / 0'),
  };
  await expect(apply({ folder: await folderWith(broken) })).rejects.toMatchObject({ code: '22012' });
  expect(await exists('builder.mine')).toBe(false);
  await expect(db.sql`select mine from builder.quotes`).rejects.toMatchObject({ code: '42703' });
  const mended = { ...broken, 'migrations/901.do.second.sql': second('select 1') };
  expect(await apply({ folder: await folderWith(mended) })).toEqual(Object.keys(mended));
});
