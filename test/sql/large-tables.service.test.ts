/**
 * Migrating a database with a million quotes as sql/README.md says, while callers write.
 *
 * @module-tag full
 */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import postgres, { type Sql } from 'postgres';
import { expect, inject, it } from 'vitest';
import { loginUrl } from '../../functions/local/database.ts';
import { migrate } from '../../sql/migrate.ts';
import { root } from '../setup/files.ts';
import { rounds } from '../setup/full-size.ts';
import { blocksOf } from '../setup/readmes.ts';
import { aQuote } from '../setup/rows.ts';
import { useEmptyDatabase, useMigrations } from './empty-database.ts';
import { asCustomer, claimsOf, insert, update } from './roles.ts';

const { loginPassword } = inject('postgres');
/** The migration of which the README's commands build the indexes. */
const migration = 22;
const account = randomUUID();
const quotes = rounds(10_000, 1_000_000);
/** Milliseconds after which a request that waits for a lock fails. */
const longestWait = 5000;

const db = useEmptyDatabase();
const { folderOf } = useMigrations();

it(`${quotes} quotes are indexed while no write waits for a lock as long as requests may`, {
  timeout: 600_000,
}, async () => {
  const { sql } = db;
  await migrate(sql, loginPassword, { folder: await folderOf(migration - 1) });
  await fill(sql);
  const writers = startWriters(db.urlOf());
  for (const command of await readmeCommands()) {
    await sql.unsafe(command);
  }
  const before = await indexesOf(sql);
  const applied = await migrate(sql, loginPassword, { folder: await folderOf(migration) });
  const made = await writers.stop();
  expect(applied.map(({ version }) => version)).toEqual([migration]);
  expect((await indexesOf(sql)).filter(index => !before.includes(index))).toEqual([]);
  const rows = await sql`select from builder.quotes where account_id = ${account} and company = 'Lions'`;
  expect(rows).toHaveLength(made);
  expect(made).toBeGreaterThan(0);
});

async function fill(sql: Sql): Promise<void> {
  await sql.begin(async own => {
    // The triggers would write a history for rows that have none.
    await own`set local session_replication_role = replica`;
    await own`
      insert into builder.quotes (account_id, quote_number, product_id, sport, customization, created_at)
      select ('a0000000-0000-4000-8000-' || lpad((n % 10000)::text, 12, '0'))::uuid,
        'QT-2026-' || lpad((n % 100000)::text, 5, '0'), gen_random_uuid(), 'golf', '{}', now() - n * interval '1 minute'
      from generate_series(1, ${quotes}::integer) n`;
  });
}

/** The README's commands, without psql. */
async function readmeCommands(): Promise<string[]> {
  const block = blocksOf('bash', 'sql/README.md').find(({ text }) => text.includes('concurrently'));
  const [command = ''] = block?.text.split(' | psql') ?? [];
  const { stdout } = await promisify(execFile)('sh', ['-c', command], { cwd: root });
  const commands = stdout.split(';\n').filter(text => text.trim() !== '');
  expect(commands.length).toBeGreaterThan(0);
  expect(commands.every(text => text.startsWith('create index concurrently if not exists'))).toBe(true);
  return commands;
}

/** Indexes that can be used. */
const indexesOf = async (sql: Sql): Promise<string[]> =>
  (
    await sql<{ name: string }[]>`
      select indexrelid::regclass::text as name from pg_index
      where indisvalid and indrelid::regclass::text like 'builder.%'`
  ).map(({ name }) => name);

/** Four customers insert and change quotes until they are stopped, which resolves to how many; a write that waits too long rejects. */
function startWriters(ownerUrl: string): { stop(): Promise<number> } {
  const url = loginUrl(ownerUrl, 'builder_api', loginPassword);
  let isStopped = false;
  const write = async (): Promise<number> => {
    const api = postgres(url, { max: 1, onnotice: () => {}, connection: { lock_timeout: longestWait } });
    let count = 0;
    for (; !isStopped; count += 1) {
      const id = await asCustomer(api, claimsOf(account), as => insert(as, 'quotes', aQuote(account)));
      await asCustomer(api, claimsOf(account), as => update(as, 'quotes', id, { company: 'Lions' }));
    }
    await api.end();
    return count;
  };
  const counts = Promise.all([write(), write(), write(), write()]);
  // It is awaited when they are stopped.
  counts.catch(() => {});
  return {
    async stop() {
      isStopped = true;
      return (await counts).reduce((sum, count) => sum + count, 0);
    },
  };
}
