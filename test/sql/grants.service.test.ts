/** What the database refuses by itself, with the service's plan bypassed. */
import { randomUUID } from 'node:crypto';
import postgres, { type Row, type Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collections } from '../../schema/collections.ts';
import { quotes } from '../../schema/quotes.ts';
import { createDatabase, type TestDatabase } from '../setup/database.ts';
import { aQuote, asAnon, asCustomer, asStaff, claimsOf, insert, update } from './roles.ts';

let database: TestDatabase;
let sql: Sql;
let api: Sql;
let sweeper: Sql;
let id: string;
const account = randomUUID();
const customer = claimsOf(account);
beforeAll(async () => {
  database = await createDatabase();
  sql = database.sql;
  api = postgres(database.apiUrl, { max: 1, onnotice: () => {} });
  sweeper = postgres(database.sweeperUrl, { max: 1, onnotice: () => {} });
  id = await insert(sql, 'quotes', aQuote(account, { internal_notes: 'margin 30%' }));
});
afterAll(async () => {
  await api.end();
  await sweeper.end();
  await database.drop();
});

const denied = { code: '42501', message: expect.stringMatching(/^permission denied/) };
const tables = collections.map(({ name }) => name);
const roles = ['builder_anon', 'builder_customer', 'builder_staff', 'builder_api', 'builder_sweeper'];

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
  ])('is kept from a customer: %s', async query => {
    await expect(asCustomer(sql, customer, as => as.unsafe(query))).rejects.toMatchObject(denied);
  });

  it('is kept from a customer in what an insert and an upsert give back or set', async () => {
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

  it("is in no statistics a customer sees, nor in a refused row's description", async () => {
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

  it('is for staff', async () => {
    const read = asStaff(sql, {}, as => as`select internal_notes from builder.quotes`);
    await expect(read).resolves.toMatchObject([{ internal_notes: 'margin 30%' }]);
  });
});

describe('what only staff write on quotes', () => {
  const staffs = Object.entries(quotes.columns).flatMap(([name, { privileges }]) =>
    privileges.customer.includes('update') ? [] : [name],
  );

  it('is what DESIGN lists', () => {
    const design = 'internal_notes unit_price total_price quoted_at quoted_by expires_at fulfillment_status';
    expect(staffs.sort()).toEqual([...design.split(' '), 'estimated_delivery_at', 'deleted_at'].sort());
  });

  it.each(staffs)('%s is refused to a customer in an insert', async name => {
    const row = aQuote(account, { [name]: null });
    await expect(asCustomer(sql, customer, as => insert(as, 'quotes', row))).rejects.toMatchObject(denied);
  });

  it.each(
    staffs.filter(name => name !== 'deleted_at'),
  )('%s is refused to a customer in an update', async name => {
    await expect(
      asCustomer(sql, customer, as => update(as, 'quotes', id, { [name]: null })),
    ).rejects.toMatchObject(denied);
  });
});

describe('an anonymous caller', () => {
  it.each([
    'select id from builder.quotes',
    'select count(*) from builder.quotes',
    'update builder.quotes set company = null',
    'select id from builder.notifications',
    'delete from builder.notifications',
    'delete from builder.graphics',
    "insert into builder.graphics (name, code, file_url, file_format) values ('a', 'A', 'a', 'svg')",
    'select from builder.quote_transitions',
    'select from builder.migrations',
  ])('is refused: %s', async query => {
    await expect(asAnon(sql, {}, as => as.unsafe(query))).rejects.toMatchObject(denied);
  });
});

describe('builder_api, as which the service logs in', () => {
  it.each([
    ...tables,
    'quote_transitions',
    'quote_numbers',
    'idempotency_keys',
    'migrations',
  ])('reads nothing of %s by itself', async table => {
    await expect(api`select from builder.${api(table)}`).rejects.toMatchObject(denied);
  });

  it('calls nothing by itself', async () => {
    await expect(api`select builder.account_ids()`).rejects.toMatchObject(denied);
    await expect(api`select builder.expire_quotes(1)`).rejects.toMatchObject(denied);
  });

  it.each(['builder_sweeper', 'postgres', 'pg_read_all_data'])('cannot become %s', async role => {
    await expect(api`select set_config('role', ${role}, true)`).rejects.toMatchObject(denied);
  });

  it.each([
    'builder_anon',
    'builder_customer',
    'builder_staff',
  ])('becomes %s, which can neither make nor sweep', async role => {
    const as = (query: string) =>
      api.begin(async transaction => {
        await transaction`select set_config('role', ${role}, true)`;
        await transaction.unsafe(query);
      });
    await expect(as('select from builder.graphics')).resolves.toBeUndefined();
    for (const query of [
      'create table builder.mine ()',
      'create table public.mine ()',
      'create function builder.mine() returns int language sql return 1',
      'truncate builder.graphics',
      'alter table builder.quotes disable row level security',
      'alter table builder.quotes disable trigger rules',
      'select builder.expire_quotes(1)',
      'select builder.prune_notifications(1)',
      'select builder.prune_idempotency_keys(1)',
      'select from builder.idempotency_keys',
      'select builder.key_owner()',
      "insert into builder.quote_transitions values ('ordered', 'draft')",
      'select from builder.migrations',
    ]) {
      await expect(as(query), query).rejects.toMatchObject({ code: '42501' });
    }
    await expect(as("set session_replication_role = 'replica'")).rejects.toMatchObject(denied);
  });
});

describe('builder_sweeper', () => {
  it('runs the three sweeps', async () => {
    const [swept] = await sweeper`
      select builder.expire_quotes(1) as expired, builder.prune_notifications(1) as pruned,
        builder.prune_idempotency_keys(1) as forgotten`;
    expect(swept).toEqual({ expired: 0, pruned: 0, forgotten: 0 });
  });

  it('runs no other function of ours, and touches no table', async () => {
    const others = await sql<{ name: string }[]>`
      select oid::regprocedure::text as name from pg_proc
      where pronamespace = 'builder'::regnamespace and has_function_privilege('builder_sweeper', oid, 'execute')`;
    expect(others.map(({ name }) => name).sort()).toEqual([
      'builder.expire_quotes(integer)',
      'builder.prune_idempotency_keys(integer)',
      'builder.prune_notifications(integer)',
    ]);
    for (const table of [...tables, 'quote_transitions', 'quote_numbers', 'idempotency_keys', 'migrations']) {
      await expect(sweeper`select from builder.${sweeper(table)}`).rejects.toMatchObject(denied);
      await expect(sweeper`delete from builder.${sweeper(table)}`).rejects.toMatchObject(denied);
    }
  });

  it.each(['builder_staff', 'builder_customer', 'postgres'])('cannot become %s', async role => {
    await expect(sweeper`select set_config('role', ${role}, true)`).rejects.toMatchObject(denied);
  });
});

describe('the whole of the schema builder', () => {
  const names = async (query: Promise<readonly Row[]>): Promise<string[]> =>
    (await query).map(({ ['name']: name }) => name);

  it('gives public nothing', async () => {
    expect(
      await names(sql`
        select 'schema' as name where has_schema_privilege('public', 'builder', 'usage, create')
        union all
        select oid::regprocedure::text from pg_proc
        where pronamespace = 'builder'::regnamespace and has_function_privilege('public', oid, 'execute')
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

  it('pins search_path on every function', async () => {
    expect(
      await names(sql`
        select oid::regprocedure::text as name from pg_proc
        where pronamespace = 'builder'::regnamespace and 'search_path=""' <> all (coalesce(proconfig, '{}'))`),
    ).toEqual([]);
  });

  it("runs with its owner's rights only the sweeps, the next quote number, the step over a supplied id and the records of keys", async () => {
    const definers = sql`
      select proname as name from pg_proc where pronamespace = 'builder'::regnamespace and prosecdef order by 1`;
    expect(await names(definers)).toEqual([
      'claim_key',
      'expire_quotes',
      'keep_answer',
      'next_quote_number',
      'prune_idempotency_keys',
      'prune_notifications',
      'step_over_supplied_notification_id',
    ]);
  });

  it('has row level security on every table a role can touch, but for the moves, which are no account data', async () => {
    expect(
      await names(sql`
        select distinct relname as name from pg_class, unnest(${roles}::text[]) role
        where relnamespace = 'builder'::regnamespace and relkind in ('r', 'v', 'm', 'p', 'f') and not relrowsecurity
          and (has_any_column_privilege(role, pg_class.oid, 'select, insert, update')
            or has_table_privilege(role, pg_class.oid, 'delete, truncate'))`),
    ).toEqual(['quote_transitions']);
  });

  it('grants no hidden column but two of quotes: xmin is the version of a row, and by xmax an upsert tells what is new', async () => {
    expect(
      await names(sql`
        select attrelid::regclass || '.' || attname as name from pg_attribute join pg_class on pg_class.oid = attrelid
        where relnamespace = 'builder'::regnamespace and attnum < 0 and attacl is not null order by attnum desc`),
    ).toEqual(['builder.quotes.xmin', 'builder.quotes.xmax']);
  });
});

describe('the roles', () => {
  it('are no superusers, bypass no row level security and make no roles, databases or replicas', async () => {
    const found = await sql`
      select rolname as role, rolcanlogin as logs_in,
        rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication or rolinherit as mighty
      from pg_roles where rolname like 'builder\\_%' order by 1`;
    const logins = ['builder_api', 'builder_sweeper'];
    expect([...found]).toEqual(
      [...roles].sort().map(role => ({ role, logs_in: logins.includes(role), mighty: false })),
    );
  });

  it('own nothing, in any database', async () => {
    const owned = await sql`
      select from pg_shdepend where refclassid = 'pg_authid'::regclass and deptype = 'o'
        and refobjid in (select oid from pg_roles where rolname = any (${roles}))`;
    expect(owned).toHaveLength(0);
  });

  it('are members of nothing, but builder_api of the three, without inheriting or giving on', async () => {
    const memberships = await sql`
      select member::regrole::text as member, roleid::regrole::text as role, admin_option, inherit_option
      from pg_auth_members where member::regrole::text = any (${roles}) order by 2`;
    const three = ['builder_anon', 'builder_customer', 'builder_staff'];
    expect([...memberships]).toEqual(
      three.map(role => ({ member: 'builder_api', role, admin_option: false, inherit_option: false })),
    );
  });
});
