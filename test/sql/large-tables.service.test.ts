/** Migrating a database with a million quotes as sql/README.md says, while callers write. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cp, readdir } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import postgres, { type Sql } from 'postgres';
import { expect, inject, it } from 'vitest';
import { loginUrl } from '../../functions/local/database.ts';
import { migrationsFolder } from '../../sql/append-only.ts';
import { migrate } from '../../sql/migrate.ts';
import { root } from '../setup/files.ts';
import { rounds } from '../setup/full-size.ts';
import { blocksOf } from '../setup/readmes.ts';
import { aQuote } from '../setup/rows.ts';
import { makeTemporaryDirectory } from '../setup/temporary-directory.ts';
import { asCustomer, claimsOf, insert, update } from './roles.ts';

const { ownerUrl: serverUrl, loginPassword } = inject('postgres');
/** The migration of which the README's commands build the indexes. */
const migration = 22;
const account = randomUUID();
const timeout = 600_000;
const quotes = rounds(10_000, 1_000_000);

/** Milliseconds after which a statement that waits for a lock fails. */
const longestWait = 1000;

it(`${quotes} quotes are indexed while no write waits longer than a second`, { timeout }, indexWhileWriting);

async function indexWhileWriting(): Promise<void> {
  const server = postgres(serverUrl, { max: 1, onnotice: () => {} });
  const name = `large_${randomUUID().slice(0, 8)}`;
  await server`create database ${server(name)}`;
  const ownerUrl = Object.assign(new URL(serverUrl), { pathname: name }).href;
  const sql = postgres(ownerUrl, { max: 1, onnotice: () => {} });
  const directory = await makeTemporaryDirectory();
  try {
    const folder = pathToFileURL(`${directory.path}/`);
    await copyMigrations(folder, migration - 1);
    await migrate(sql, loginPassword, { folder });
    await fill(sql);
    const writers = startWriters(ownerUrl);
    for (const command of await readmeCommands()) {
      await sql.unsafe(command);
    }
    const before = await indexesOf(sql);
    await copyMigrations(folder, migration);
    const applied = await migrate(sql, loginPassword, { folder });
    const made = await writers.stop();
    expect(applied.map(({ version }) => version)).toEqual([migration]);
    expect((await indexesOf(sql)).filter(index => !before.includes(index))).toEqual([]);
    const [{ count } = { count: 0 }] = await sql<{ count: number }[]>`
      select count(*)::integer as count from builder.quotes where account_id = ${account} and company = 'Lions'`;
    expect(count).toBe(made);
    expect(made).toBeGreaterThan(0);
  } finally {
    await sql.end({ timeout: 5 });
    await server`drop database ${server(name)} with (force)`;
    await server.end();
    await directory.remove();
  }
}

async function copyMigrations(folder: URL, upTo: number): Promise<void> {
  for (const file of await readdir(migrationsFolder)) {
    if (Number.parseInt(file, 10) <= upTo) {
      await cp(new URL(file, migrationsFolder), new URL(file, folder));
    }
  }
}

async function fill(sql: Sql): Promise<void> {
  // The triggers would write a history for rows that have none.
  await sql`set session_replication_role = replica`;
  await sql`
    insert into builder.quotes (account_id, quote_number, product_id, sport, customization, created_at)
    select ('a0000000-0000-4000-8000-' || lpad((n % 10000)::text, 12, '0'))::uuid,
      'QT-2026-' || lpad((n % 100000)::text, 5, '0'), gen_random_uuid(), 'golf', '{}', now() - n * interval '1 minute'
    from generate_series(1, ${quotes}::integer) n`;
  await sql`set session_replication_role = origin`;
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
