/**
 * Caller × table × command, in SQL alone, on rows of two accounts: how many rows each statement meets, with nothing
 * in its `where`. A dash is a refusal (42501). Of the collections the schema says what is expected, and the other tables
 * are closed but for what is listed.
 */
import { randomUUID } from 'node:crypto';
import postgres, { type Sql, type TransactionSql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Audience, Collection } from '../../schema/collection.ts';
import { collections } from '../../schema/collections.ts';
import { changeOf, isOwned, may, newRow, type Row, sharedRowsOf } from '../setup/collection-rows.ts';
import { useDatabase } from '../setup/database.ts';
import { type Claims, claimsOf, insert } from './roles.ts';

const account = randomUUID();
const stranger = randomUUID();

const commands = ['select', 'update', 'delete', 'own', 'other', 'truncate', 'lock'];

/** Who asks, as which audience (none has no rights at all), and whether as a customer of the account. */
const callers: [caller: string, audience?: Audience, hasAccount?: boolean][] = [
  ['builder_api'],
  ['builder_anon', 'anon'],
  ['builder_customer', 'customer', true],
  ['nobody', 'customer'],
  ['builder_staff', 'staff'],
  ['builder_sweeper'],
];

/** A column of each other table, and a value for it. */
const assignments: Record<string, string> = {
  quote_transitions: "to_status = 'x'",
  quote_numbers: 'last_number = 0',
  idempotency_keys: "fingerprint = 'x'",
  brought_quote_numbers: "quote_number = 'x'",
  changed_quotes: 'quote_id = gen_random_uuid()',
  offers: 'quote_id = gen_random_uuid()',
  changes: "key = 'x'",
  live_collections: "name = 'x'",
  quote_number_offers: 'offered = 0',
  migrations: "name = 'x'",
};

/** What is allowed on tables that are no collections: all else is refused. */
const allowed: Record<string, string> = {
  'builder_customer select quote_transitions': '8',
  'nobody select quote_transitions': '8',
  'builder_staff select quote_transitions': '8',
  'builder_customer select changes': '3',
  'nobody select changes': '1',
  'builder_staff select changes': '7',
};

const ofTables = callers.flatMap(([caller]) =>
  Object.keys(assignments).flatMap(table =>
    commands.map(command => {
      const expected = allowed[`${caller} ${command} ${table}`] ?? '-';
      return { caller, table, command, expected };
    }),
  ),
);

/** Rows of an account and of a stranger in each collection that has accounts, and one of each kind that has none. */
const owners = [account, stranger, stranger];
const rowsOf = (collection: Collection): Row[] => [
  ...(isOwned(collection) ? owners.map(owner => newRow(collection, owner)) : []),
  ...sharedRowsOf(collection).map(({ values }) => newRow(collection, stranger, values)),
];

function expectedOf(collection: Collection, audience?: Audience, hasAccount = false): Record<string, string> {
  const none = Object.fromEntries(commands.map(command => [command, '-']));
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
    isStaff || (collection.deletableBy.includes(audience) && collection.softDelete === undefined);
  const inserts = may(collection, audience, 'insert');
  return {
    ...none,
    ...(may(collection, audience, 'select') && { select: String(isStaff ? all : own + shared) }),
    ...(may(collection, audience, 'update') && { update: String(isStaff ? all : own) }),
    ...(removes && { delete: String(isStaff ? all : own), lock: '0' }),
    ...(inserts && (isStaff || own > 0) && { own: '1' }),
    ...(inserts && isStaff && { other: '1' }),
  };
}

const ofCollections = collections.flatMap(collection =>
  callers.flatMap(([caller, audience, hasAccount]) =>
    Object.entries(expectedOf(collection, audience, hasAccount)).map(([command, expected]) => ({
      caller,
      table: collection.name,
      command,
      expected,
    })),
  ),
);

const statements: Record<string, (table: string) => string> = {
  select: table => `select 1 from builder.${table}`,
  update: table => `update builder.${table} set ${assignments[table] ?? changing(table)}`,
  delete: table => `delete from builder.${table}`,
  own: table => insertion(table, account),
  other: table => insertion(table, stranger),
  truncate: table => `truncate builder.${table}`,
  lock: table => `lock table builder.${table} in access exclusive mode`,
};

const named = (table: string): Collection | undefined => collections.find(({ name }) => name === table);

const asLiteral = (value: unknown): string =>
  `'${(typeof value === 'object' ? JSON.stringify(value) : String(value)).replaceAll("'", "''")}'`;

/** A column that the widest of the callers may change, and a value for it. */
function changing(table: string): string {
  const collection = named(table);
  const [[column, value] = []] = Object.entries(collection ? changeOf(collection) : {});
  return `${column} = ${asLiteral(value)}`;
}

function insertion(table: string, owner: string): string {
  const collection = named(table);
  if (collection === undefined) {
    return `insert into builder.${table} default values`;
  }
  const row = newRow(collection, owner);
  const values = Object.values(row).map(asLiteral).join();
  return `insert into builder.${table} (${Object.keys(row).join()}) values (${values})`;
}

const database = useDatabase();
const logins: Record<'api' | 'sweeper', Sql> = {} as Record<'api' | 'sweeper', Sql>;
beforeAll(async () => {
  const { sql } = database;
  logins.api = postgres(database.apiUrl, { max: 1, onnotice: () => {} });
  logins.sweeper = postgres(database.sweeperUrl, { max: 1, onnotice: () => {} });
  for (const collection of collections) {
    for (const row of rowsOf(collection)) {
      await insert(sql, collection.name, row);
    }
  }
  for (const owner of owners) {
    await sql`insert into builder.idempotency_keys (caller, key, fingerprint) values (${owner}, ${randomUUID()}, 'f')`;
  }
});
afterAll(async () => {
  await Promise.all([logins.api.end(), logins.sweeper.end()]);
});

class Undone extends Error {}

/** How many rows the statement met, as one of the logins, in the role and with the claims of the caller; undone. */
async function count(caller: string, statement: string): Promise<string> {
  const sql = caller === 'builder_sweeper' ? logins.sweeper : logins.api;
  let met = 0;
  const outcome = await sql
    .begin(async transaction => {
      await become(transaction, caller);
      met = (await transaction.unsafe(statement)).count ?? 0;
      throw new Undone();
    })
    .catch(error => (error instanceof Undone ? String(met) : error.code));
  return outcome === '42501' ? '-' : outcome;
}

async function become(transaction: TransactionSql, caller: string): Promise<void> {
  if (caller === 'builder_api' || caller === 'builder_sweeper') {
    return;
  }
  const claims: Claims = caller === 'nobody' ? {} : claimsOf(account);
  await transaction`select
    set_config('role', ${caller === 'nobody' ? 'builder_customer' : caller}, true),
    set_config('request.jwt.claims', ${JSON.stringify(claims)}, true)`;
}

describe('in SQL alone, nobody meeting a customer without an account,', () => {
  it.each([...ofCollections, ...ofTables])('$caller, $table: $command affects $expected', async ({
    caller,
    table,
    command,
    expected,
  }) => {
    expect(await count(caller, statements[command]?.(table) ?? '')).toBe(expected);
  });

  it('the matrix has every table', async () => {
    const tables = await database.sql<{ name: string }[]>`
      select relname as name from pg_class
      where relnamespace = 'builder'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f')`;
    expect(tables.map(({ name }) => name).sort()).toEqual(
      [...collections.map(({ name }) => name), ...Object.keys(assignments)].sort(),
    );
  });
});
