/** Postgres copies rows into a dump and out of it as text. sql/README.md has the commands. */
import { randomUUID } from 'node:crypto';
import { chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sql } from 'postgres';
import { beforeAll, expect, it } from 'vitest';
import { useDatabase } from '../setup/database.ts';
import { aNotification, aQuote } from '../setup/rows.ts';
import { makeTemporaryDirectory } from '../setup/temporary-directory.ts';
import { use } from '../setup/use.ts';
import { insert } from './roles.ts';

const [source, restored] = [useDatabase(), useDatabase()];
const directory = use(makeTemporaryDirectory, 'remove');
beforeAll(async () => {
  // Postgres writes into it, as another user.
  await chmod(directory.path, 0o777);
  await source.sql.unsafe(await readFile(new URL('../../sql/demo.sql', import.meta.url), 'utf8'));
});

/** The tables with the number of their rows, and a checksum that does not depend on the order of the rows. */
async function readTables(sql: Sql) {
  const names = await sql<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'builder'::regnamespace and relkind = 'r' order by 1`;
  const tables = names.map(
    ({ name }) => sql<{ name: string; rows: string; checksum: string }[]>`
      select ${name} as name, count(*)::text as rows, sum(hashtextextended(t::text, 0)::numeric)::text as checksum
      from builder.${sql(name)} t`,
  );
  return (await Promise.all(tables)).flat();
}

it('a database that is migrated anew takes every row of another, and continues its sequences', async () => {
  const strange = 'tab\t, line\r\n, \\N, \\., \b, "quotes\'", ñ, 日本, 😀, ;';
  const notes = { customer_notes: strange, customization: { [strange]: [1e30, 1.5, null] } };
  const quote = aQuote(randomUUID(), { ...notes, unit_price: '12345678901234567890.10' });
  await insert(source.sql, 'quotes', quote);
  await insert(source.sql, 'notifications', aNotification(randomUUID(), { id: '123456789012' }));
  const tables = await readTables(source.sql);
  // First of all: it empties the tables that refer to one, too.
  await restored.sql`truncate ${restored.sql(tables.map(({ name }) => `builder.${name}`))}`;
  await restored.sql.begin(async sql => {
    // As pg_restore does it: without triggers.
    await sql`set local session_replication_role = replica`;
    for (const { name } of tables) {
      const file = join(directory.path, name);
      await source.sql.unsafe(`copy builder.${name} to '${file}'`);
      await sql.unsafe(`copy builder.${name} from '${file}'`);
    }
  });
  for (const { name, last } of await source.sql`
    select 'builder.' || sequencename as name, last_value::text as last from pg_sequences
    where schemaname = 'builder' and last_value is not null`) {
    await restored.sql`select setval(${name}::regclass, ${last}::bigint)`;
  }
  expect(await readTables(restored.sql)).toEqual(tables);
  const id = await insert(restored.sql, 'notifications', aNotification(randomUUID()));
  expect(Number(id)).toBeGreaterThan(123456789012);
});
