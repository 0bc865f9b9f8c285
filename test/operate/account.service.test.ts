/** `npm run account` exports and erases all that is stored of an account. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { collections } from '../../schema/collections.ts';
import { runProgram, startCommand } from '../local/program.ts';
import { isOwned, isWritten, newRow } from '../setup/collection-rows.ts';
import { useDatabase } from '../setup/database.ts';
import { aNotification, aQuote } from '../setup/rows.ts';
import { insert } from '../sql/roles.ts';

const database = useDatabase();
const account = randomUUID();
const other = randomUUID();
const address = `parent-${account}@example.com`;

const run = (...args: string[]) => runProgram('account', args, { DATABASE_URL: database.ownerUrl });

async function print(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

/** Inserts a quote with history, offers, messages and deliveries, and returns its id. */
async function liveOnce(owner: string): Promise<string> {
  const { sql } = database;
  const { customization, ...row } = aQuote(owner, { contact_email: owner === account ? address : null });
  const [quote] = await sql`
    insert into builder.quotes ${sql({ ...row, created_by: account, customization: sql.json(customization) } as never)}
    returning id`;
  const id: string = quote?.['id'];
  await sql.begin(async change => {
    await change`select set_config('request.rows', 'one', true), set_config('request.compared', 'updated_at,submitted_at,quoted_at', true)`;
    await change`update builder.quotes set status = 'submitted' where id = ${id}`;
    await change`update builder.quotes set status = 'quoted', unit_price = 10, total_price = 100 where id = ${id}`;
    await change`update builder.quotes set status = 'approved' where id = ${id}`;
  });
  await sql`
    insert into builder.quote_links (quote_id, account_id, may, label, address, created_by, created_as, ends_at)
    values (${id}, ${owner}, 'read', 'For the coach', ${owner === account ? address : null}, ${account}, 'customer', now())`;
  return id;
}

/** The tables that have a text somewhere in a row. */
async function tablesWith(text: string): Promise<string[]> {
  const { sql } = database;
  const tables = await sql`select tablename as name from pg_tables where schemaname = 'builder' order by 1`;
  const found = await Promise.all(
    tables.map(async ({ name }) => {
      const rows = await sql`
        select 1 from ${sql(`builder.${name}`)} t where strpos(lower(t::text), ${text.toLowerCase()}) > 0 limit 1`;
      return rows.length > 0 ? [name as string] : [];
    }),
  );
  return found.flat();
}

let quotes: string[];
let othersQuote: string;
beforeAll(async () => {
  const { sql } = database;
  await sql`insert into builder.webhooks (url, secrets) values ('https://hooks.example.com/', array['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'])`;
  quotes = [await liveOnce(account), await liveOnce(account)];
  othersQuote = await liveOnce(other);
  for (const collection of collections.filter(
    each => isOwned(each) && isWritten(each) && each.name !== 'quotes',
  )) {
    await insert(sql, collection.name, newRow(collection, account));
  }
  await sql`insert into builder.notifications ${sql(aNotification(account, { channel: 'email' }) as never)}`;
  await sql`update builder.deliveries set address = ${address} where notification_id is not null and account_id = ${account}`;
  await sql`insert into builder.unsubscribed_accounts values (${account})`;
  await sql`insert into builder.refused_addresses values (${address})`;
  await sql`insert into builder.customer_quote_numbers values (2026, ${account}, 3)`;
  await sql`insert into builder.dismissals ${sql({ notification_id: 1, user_id: account })}`;
  await sql`
    insert into builder.idempotency_keys (caller, key, fingerprint, accounts)
    values (${`builder_customer ${account}`}, 'one', 'f', array[${account}::uuid]), ('builder_staff', 'two', 'f', array[${account}::uuid])`;
});

