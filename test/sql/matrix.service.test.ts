/**
 * Caller × table × command, in SQL alone, on rows of two accounts: how many rows each statement meets, with nothing
 * in its `where`. A dash is a refusal (42501). Of the collections the schema says what is expected, and the other tables are
 * closed, but for four.
 */
import { randomUUID } from 'node:crypto';
import type { TransactionSql } from 'postgres';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Audience, type Collection, readsAllRows } from '../../schema/collection.ts';
import { collections } from '../../schema/collections.ts';
import { everyone } from '../../schema/everyone.ts';
import { changeOf, isOwned, may, newRow, type Row, sharedRowsOf } from '../setup/collection-rows.ts';
import { useDatabase } from '../setup/database.ts';
import { claimsOf, insert } from './roles.ts';
import { useLogin } from './use-login.ts';

const account = randomUUID();
const stranger = randomUUID();

/** Rows of an account and of a stranger in each collection that has accounts, and one of each kind that has none. */
const owners = [account, stranger, stranger];
const rowsOf = (collection: Collection): Row[] => [
  ...(isOwned(collection) ? owners.map(owner => newRow(collection, owner)) : []),
  ...sharedRowsOf(collection).map(({ values }) => newRow(collection, stranger, values)),
];

/** Who asks, as which audience (none has no rights at all), and whether as a customer of the account. */
const callers: [caller: string, audience?: Audience, hasAccount?: boolean][] = [
  ['builder_api'],
  ['builder_anon', 'anon'],
  ['builder_customer', 'customer', true],
  ['builder_customer without an account', 'customer'],
  ['builder_staff', 'staff'],
  ['builder_reader', 'reader'],
  ['builder_jobs'],
];

function expectedOf(collection: Collection, audience?: Audience, hasAccount = false): Record<string, string> {
  const none = Object.fromEntries(Object.keys(statementsOf(collection)).map(command => [command, '-']));
  if (audience === undefined) {
    return none;
  }
  const all = rowsOf(collection).length;
  const own = hasAccount && isOwned(collection) ? 1 : 0;
  const isStaff = audience === 'staff';
  const shared = sharedRowsOf(collection).filter(
    ({ readBy }) => !isStaff && readBy.includes(audience),
  ).length;
  // A customer's DELETE that only marks is no DELETE in SQL.
  const removes =
    collection.deletableBy.includes(audience) && (isStaff || collection.softDelete === undefined);
  const inserts = may(collection, audience, 'insert');
  return {
    ...none,
    ...(may(collection, audience, 'select') && {
      select: String(readsAllRows(audience) ? all : own + shared),
    }),
    ...(may(collection, audience, 'update') && { update: String(isStaff ? all : own) }),
    ...(removes && { delete: String(isStaff ? all : own), lock: '0' }),
    ...(inserts && (isStaff || own > 0) && { own: '1' }),
    ...(inserts && isStaff && { other: '1' }),
  };
}

const ofCollections = collections.flatMap(collection =>
  callers.flatMap(([caller, audience, hasAccount]) =>
    Object.entries(expectedOf(collection, audience, hasAccount)).map(([command, expected]) => {
      const outcome = expected === '-' ? 'is refused' : `affects ${expected} rows`;
      return {
        title: `${command} on ${collection.name} by ${caller} ${outcome}`,
        caller,
        collection,
        command,
        expected,
      };
    }),
  ),
);

/** The view that customers read and update in place of notifications. */
const view = 'notifications_of_customer';

/** The rows that a command meets of a table that is no collection: there is little but reading. */
function metOf(table: string, command: string, all: string, audience?: Audience, hasAccount = false): string {
  if (audience === 'customer' && table === 'dismissals') {
    return ['select', 'delete', 'lock'].includes(command) ? '0' : '-';
  }
  if (audience === 'customer' && table === view) {
    // Who has no id dismisses nothing.
    return String(hasAccount ? 2 : command === 'select' ? 1 : 0);
  }
  if ((audience !== 'customer' && audience !== 'staff') || command !== 'select') {
    return '-';
  }
  if (table === 'changes') {
    const accounts = [everyone, ...(hasAccount ? [account] : [])];
    const told = collections.filter(({ live }) => live).flatMap(rowsOf);
    const own = told.filter(row => accounts.includes(String(row['account_id'])));
    return String((audience === 'staff' ? told : own).length);
  }
  return table === 'quote_transitions' ? all : '-';
}

