/**
 * Columns that the database itself keeps from a customer, and what holds for all of the schema. The whole list of
 * privileges is in sql/schema.sql, and what they come to in matrix.service.test.ts.
 */
import { randomUUID } from 'node:crypto';
import type { Row, Sql } from 'postgres';
import { beforeAll, describe, expect, it } from 'vitest';
import { quotes } from '../../schema/quotes.ts';
import { useDatabase } from '../setup/database.ts';
import { aQuote } from '../setup/rows.ts';
import { asCustomer, asStaff, claimsOf, insert, update } from './roles.ts';

const database = useDatabase();
let sql: Sql;
let id: string;
const account = randomUUID();
const customer = claimsOf(account);
beforeAll(async () => {
  sql = database.sql;
  id = await insert(sql, 'quotes', aQuote(account, { internal_notes: 'margin 30%' }));
});

const denied = { code: '42501', message: expect.stringMatching(/^permission denied/) };

describe('internal_notes', () => {
  it.each([
    'select internal_notes from builder.quotes',
    'select * from builder.quotes',
    'select quotes from builder.quotes',
    'select to_jsonb(quotes) from builder.quotes',
    'select quotes::text from builder.quotes',
    'select count(internal_notes) from builder.quotes',
    'select max(internal_notes) from builder.quotes',
    'select id from builder.quotes order by internal_notes',
    'select count(*) from builder.quotes group by internal_notes',
    "select id from builder.quotes where internal_notes like 'margin%'",
    'select id from builder.quotes where (quotes).internal_notes is null',
    'select id from builder.quotes join lateral (select internal_notes) notes on true',
    "select builder.planned_rows('select from builder.quotes where internal_notes is null')",
    "update builder.quotes set company = 'Lions' returning internal_notes",
    "update builder.quotes set company = 'Lions' returning *",
    'update builder.quotes set company = internal_notes',
    "update builder.quotes set company = 'Lions' where internal_notes is null",
    "update builder.quotes set company = 'Lions' returning old.internal_notes",
    'copy builder.quotes (internal_notes) to stdout',
  ])('cannot be read by a customer: %s', async query => {
    await expect(asCustomer(sql, customer, as => as.unsafe(query))).rejects.toMatchObject(denied);
  });

  it('cannot be returned or set by an insert or an upsert of a customer', async () => {
    const values = `(id, account_id, quote_number, product_id, sport, customization)
      values ('${id}', '${account}', 'QT-2026-00001', '${account}', 'soccer', '{}')`;
    for (const end of [
      'returning internal_notes',
      'on conflict (id) do update set company = quotes.internal_notes',
      "on conflict (id) do update set company = 'x' where quotes.internal_notes is null",
    ]) {
      const query = `insert into builder.quotes ${values} ${end}`;
      await expect(asCustomer(sql, customer, as => as.unsafe(query))).rejects.toMatchObject(denied);
    }
  });

  it('is neither in statistics that a customer sees nor in the details of a refused row', async () => {
    await sql`analyze builder.quotes`;
    expect(
      await asCustomer(sql, customer, as => as`select from pg_stats where schemaname = 'builder'`),
    ).toHaveLength(0);
    const error = await asCustomer(sql, customer, as => update(as, 'quotes', id, { currency: 'x' })).catch(
      error => error,
    );
    expect(error).toMatchObject({ code: '23514' });
    expect(`${error.message} ${error.detail}`).not.toContain('margin');
  });

  it('can be read by staff', async () => {
    const read = asStaff(sql, {}, as => as`select internal_notes from builder.quotes`);
    await expect(read).resolves.toMatchObject([{ internal_notes: 'margin 30%' }]);
  });
});

describe('the columns of quotes that only staff write', () => {
  const staffs = Object.entries(quotes.columns).flatMap(([name, { privileges }]) =>
    privileges.customer.includes('update') || name === 'id' ? [] : [name],
  );

  it('are the prices, what goes with them, and the progress of an order', () => {
    const listed = 'internal_notes unit_price total_price quoted_at quoted_by expires_at fulfillment_status';
    expect(staffs).toEqual(
      expect.arrayContaining([...listed.split(' '), 'estimated_delivery_at', 'deleted_at']),
    );
  });

  it.each(staffs)('refuse a customer in an insert: %s', async name => {
    const row = aQuote(account, { [name]: null });
    await expect(asCustomer(sql, customer, as => insert(as, 'quotes', row))).rejects.toMatchObject(denied);
  });

  it.each(staffs.filter(name => name !== 'deleted_at'))('refuse a customer in an update: %s', async name => {
    await expect(
      asCustomer(sql, customer, as => update(as, 'quotes', id, { [name]: null })),
    ).rejects.toMatchObject(denied);
  });
});

describe('the whole of the schema builder', () => {
  const names = async (query: Promise<readonly Row[]>): Promise<string[]> =>
    (await query).map(({ ['name']: name }) => name);

  it('grants nothing to public', async () => {
    expect(
      await names(sql`
        select 'schema' as name where has_schema_privilege('public', 'builder', 'usage, create')
        union all
        select oid::regprocedure::text from pg_proc
        where pronamespace = 'builder'::regnamespace and has_function_privilege('public', oid, 'execute')
        union all
        select oid::regtype::text from pg_type
        where typnamespace = 'builder'::regnamespace and typtype in ('e', 'd', 'r')
          and has_type_privilege('public', oid, 'usage')
        union all
        select oid::regclass::text from pg_class
        where relnamespace = 'builder'::regnamespace and relkind in ('r', 'v', 'm', 'p', 'f')
          and (has_table_privilege('public', oid, 'select, insert, update, delete, truncate, references, trigger')
            or has_any_column_privilege('public', oid, 'select, insert, update, references'))
        union all
        select oid::regclass::text from pg_class
        where relnamespace = 'builder'::regnamespace
          and case when relkind = 'S' then has_sequence_privilege('public', oid, 'usage, select, update') end`),
    ).toEqual([]);
  });

  it('pins the search path of every function, temporary objects last', async () => {
    expect(
      await names(sql`
        select oid::regprocedure::text as name from pg_proc
        where pronamespace = 'builder'::regnamespace
          and 'search_path=pg_catalog, pg_temp' <> all (coalesce(proconfig, '{}'))`),
    ).toEqual([]);
  });

  it('is not owned by its roles, which own nothing in any database', async () => {
    const owned = await sql`
      select from pg_shdepend join pg_roles on pg_roles.oid = refobjid
      where refclassid = 'pg_authid'::regclass and deptype = 'o' and rolname ~ '^builder_'`;
    expect(owned).toHaveLength(0);
  });
});
