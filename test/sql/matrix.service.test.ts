/**
 * Caller × table × command, in SQL alone, on rows of two accounts: how many rows each statement meets, with nothing in its `where`.
 * A dash is a refusal (42501). Of the collections the schema says what is expected; the other tables are closed, but for four.
 */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Audience, type Collection, readsAllRows } from '../../schema/collection.ts';
import { collections } from '../../schema/collections.ts';
import { everyone } from '../../schema/everyone.ts';
import { changeOf, isOwned, may, newRow, type Row, sharedRowsOf } from '../setup/collection-rows.ts';
import { useDatabase } from '../setup/database.ts';
import { claimsOf, insert } from './roles.ts';
import { useLogin } from './use-login.ts';

const [account, stranger] = [randomUUID(), randomUUID()];

/** Rows of an account and of a stranger in each collection that has accounts, and one of each kind that has none. */
const rowsOf = (collection: Collection): Row[] => [
  ...(isOwned(collection) ? [account, stranger, stranger].map(owner => newRow(collection, owner)) : []),
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
  const isStaff = audience === 'staff';
  const all = rowsOf(collection).length;
  const own = hasAccount && isOwned(collection) ? 1 : 0;
  const shared = sharedRowsOf(collection).filter(({ readBy }) => !isStaff && readBy.includes(audience));
  const meets = String(isStaff ? all : own);
  // A DELETE that only marks is no DELETE in SQL; staff may remove what a mark hides.
  const { softDelete, showsDeleted, deletableBy } = collection;
  const removes = deletableBy.includes(audience) && !showsDeleted && (isStaff || !softDelete);
  const inserts = may(collection, audience, 'insert');
  const reads = String(readsAllRows(audience) ? all : own + shared.length);
  return {
    ...none,
    ...(may(collection, audience, 'select') && { select: reads }),
    ...(may(collection, audience, 'update') && { update: meets }),
    ...(removes && { delete: meets, lock: '0' }),
    ...(inserts && (isStaff || own > 0) && { own: '1' }),
    ...(inserts && isStaff && { other: '1' }),
  };
}

/** What can be done with any table. */
const plain = (table: string): Record<string, string> => ({
  select: `select 1 from builder.${table}`,
  delete: `delete from builder.${table}`,
  truncate: `truncate builder.${table}`,
  lock: `lock table builder.${table} in access exclusive mode`,
});

function statementsOf(collection: Collection): Record<string, string> {
  const { name } = collection;
  const populated = (row: Row) =>
    `json_populate_record(null::builder.${name}, '${JSON.stringify(row).replaceAll("'", "''")}')`;
  const insertion = (owner: string) => {
    const row = newRow(collection, owner);
    const columns = Object.keys(row).join();
    return `insert into builder.${name} (${columns}) select ${columns} from ${populated(row)}`;
  };
  const change = changeOf(collection);
  const [column] = Object.keys(change);
  return {
    ...plain(name),
    // Changes a column that the widest of the callers may change.
    update: `update builder.${name} set ${column} = given.${column} from ${populated(change)} given`,
    own: insertion(account),
    other: insertion(stranger),
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
      const ofQuote = 'quote_id' in row && { quote_id: quotes[index] };
      quotes.push(await insert(sql, collection.name, { ...row, ...ofQuote }));
    }
  }
  await sql`insert into builder.idempotency_keys (caller, key, fingerprint) values (${account}, 'key', 'f')`;
});

/** How many rows each statement meets, as one of the logins, in the role and with the claims of the caller; undone. */
async function countsOf(caller: string, statements: Record<string, string>): Promise<Record<string, string>> {
  const login = caller === 'builder_jobs' ? jobs : api;
  const claims = caller.includes('without') ? {} : claimsOf(account);
  const counts: Record<string, string> = {};
  for (const [command, statement] of Object.entries(statements)) {
    const undone = login.begin(async transaction => {
      if (!['builder_api', 'builder_jobs'].includes(caller)) {
        await transaction`select set_config('role', ${caller.split(' ')[0] ?? ''}, true),
          set_config('request.jwt.claims', ${JSON.stringify(claims)}, true)`;
      }
      counts[command] = String((await transaction.unsafe(statement)).count ?? 0);
      throw new Error('undone');
    });
    const code = await undone.catch(error => error.code);
    counts[command] = code === '42501' ? '-' : (code ?? counts[command]);
  }
  return counts;
}

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

describe.each(callers)('in SQL without the service, %s', (caller, audience, hasAccount) => {
  it.each(collections)('meets and inserts only the rows of $name that its role permits', async collection => {
    const expected = expectedOf(collection, audience, hasAccount);
    expect(await countsOf(caller, statementsOf(collection))).toEqual(expected);
  });

  it('meets no row of a table that is no collection, but for the moves of a quote and what live updates tell it', async () => {
    const tables = await database.sql<{ name: string; column: string }[]>`
      select relname as name, attname as column from pg_class join pg_attribute on attrelid = pg_class.oid and attnum = 1
      where relnamespace = 'builder'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f')
        and relname <> all (${collections.map(({ name }) => name)})`;
    expect(tables.map(({ name }) => name)).toContain('idempotency_keys');
    for (const { name, column } of tables) {
      const written = {
        ...plain(name),
        update: `update builder.${name} set ${column} = default`,
        insert: `insert into builder.${name} default values`,
      };
      const ofView = {
        select: plain(name)['select'] ?? '',
        update: `update builder.${view} set dismissed = true`,
      };
      const statements = name === view ? ofView : written;
      const [{ all = '' } = {}] =
        await database.sql`select count(*)::text as all from builder.${database.sql(name)}`;
      const expected = Object.keys(statements).map(command => [
        command,
        metOf(name, command, all, audience, hasAccount),
      ]);
      expect([name, await countsOf(caller, statements)]).toEqual([name, Object.fromEntries(expected)]);
    }
  });
});