describe('npm run account', () => {
  it('exports every row that erasing the account would delete, and no other’s, as one JSON object', async () => {
    const { sql } = database;
    const [functions] = await sql`
      select string_agg(prosrc, ' ') as text from pg_proc
      where pronamespace = 'builder'::regnamespace and proname in ('erase_account', 'erase_rows', 'erase_changes', 'remove_quotes')`;
    const deleted = [...String(functions?.['text']).matchAll(/delete from builder\.(\w+)/g)].map(
      ([, table]) => table,
    );
    const cascading = await sql`
      select conrelid::regclass::text as table from pg_constraint where contype = 'f' and confdeltype = 'c'`;
    const {
      account: of,
      exported_at,
      named_elsewhere: elsewhere,
      ...exported
    } = JSON.parse(await print('export', account));
    expect(Object.keys(exported)).toEqual(
      [...new Set([...deleted, ...cascading.map(({ table }) => table.replace('builder.', ''))])].sort(),
    );
    expect(of).toBe(account);
    expect(elsewhere).toEqual([
      { table: 'quotes', column: 'created_by', key: othersQuote },
      { table: 'quote_links', column: 'created_by', key: expect.any(String) },
    ]);
    expect(exported.refused_addresses).toEqual([expect.objectContaining({ address })]);
    expect(exported.quotes.map(({ id }: { id: string }) => id).sort()).toEqual([...quotes].sort());
    expect(Object.values(exported).filter(rows => (rows as object[]).length === 0)).toEqual([]);
    expect(JSON.stringify(exported)).not.toContain(othersQuote);
  });

  it('says what it would erase, and erases nothing without --yes', async () => {
    const printed = await print('erase', account);
    expect(printed).toContain('quotes: 2');
    expect(printed).toContain('Nothing was erased.');
    expect(await database.sql`select from builder.quotes where account_id = ${account}`).toHaveLength(2);
  });

  it('erases an account from every column of every table, once webhooks have heard of it, and leaves other accounts’ rows', async () => {
    const { sql } = database;
    const before = await tablesWith(account);
    expect(before).toEqual(expect.arrayContaining(['changes', 'deliveries', 'quote_events', 'quotes']));
    const printed = await print('erase', account, '--yes');
    expect(printed).toContain('quotes: 2');
    expect(printed).toContain('Erased account');
    expect(await tablesWith(account)).toEqual(['deliveries']);
    // The webhook has heard of it.
    await sql`update builder.deliveries set state = 'sent', due_at = null, settled_at = now() where account_id = ${account}`;
    await sql`select builder.prune_deliveries(10)`;
    for (const text of [account, ...quotes, address]) {
      expect({ text, tables: await tablesWith(text) }).toEqual({ text, tables: [] });
    }
    expect(await tablesWith(othersQuote)).toContain('quotes');
    expect(await print('erase', account)).toContain('has no rows.');
  });

  it.each([
    [['export', randomUUID(), '--yes'], 'Usage: '],
  ])('refuses %j with a sentence', async (args, sentence) => {
    expect(await run(...args)).toMatchObject({ code: 1, stderr: expect.stringContaining(sentence) });
  });
});

describe('a DATABASE_URL that cannot be used is refused in one sentence', () => {
  it.each([
    ['functions/local/start.ts', ['--data', '/tmp/never-written'], 'postgres://127.0.0.1:99999/x'],
    ['sql/run-migrate.ts', [], 'builder'],
  ])('%s %j with %s', async (file, args, DATABASE_URL) => {
    const stderr = expect.stringMatching(/^DATABASE_URL is not a Postgres URL.+\n$/);
    const command = ['--import', 'tsx', file, ...args];
    const { ended } = startCommand(process.execPath, command, { env: { DATABASE_URL } });
    expect(await ended).toEqual({ code: 1, stdout: '', stderr });
  });

  it.each([
    ['erase', 'is another one', () => database.ownerUrl.replace(/[^/]*$/, 'template1')],
  ])('npm run account -- %s, when its database %s', async (command, _, url) => {
    const stderr = expect.stringMatching(/^The database at DATABASE_URL cannot be used: .+\n$/);
    const ending = await runProgram('account', [command, account], { DATABASE_URL: url() });
    expect(ending).toEqual({ code: 1, stdout: '', stderr });
  });
});
