/**
 * Callers with SQL as the service's login roles: statements that reach for more than rows, and temporary objects that
 * replace others. What a role may do to rows is in matrix.service.test.ts.
 */
import { randomUUID } from 'node:crypto';
import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../../sql/migrate.ts';
import { useDatabase } from '../setup/database.ts';
import { aQuote } from '../setup/rows.ts';
import { claimsOf, insert } from './roles.ts';

const database = useDatabase();
let sql: Sql;
let api: Sql;
let sweeper: Sql;
const account = randomUUID();
beforeAll(async () => {
  sql = database.sql;
  // A copied database has its own privileges, which migrate sets again.
  await migrate(sql);
  api = postgres(database.apiUrl, { max: 1, onnotice: () => {} });
  sweeper = postgres(database.sweeperUrl, { max: 1, onnotice: () => {} });
});
afterAll(async () => {
  await Promise.all([api.end(), sweeper.end()]);
});

const refused = { code: '42501' };

describe.each([
  'builder_api',
  'builder_anon',
  'builder_customer',
  'builder_staff',
  'builder_sweeper',
])('%s', role => {
  /** Each statement by itself, in no transaction, on a connection that has become the role. */
  async function run(statement: string): Promise<unknown> {
    const login = role === 'builder_sweeper' ? sweeper : api;
    await login.unsafe(
      role === 'builder_api' || role === 'builder_sweeper' ? 'reset role' : `set role ${role}`,
    );
    return await login.unsafe(statement);
  }

  it.each([
    // Creates, alters or drops.
    'create table builder.mine ()',
    'create temp table mine ()',
    'create trigger mine before insert on builder.quotes for each row execute function builder.rule_quote()',
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
    const others = await sql<{ name: string; call: string }[]>`
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

describe('a customer with temporary objects, which a shared database grants,', () => {
  // Each attack needs a connection that has compiled nothing yet.
  const attack = async <T>(work: (as: Sql) => Promise<T>): Promise<T> => {
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

  it.each([
    'text',
    'jsonb',
    'uuid',
  ])('cannot replace the type %s in a security definer function', async type => {
    await attack(async as => {
      await as.unsafe(trap);
      await as.unsafe(`create domain pg_temp.${type} as pg_catalog.${type} check (pg_temp.trap(value))`);
      const key = randomUUID();
      expect(await as`select builder.claim_key(${key}, 'f') as known`).toEqual([{ known: null }]);
      await as`select builder.keep_answer(${key}, '{"kept": true, "body": ""}', '{}')`;
      expect(await as`select builder.claim_key(${key}, 'f') as known`).toEqual([
        { known: { kept: true, body: '' } },
      ]);
      expect(await as`select builder.next_quote_number() as number`).toHaveLength(1);
    });
  });

  it('cannot open a closed column with a type of its own', async () => {
    const id = await insert(sql, 'quotes', aQuote(account, { status: 'submitted' }));
    await attack(async as => {
      await as`select builder.account_ids()`;
      // Of everything that differs, a domain over "char" would keep the first byte.
      await as.unsafe('create domain pg_temp.jsonb as pg_catalog."char"');
      await expect(as`update builder.quotes set sport = 'golf' where id = ${id}`).rejects.toMatchObject(
        refused,
      );
    });
  });
});
