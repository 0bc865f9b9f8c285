/**
 * Callers with SQL as the service's login roles: whose rows they meet by the claims of their tokens, statements that reach for
 * more than rows, and temporary objects that replace others. What a role may do to rows is in matrix.service.test.ts and
 * test/schema/agreement, and that the service refuses such tokens in test/caller/claims.
 */
import { randomUUID } from 'node:crypto';
import postgres, { type Sql } from 'postgres';
import { beforeAll, describe, expect, it } from 'vitest';
import { everyone } from '../../schema/everyone.ts';
import { migrate } from '../../sql/migrate.ts';
import { useDatabase } from '../setup/database.ts';
import { aNotification, aQuote } from '../setup/rows.ts';
import { asCustomer, claimsOf, insert } from './roles.ts';
import { useLogin } from './use-login.ts';

const database = useDatabase();
const api = useLogin(() => database.apiUrl);
const jobs = useLogin(() => database.jobsUrl);
const account = randomUUID();
const stranger = randomUUID();

beforeAll(async () => {
  const { sql } = database;
  // A copied database has its own privileges, which migrate sets again.
  await migrate(sql);
  await insert(sql, 'quotes', aQuote(stranger));
  await insert(sql, 'quotes', aQuote(account, { internal_notes: 'margin 30%' }));
  await insert(sql, 'notifications', aNotification(everyone));
});

/** The ids of the quotes that a customer with these claims reads, or the code of the refusal. */
const quotesOf = (claims: string): Promise<string[] | string> =>
  database.sql
    .begin(async as => {
      await as`select set_config('role', 'builder_customer', true), set_config('request.jwt.claims', ${claims}, true)`;
      // A message to everyone can neither be dismissed for all nor deleted.
      await as`update builder.notifications set dismissed = true`;
      await as`delete from builder.notifications`;
      return (await as<{ id: string }[]>`select id from builder.quotes`).map(({ id }) => id);
    })
    .then(
      ids => ids as string[],
      ({ code }) => code,
    );

it.each<[claims: string, refusal?: string]>([
  [''],
  ['[]'],
  [`{"sub":"${everyone}"}`],
  [`{"app_metadata":{"account_ids":["${everyone}"]}}`],
  [`{"user_metadata":{"account_ids":["${stranger}"]}}`],
  ['{"role":"service_role","app_metadata":{"role":"admin"}}'],
  ['no JSON', '22P02'],
  [`{"sub":"${stranger}' or true --"}`, '22P02'],
  [`{"app_metadata":{"account_ids":"${stranger}"}}`, '22023'],
])('the claims %j give no account', async (claims, refusal) => {
  expect(await quotesOf(claims)).toEqual(refusal ?? []);
  expect(await database.sql`select dismissed from builder.notifications`).toEqual([{ dismissed: false }]);
});

it('the function that compares the offers of a quote tells a customer nothing of another account’s', async () => {
  const priced = aQuote(stranger, { status: 'quoted', unit_price: 1, total_price: 1234 });
  const id = await insert(database.sql, 'quotes', priced);
  const compare = (by: string) =>
    asCustomer(
      database.sql,
      claimsOf(by),
      as =>
        as`select (builder.compare_offers(jsonb_populate_record(null::builder.quotes, ${as.json({ id })}), 1234)).*`,
    );
  const nothing = { is_offered: false, has_other_terms: false, has_other_terms_of_this_total: false };
  expect(await compare(account)).toEqual([nothing]);
  expect(await compare(stranger)).toEqual([
    { ...nothing, has_other_terms: true, has_other_terms_of_this_total: true },
  ]);
});

const refused = { code: '42501' };

const roles = ['builder_api', 'builder_anon', 'builder_customer', 'builder_staff', 'builder_jobs'];

