/** What the schema grants to public, and what the limits in functions/ and the READMEs say of it. */
import type { Row } from 'postgres';
import { beforeAll, describe, expect, it } from 'vitest';
import { limits } from '../../functions/common/limits.ts';
import { collections } from '../../schema/collections.ts';
import { migrate } from '../../sql/migrate.ts';
import { useDatabase } from '../setup/database.ts';
import { blocksOf } from '../setup/readmes.ts';

const database = useDatabase();
beforeAll(async () => {
  // A copied database has its own privileges and settings, which migrate sets again.
  await migrate(database.sql);
});

describe('the schema builder', () => {
  const names = async (query: Promise<readonly Row[]>): Promise<string[]> =>
    (await query).map(({ ['name']: name }) => name);

  it('grants nothing to public', async () => {
    const granted = database.sql`
      select 'schema' as name where has_schema_privilege('public', 'builder', 'usage, create')
      union all
      select oid::regprocedure::text from pg_proc
      where pronamespace = 'builder'::regnamespace and has_function_privilege('public', oid, 'execute')
      union all
      select oid::regtype::text from pg_type
      where typnamespace = 'builder'::regnamespace and typtype in ('e', 'd', 'r') and has_type_privilege('public', oid, 'usage')
      union all
      select oid::regclass::text from pg_class
      where relnamespace = 'builder'::regnamespace and relkind in ('r', 'v', 'm', 'p', 'f')
        and (has_table_privilege('public', oid, 'select, insert, update, delete, truncate, references, trigger')
          or has_any_column_privilege('public', oid, 'select, insert, update, references'))
      union all
      select oid::regclass::text from pg_class
      where relnamespace = 'builder'::regnamespace
        and case when relkind = 'S' then has_sequence_privilege('public', oid, 'usage, select, update') end`;
    expect(await names(granted)).toEqual([]);
  });

  it('pins the search path of every function, temporary objects last', async () => {
    const unpinned = database.sql`
      select oid::regprocedure::text as name from pg_proc
      where pronamespace = 'builder'::regnamespace
        and 'search_path=pg_catalog, pg_temp' <> all (coalesce(proconfig, '{}'))`;
    expect(await names(unpinned)).toEqual([]);
  });

  it('is not owned by the roles of requests, which own nothing in any database', async () => {
    const owned = () => database.sql`
      select rolname as name from pg_shdepend join pg_roles on pg_roles.oid = refobjid
      where refclassid = 'pg_authid'::regclass and deptype = 'o' and rolname ~ '^builder_'`;
    // Temporary objects of a test that runs meanwhile are gone in a moment.
    await expect.poll(() => names(owned())).toEqual([]);
  });
});

it.each(collections)('each column by which rows of $name are looked up begins an index', async ({
  name,
  lookups = [],
}) => {
  const indexed = await database.sql<{ column: string }[]>`
    select attname as column from pg_index join pg_attribute on attrelid = indrelid and attnum = indkey[0]
    where indrelid = ${`builder.${name}`}::regclass`;
  expect(indexed.map(({ column }) => column)).toEqual(expect.arrayContaining([...lookups]));
});

/** What a function of the database has behind a text, once. */
async function numberIn(name: string, before: string): Promise<number> {
  const [row] = await database.sql<{ source: string }[]>`
    select prosrc as source from pg_proc where pronamespace = 'builder'::regnamespace and proname = ${name}`;
  const [, found, ...others] = row?.source.split(before) ?? [];
  expect([name, before, others]).toEqual([name, before, []]);
  return Number.parseInt(found ?? '', 10);
}

const { idempotency, links, quoteNumbers } = limits;

it.each([
  ['claim_key', 'most constant integer := ', idempotency.keysOfCustomer],
  ['save_response', 'newest constant integer := ', idempotency.bodiesOfCaller],
  ['save_response', 'octet_length(body) between 1 and ', idempotency.bodyBytes],
  ['count_customer_number', 'share constant integer := ', quoteNumbers.ofCustomer],
  ['share_quote', 'most constant integer := ', links.ofQuote],
  ['check_share', "now() + interval '", links.days],
  ['next_quote_number', 'for_staff constant integer := ', quoteNumbers.forStaff],
])('the database has in %s, behind “%s”, %i', async (name, before, limit) => {
  expect(await numberIn(name, before)).toBe(limit);
});

it.each(
  blocksOf('sql').map(({ readme, text }) => [`${readme}: ${text.split('\n')[0]}`, text] as const),
)('the SQL of a README runs as the owner: %s', async (_, text) => {
  await database.sql.begin(async transaction => {
    // A deployment has memberships of its own.
    await transaction`create table public.memberships (user_id uuid, account_id uuid)`;
    await transaction.unsafe(text);
    await transaction`drop table public.memberships`;
  });
});
