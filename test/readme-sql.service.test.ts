/** The SQL of the README files runs in a migrated database, as it is printed. */
import { it } from 'vitest';
import { useDatabase } from './setup/database.ts';
import { blocksOf } from './setup/readmes.ts';

const database = useDatabase();

it.each(
  blocksOf('sql').map(({ readme, text }) => [`${readme}: ${text.split('\n')[0]}`, text] as const),
)('runs as the owner: %s', async (_, text) => {
  await database.sql.begin(async transaction => {
    // A deployment has memberships of its own.
    await transaction`create table public.memberships (user_id uuid, account_id uuid)`;
    await transaction.unsafe(text);
    await transaction`drop table public.memberships`;
  });
});
