/** Postgres copies rows into a dump and out of it as text. sql/README.md has the commands. */
import { randomUUID } from 'node:crypto';
import { chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sql, TransactionSql } from 'postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from '../setup/database.ts';
import { aNotification, aQuote } from '../setup/rows.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../setup/temporary-directory.ts';
import { asCustomer, claimsOf, insert } from './roles.ts';

const account = randomUUID();
const strange = 'tab\t, line\r\n, \\N, \\., \b, "quotes\'", ñ, 日本, 😀, ;';

let source: TestDatabase;
let restored: TestDatabase;
let directory: TemporaryDirectory;
beforeAll(async () => {
  [source, restored] = await Promise.all([createDatabase(), createDatabase()]);
  directory = await makeTemporaryDirectory();
  // Postgres writes into it, as another user.
  await chmod(directory.path, 0o777);
  await source.sql.unsafe(await readFile(new URL('../../sql/demo.sql', import.meta.url), 'utf8'));
});
afterAll(() => Promise.all([source.drop(), restored.drop(), directory.remove()]));

interface Table {
  name: string;
  rows: string;
  checksum: string;
}

/** The checksum does not depend on the order of the rows. */
async function readTables(sql: Sql): Promise<Table[]> {
  const names = await sql<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'builder'::regnamespace and relkind = 'r' order by 1`;
  const tables = names.map(
    ({ name }) => sql<Table[]>`
      select ${name} as name, count(*)::text as rows, sum(hashtextextended(t::text, 0)::numeric)::text as checksum
      from builder.${sql(name)} t`,
  );
  return (await Promise.all(tables)).flat();
}

async function withoutTriggers(sql: Sql, work: (sql: TransactionSql) => PromiseLike<unknown>): Promise<void> {
  await sql.begin(async transaction => {
    await transaction`set local session_replication_role = replica`;
    await work(transaction);
  });
}

async function copyAll(tables: Table[]): Promise<void> {
  // First of all: it empties the tables that refer to one, too.
  await restored.sql`truncate ${restored.sql(tables.map(({ name }) => `builder.${name}`))}`;
  for (const { name } of tables) {
    const file = join(directory.path, name);
    await source.sql.unsafe(`copy builder.${name} to '${file}'`);
    await withoutTriggers(restored.sql, async sql => {
      await sql.unsafe(`copy builder.${name} from '${file}'`);
    });
  }
  const sequences = await source.sql<{ name: string; last: string }[]>`
    select sequencename as name, last_value::text as last from pg_sequences
    where schemaname = 'builder' and last_value is not null`;
  for (const { name, last } of sequences) {
    await restored.sql`select setval(${`builder.${name}`}::regclass, ${last}::bigint)`;
  }
}

it('a database that is migrated anew takes every row of another, and goes on from there', async () => {
  const notes = { customer_notes: strange, company: '', customization: { [strange]: [1e30, 1.5, null] } };
  await insert(source.sql, 'quotes', aQuote(account, notes));
  await withoutTriggers(
    source.sql,
    sql => sql`
      update builder.quotes set unit_price = 12345678901234567890.10, submitted_at = 'infinity',
        created_at = '0044-03-15 12:00:00.123456 BC'
      where account_id = ${account}`,
  );
  await insert(source.sql, 'notifications', aNotification(account, { id: '123456789012' }));
  await source.sql`
    insert into builder.idempotency_keys (caller, key, fingerprint, answer) values ('a', 'k', 'f', '{"body" : "1.50"}')`;

  const tables = await readTables(source.sql);
  await copyAll(tables);

  expect(await readTables(restored.sql)).toEqual(tables);
  const own = await asCustomer(
    restored.sql,
    claimsOf(account),
    sql => sql`select customer_notes from builder.quotes`,
  );
  expect(own).toEqual([{ customer_notes: strange }]);
  const id = await insert(restored.sql, 'notifications', aNotification(account));
  expect(Number(id)).toBeGreaterThan(123456789012);
});
