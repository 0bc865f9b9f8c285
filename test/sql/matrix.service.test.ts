/**
 * Caller × table × command, in SQL alone, on rows of two accounts: how many rows each statement meets, with nothing
 * in its `where`. A dash is a refusal (42501).
 */
import { randomUUID } from 'node:crypto';
import postgres, { type Sql, type TransactionSql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from '../setup/database.ts';
import { aGraphic, aNotification, aQuote, type Claims, claimsOf, everyone, insert } from './roles.ts';

const account = randomUUID();
const stranger = randomUUID();

/** Of the account 1 quote, 1 notification; of the stranger 2 each; 1 system notification; 1 graphic of 2 is active. */
const matrix = `
                                select  update  delete  own  other  truncate  lock
builder_api       quotes             -       -       -    -      -         -     -
builder_api       graphics           -       -       -    -      -         -     -
builder_api       notifications      -       -       -    -      -         -     -
builder_api       quote_transitions  -       -       -    -      -         -     -
builder_api       quote_numbers      -       -       -    -      -         -     -
builder_api       idempotency_keys   -       -       -    -      -         -     -
builder_api       migrations         -       -       -    -      -         -     -
builder_anon      quotes             -       -       -    -      -         -     -
builder_anon      graphics           1       -       -    -      -         -     -
builder_anon      notifications      -       -       -    -      -         -     -
builder_anon      quote_transitions  -       -       -    -      -         -     -
builder_anon      quote_numbers      -       -       -    -      -         -     -
builder_anon      idempotency_keys   -       -       -    -      -         -     -
builder_anon      brought_quote_numbers -       -       -    -      -         -     -
builder_anon      changed_quotes     -       -       -    -      -         -     -
builder_anon      quote_number_offers -       -       -    -      -         -     -
builder_anon      migrations         -       -       -    -      -         -     -
builder_customer  quotes             1       1       -    1      -         -     -
builder_customer  graphics           1       -       -    -      -         -     -
builder_customer  notifications      2       1       1    -      -         -     0
builder_customer  quote_transitions  8       -       -    -      -         -     -
builder_customer  quote_numbers      -       -       -    -      -         -     -
builder_customer  idempotency_keys   -       -       -    -      -         -     -
builder_customer  brought_quote_numbers -       -       -    -      -         -     -
builder_customer  changed_quotes     -       -       -    -      -         -     -
builder_customer  quote_number_offers -       -       -    -      -         -     -
builder_customer  migrations         -       -       -    -      -         -     -
nobody            quotes             0       0       -    -      -         -     -
nobody            graphics           1       -       -    -      -         -     -
nobody            notifications      1       0       0    -      -         -     0
nobody            idempotency_keys   -       -       -    -      -         -     -
builder_staff     quotes             3       3       3    1      1         -     0
builder_staff     graphics           2       2       2    1      1         -     0
builder_staff     notifications      4       4       4    1      1         -     0
builder_staff     quote_transitions  8       -       -    -      -         -     -
builder_staff     quote_numbers      -       -       -    -      -         -     -
builder_staff     idempotency_keys   -       -       -    -      -         -     -
builder_staff     brought_quote_numbers -       -       -    -      -         -     -
builder_staff     changed_quotes     -       -       -    -      -         -     -
builder_staff     quote_number_offers -       -       -    -      -         -     -
builder_staff     migrations         -       -       -    -      -         -     -
builder_sweeper   quotes             -       -       -    -      -         -     -
builder_sweeper   graphics           -       -       -    -      -         -     -
builder_sweeper   notifications      -       -       -    -      -         -     -
builder_sweeper   quote_transitions  -       -       -    -      -         -     -
builder_sweeper   quote_numbers      -       -       -    -      -         -     -
builder_sweeper   idempotency_keys   -       -       -    -      -         -     -
builder_sweeper   brought_quote_numbers -       -       -    -      -         -     -
builder_sweeper   changed_quotes     -       -       -    -      -         -     -
builder_sweeper   quote_number_offers -       -       -    -      -         -     -
builder_sweeper   migrations         -       -       -    -      -         -     -
`;

const [heading = '', ...lines] = matrix.trim().split('\n');
const commands = heading.trim().split(/ +/);
const cells = lines.flatMap(line => {
  const [caller = '', table = '', ...expected] = line.split(/ +/);
  return commands.map((command, index) => ({ caller, table, command, expected: expected[index] }));
});

/** A column that the widest of the callers may change, and a value for it. */
const assignments: Record<string, string> = {
  quotes: "company = 'x'",
  graphics: "name = 'x'",
  notifications: 'dismissed = true',
  quote_transitions: "to_status = 'x'",
  quote_numbers: 'last_number = 0',
  idempotency_keys: "fingerprint = 'x'",
  brought_quote_numbers: "quote_number = 'x'",
  changed_quotes: 'quote_id = gen_random_uuid()',
  quote_number_offers: 'offered = 0',
  migrations: "name = 'x'",
};

const statements: Record<string, (table: string) => string> = {
  select: table => `select 1 from builder.${table}`,
  update: table => `update builder.${table} set ${assignments[table]}`,
  delete: table => `delete from builder.${table}`,
  own: table => insertion(table, account),
  other: table => insertion(table, stranger),
  truncate: table => `truncate builder.${table}`,
  lock: table => `lock table builder.${table} in access exclusive mode`,
};

function insertion(table: string, owner: string): string {
  const values: Record<string, string> = {
    quotes: `(account_id, quote_number, product_id, sport, customization)
      values ('${owner}', 'QT-2026-00009', '${owner}', 'x', '{}')`,
    graphics: "(name, code, file_url, file_format) values ('x', 'X', 'https://x.test', 'svg')",
    notifications: `(account_id, body, dismissed) values ('${owner}', 'x', false)`,
  };
  return `insert into builder.${table} ${values[table] ?? 'default values'}`;
}

let database: TestDatabase;
const logins: Record<'api' | 'sweeper', Sql> = {} as Record<'api' | 'sweeper', Sql>;
beforeAll(async () => {
  database = await createDatabase();
  const { sql } = database;
  logins.api = postgres(database.apiUrl, { max: 1, onnotice: () => {} });
  logins.sweeper = postgres(database.sweeperUrl, { max: 1, onnotice: () => {} });
  for (const owner of [account, stranger, stranger]) {
    await insert(sql, 'quotes', aQuote(owner));
    await insert(sql, 'notifications', aNotification(owner));
    await sql`insert into builder.idempotency_keys (caller, key, fingerprint) values (${owner}, ${randomUUID()}, 'f')`;
  }
  await insert(sql, 'notifications', aNotification(everyone));
  await insert(sql, 'graphics', aGraphic());
  await insert(sql, 'graphics', aGraphic({ is_active: false }));
});
afterAll(async () => {
  await Promise.all([logins.api.end(), logins.sweeper.end()]);
  await database.drop();
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
  it.each(cells)('$caller, $table: $command affects $expected', async ({
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
    expect(tables.map(({ name }) => name).sort()).toEqual(Object.keys(assignments).sort());
  });
});
