/** What `npm run account` prints and erases of one account tells nothing of another. */
import { randomUUID } from 'node:crypto';
import type { TransactionSql } from 'postgres';
import { beforeAll, expect, it } from 'vitest';
import { runProgram } from '../local/program.ts';
import { useDatabase } from '../setup/database.ts';
import { aGraphic, aNotification, aQuote } from '../setup/rows.ts';
import { asCustomer, claimsOf, insert } from '../sql/roles.ts';

const database = useDatabase();
/** Whose data is asked for. */
const account = randomUUID();
/** Shares a member, an array of staff, a moved quote and an address with it. */
const other = randomUUID();
const staff = randomUUID();
const marker = 'Marker-of-another';
const markedId = 'eeeeeeee-eeee-4eee-8eee-eeeeeeeeeeee';
const staffAddress = 'desk@sales.test';

const run = (...args: string[]) => runProgram('account', args, { DATABASE_URL: database.ownerUrl });
async function print(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

const rows = (table: string, values: object) =>
  database.sql`insert into builder.${database.sql(table)} ${database.sql(values as never)}`;

/** Columns by which a row belongs to an account or is found. */
const bound = /^(id|account_id|user_id|quote_id|notification_id|webhook_id|message_id|caller|kind)$/;
const values: Record<string, unknown> = {
  text: marker,
  'character varying': marker,
  uuid: markedId,
  'uuid[]': [markedId, other],
  jsonb: { marker },
  json: { body: marker },
  numeric: 987654321,
  integer: 987654321,
  'timestamp with time zone': '1999-09-09T09:09:09Z',
  date: '1999-09-09',
};

/** Puts a marker into each column of the rows of a table that name `other`. */
async function mark(sql: TransactionSql, table: string): Promise<void> {
  const columns = await sql<{ name: string; type: string }[]>`
    select attname as name, format_type(atttypid, null) as type from pg_attribute
    where attrelid = ${`builder.${table}`}::regclass and attnum > 0 and not attisdropped`;
  for (const { name, type } of columns) {
    const value = values[type] as never;
    if (value !== undefined && !bound.test(name)) {
      await sql`
        update builder.${sql(table)} t set ${sql(name)} = ${type.startsWith('json') ? sql.json(value) : value}
        where strpos(t::text, ${other}) > 0`;
    }
  }
}

let moved: string;
beforeAll(async () => {
  const { sql } = database;
  const contact = { contact_email: 'shared@team.test', contact_name: 'Ann' };
  await rows('delivery_pace', { staff_address: staffAddress }).catch(
    () => sql`update builder.delivery_pace set staff_address = ${staffAddress}`,
  );
  await rows('webhooks', { url: 'https://hooks.test/', secrets: ['whsec_x'] });
  for (const owner of [account, other]) {
    const id = await insert(sql, 'quotes', aQuote(owner, { ...contact, created_by: owner }));
    await sql.begin(async own => {
      await own`select set_config('role', 'builder_customer', true), set_config('request.jwt.claims', ${JSON.stringify({ sub: owner })}, true)`;
      await own`update builder.quotes set status = 'submitted' where id = ${id}`;
    });
    await sql.begin(async own => {
      await own`select set_config('role', 'builder_staff', true), set_config('request.jwt.claims', ${JSON.stringify({ sub: staff })}, true)`;
      await own`update builder.quotes set status = 'quoted', unit_price = 10, total_price = 100 where id = ${id}`;
    });
    await insert(sql, 'notifications', aNotification(owner, { channel: 'email' }));
    await rows('dismissals', { notification_id: 1, user_id: owner });
    await rows('unsubscribed_accounts', { account_id: owner });
    await rows('customer_quote_numbers', { year: 2026, user_id: owner, taken: 3 });
    await rows('idempotency_keys', {
      ...{ caller: `builder_customer ${owner}`, key: 'own', fingerprint: 'f', accounts: [owner] },
      response: { body: owner },
    });
  }
  await sql`update builder.deliveries set address = ${staffAddress}, recipient = 'd…@sales.test' where kind = 'staff_email'`;
  await rows('refused_addresses', { address: staffAddress, reason: 'full' });
  // A quote that went from the other account to this one: its deliveries are still the other's.
  moved = await insert(sql, 'quotes', aQuote(other, { contact_email: 'shared@team.test' }));
  await insert(sql, 'deliveries', {
    ...{ kind: 'email', account_id: other, quote_id: moved, state: 'dead', due_at: null },
    address: 'shared@team.test',
  });
  await rows('refused_addresses', { address: 'shared@team.test', reason: `${marker}: no such user` });
  await sql`update builder.quotes set account_id = ${account} where id = ${moved}`;
});

it('an export has nothing of any column of another account’s rows', async () => {
  const { sql } = database;
  const tables = await sql<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = 'builder' and tablename not in ('code', 'migrations')`;
  await sql.begin(async own => {
    await own`set local session_replication_role = replica`;
    const checks = await own<{ table: string; name: string }[]>`
      select conrelid::regclass::text as table, conname as name from pg_constraint
      where connamespace = 'builder'::regnamespace and contype = 'c' and coninhcount = 0`;
    for (const { table, name } of checks) {
      await own`alter table ${own(table)} drop constraint ${own(name)}`;
    }
    for (const { name } of tables) {
      await mark(own, name);
    }
  });
  // What both are in: a request of staff, and one of a member of both.
  for (const caller of [`builder_staff ${staff}`, `builder_customer ${other}`]) {
    await rows('idempotency_keys', {
      ...{ caller, key: `shared ${marker}`, fingerprint: marker, accounts: [account, other] },
      response: { body: `${account} ${marker}` },
    });
  }
  const marked = await sql`select from builder.quotes where contact_name = ${marker}`;
  expect(marked.length).toBeGreaterThan(0);
  const printed = await print('export', account);
  for (const secret of [marker, markedId, other, '987654321', '1999-09-09', staffAddress, staff]) {
    expect({ secret, found: printed.includes(secret) }).toEqual({ secret, found: false });
  }
  expect(JSON.parse(printed).quotes.map(({ id }: { id: string }) => id)).toContain(moved);
});

it('an export lists, without content, where a person who works in a team is named: as creator, staff and contact', async () => {
  const { sql } = database;
  const [person, team] = [randomUUID(), randomUUID()];
  const email = `${person}@team.test`;
  const graphic = await insert(sql, 'graphics', aGraphic({ created_by: person }));
  const id = await insert(sql, 'quotes', {
    ...aQuote(team, { contact_email: email.toUpperCase(), contact_name: 'Kim', quoted_by: person }),
    ...{ created_by: person, status: 'submitted' },
  });
  const [event] = await sql`
    update builder.quote_events set created_by = ${person}, staff_id = ${person} where quote_id = ${id} returning id::text`;
  const exported = await print('export', person, '--email', email);
  expect(exported).not.toContain('Kim');
  const keys = { quotes: id, quote_events: event?.['id'], graphics: graphic };
  const places: [keyof typeof keys, string][] = [
    ['quotes', 'created_by'],
    ['quote_events', 'created_by'],
    ['graphics', 'created_by'],
    ['quotes', 'quoted_by'],
    ['quote_events', 'staff_id'],
    ['quotes', 'contact_email'],
  ];
  expect(JSON.parse(exported).named_elsewhere).toEqual(
    places.map(([table, column]) => ({ table, column, key: keys[table] })),
  );
  const erased = await print('erase', person, '--email', email, '--yes');
  expect(erased).toContain('graphics.created_by: 1, which is removed');
  expect(erased).toContain('quotes.quoted_by: 1, which stays: it records who of the staff did it');
  expect(erased).toContain('quotes.contact_email: 1, which stays: it belongs to another account');
  const again = JSON.parse(await print('export', person, '--email', email)).named_elsewhere;
  expect(again.map(({ column }: { column: string }) => column).sort()).toEqual([
    'contact_email',
    'quoted_by',
    'staff_id',
  ]);
});

it('what a person made for others is found by indexes', async () => {
  const read = await database.sql.begin(async sql => {
    await sql`set local enable_seqscan = off`;
    const count = async () =>
      sql`select relname, seq_scan from pg_stat_xact_user_tables where relname in ('quotes', 'quote_events') order by 1`;
    const before = await count();
    await sql`select builder.erase_creator(${randomUUID()}, 10)`;
    return [before, await count()];
  });
  expect(read[1]).toEqual(read[0]);
});

it('a customer reads neither who of the staff priced a quote nor who moved it', async () => {
  const { sql } = database;
  for (const column of ['quotes.quoted_by', 'quote_events.staff_id']) {
    const [table = '', name = ''] = column.split('.');
    const reading = asCustomer(
      sql,
      claimsOf(account),
      own => own`select ${own(name)} from builder.${own(table)}`,
    );
    await expect(reading).rejects.toMatchObject({ code: '42501' });
  }
});
