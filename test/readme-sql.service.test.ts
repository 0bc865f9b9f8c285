/** The SQL of the README files runs in a migrated database, as it is printed. */
import { afterAll, beforeAll, describe, it } from 'vitest';
import { createDatabase, type TestDatabase } from './setup/database.ts';
import { blocksOf } from './setup/readmes.ts';

describe('SQL of a README', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createDatabase();
  });
  afterAll(() => database.drop());

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
});