function asLiteral(value: unknown): string {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return `'${text.replaceAll("'", "''")}'`;
}

/** Changes a column that the widest of the callers may change. */
function change(collection: Collection): string {
  const [[column, value] = []] = Object.entries(changeOf(collection));
  return `update builder.${collection.name} set ${column} = ${asLiteral(value)}`;
}

function insertion(collection: Collection, owner: string): string {
  const row = newRow(collection, owner);
  const values = Object.values(row).map(asLiteral).join();
  return `insert into builder.${collection.name} (${Object.keys(row).join()}) values (${values})`;
}

/** What can be done with any table. */
function plain(table: string): Record<string, string> {
  return {
    select: `select 1 from builder.${table}`,
    delete: `delete from builder.${table}`,
    truncate: `truncate builder.${table}`,
    lock: `lock table builder.${table} in access exclusive mode`,
  };
}

function statementsOf(collection: Collection): Record<string, string> {
  return {
    ...plain(collection.name),
    update: change(collection),
    own: insertion(collection, account),
    other: insertion(collection, stranger),
  };
}

const database = useDatabase();
const api = useLogin(() => database.apiUrl);
const jobs = useLogin(() => database.jobsUrl);
beforeAll(async () => {
  const { sql } = database;
  const quotes: string[] = [];
  for (const collection of collections) {
    for (const [index, row] of rowsOf(collection).entries()) {
      const id = await insert(sql, collection.name, {
        ...row,
        ...('quote_id' in row && { quote_id: quotes[index] }),
      });
      quotes.push(id);
    }
  }
  for (const owner of owners) {
    await sql`insert into builder.idempotency_keys (caller, key, fingerprint) values (${owner}, ${randomUUID()}, 'f')`;
  }
});

class Undone extends Error {}

/** How many rows the statement met, as one of the logins, in the role and with the claims of the caller; undone. */
async function count(caller: string, statement: string): Promise<string> {
  let met = 0;
  const outcome = await (caller === 'builder_jobs' ? jobs : api)
    .begin(async transaction => {
      await become(transaction, caller);
      met = (await transaction.unsafe(statement)).count ?? 0;
      throw new Undone();
    })
    .catch(error => (error instanceof Undone ? String(met) : error.code));
  return outcome === '42501' ? '-' : outcome;
}

async function become(transaction: TransactionSql, caller: string): Promise<void> {
  if (caller === 'builder_api' || caller === 'builder_jobs') {
    return;
  }
  const [role, claims] =
    caller === 'builder_customer without an account' ? ['builder_customer', {}] : [caller, claimsOf(account)];
  await transaction`
    select set_config('role', ${role}, true), set_config('request.jwt.claims', ${JSON.stringify(claims)}, true)`;
}

describe('in SQL without the service', () => {
  it.each(ofCollections)('$title', async given => {
    const { caller, collection, command, expected } = given;
    expect(await count(caller, statementsOf(collection)[command] ?? '')).toBe(expected);
  });

  it.each(
    callers,
  )('%s meets no row of a table that is no collection, but for the moves of a quote and what live updates tell it', async (caller, audience, hasAccount) => {
    const tables = await database.sql<{ name: string; column: string }[]>`
      select relname as name, attname as column from pg_class join pg_attribute on attrelid = pg_class.oid and attnum = 1
      where relnamespace = 'builder'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f')
        and relname <> all (${collections.map(({ name }) => name)})`;
    expect(tables.map(({ name }) => name)).toContain('idempotency_keys');
    for (const { name, column } of tables) {
      const statements =
        name === view
          ? { select: `select 1 from builder.${view}`, update: `update builder.${view} set dismissed = true` }
          : {
              ...plain(name),
              update: `update builder.${name} set ${column} = default`,
              insert: `insert into builder.${name} default values`,
            };
      const [{ all = '' } = {}] =
        await database.sql`select count(*)::text as all from builder.${database.sql(name)}`;
      for (const [command, statement] of Object.entries(statements)) {
        const expected = metOf(name, command, all, audience, hasAccount);
        expect([name, command, await count(caller, statement)]).toEqual([name, command, expected]);
      }
    }
  });
});