describe.each(roles)('%s', role => {
  /** Each statement by itself, in no transaction, on a connection that has become the role. */
  async function run(statement: string): Promise<unknown> {
    const login = role === 'builder_jobs' ? jobs : api;
    await login.unsafe(['builder_api', 'builder_jobs'].includes(role) ? 'reset role' : `set role ${role}`);
    return await login.unsafe(statement);
  }

  it.each([
    // Creates, alters or drops.
    'create table builder.mine ()',
    'create temp table mine ()',
    'create trigger mine before insert on builder.quotes for each row execute function builder.apply_quote_rules()',
    'alter table builder.graphics disable row level security',
    'create or replace function builder.caller_id() returns uuid return null',
    // Becomes another role, or grants its privileges.
    'set role postgres',
    'grant builder_staff to builder_anon',
    'alter role builder_api bypassrls',
    "set session_replication_role = 'replica'",
    // Reaches the server.
    "copy (select 1) to program 'id'",
    "select pg_read_file('/etc/passwd')",
    'select * from pg_authid',
  ])('cannot do more than read and write rows: %s', async statement => {
    await expect(run(statement)).rejects.toMatchObject(refused);
  });

  it('can execute only the functions that were granted to it', async () => {
    // The null of a subquery, since with a constant one the planner leaves a strict function out, and with it the check.
    const others = await database.sql<{ name: string; call: string }[]>`
      select oid::regprocedure::text as name,
        format('select builder.%I(%s)', proname,
          (select string_agg(format('(select null::%s)', type::regtype), ', ') from unnest(proargtypes) type)) as call
      from pg_proc where pronamespace = 'builder'::regnamespace and prorettype <> 'trigger'::regtype
        and not has_function_privilege(${role}, oid, 'execute')`;
    expect(others).not.toHaveLength(0);
    for (const { name, call } of others) {
      await expect(run(call), name).rejects.toMatchObject(refused);
    }
  });
});

it('no login can become a role of the other', async () => {
  for (const role of ['api', 'anon', 'customer', 'staff', 'reader', 'live']) {
    await expect(jobs.unsafe(`set role builder_${role}`), role).rejects.toMatchObject(refused);
  }
  for (const role of ['jobs', 'sweeper', 'deliverer']) {
    await expect(api.unsafe(`set role builder_${role}`), role).rejects.toMatchObject(refused);
  }
});

describe('a customer with temporary objects, which a shared database grants,', () => {
  // Each attack needs a connection that has compiled nothing yet.
  const attack = async <T>(work: (as: Sql) => Promise<T>): Promise<T> => {
    const { sql } = database;
    await sql.unsafe(
      "do $$ begin execute format('grant temporary on database %I to public', current_database()); end $$",
    );
    const connection = postgres(database.apiUrl, { max: 1, onnotice: () => {} });
    try {
      await connection`select set_config('role', 'builder_customer', false),
        set_config('request.jwt.claims', ${JSON.stringify(claimsOf(account))}, false)`;
      await connection`set search_path = pg_temp, pg_catalog`;
      return await work(connection);
    } finally {
      await connection.end();
      await migrate(sql);
    }
  };
  const trap = `
    create function pg_temp.trap(value anyelement) returns boolean language plpgsql
      as $$ begin raise exception 'trapped %', current_user; end $$`;

  const types = ['text', 'jsonb', 'uuid'];

  it.each(types)('cannot replace the type %s in a security definer function', async type => {
    await attack(async as => {
      await as.unsafe(trap);
      await as.unsafe(`create domain pg_temp.${type} as pg_catalog.${type} check (pg_temp.trap(value))`);
      const key = randomUUID();
      expect(await as`select builder.claim_key(${key}, 'f') as known`).toEqual([{ known: null }]);
      await as`select builder.save_response(${key}, '{"kept": true, "body": ""}', '{}')`;
      expect(await as`select builder.claim_key(${key}, 'f') as known`).toEqual([
        { known: { kept: true, body: '' } },
      ]);
      expect(await as`select builder.next_quote_number() as number`).toHaveLength(1);
    });
  });

  it('cannot open a closed column with a type of its own', async () => {
    const id = await insert(database.sql, 'quotes', aQuote(account, { status: 'submitted' }));
    await attack(async as => {
      await as`select builder.account_ids()`;
      // Of everything that differs, a domain over "char" would keep the first byte.
      await as.unsafe('create domain pg_temp.jsonb as pg_catalog."char"');
      const update = as`update builder.quotes set sport = 'golf' where id = ${id}`;
      await expect(update).rejects.toMatchObject(refused);
    });
  });
});
