/** A database of the last release is upgraded to this version while that release's workers use it, and is used afterwards. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import postgres, { type Sql } from 'postgres';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { loginUrl } from '../../../sql/login-passwords.ts';
import { migrate } from '../../../sql/migrate.ts';
import { asOwner } from '../../setup/as-owner.ts';
import { useDatabase } from '../../setup/database.ts';
import { aQuote } from '../../setup/rows.ts';
import { useEmptyDatabase, useSqlFolders } from '../empty-database.ts';
import { asCustomer, asStaff, claimsOf, insert, update } from '../roles.ts';
import { type Logins, type RecordedMessage, tryMessage } from './messages.ts';
import { here, lastRelease, releaseOfFiles } from './release.ts';
import { deliveryKinds, deliveryStates, fulfillmentStatuses, statuses } from './states.ts';
import { readStructure } from './structure.ts';

const read = (file: string): string => readFileSync(here(file), 'utf8');
const messages: RecordedMessage[] = JSON.parse(read('messages.json'));
const { loginPassword } = inject('postgres');

const db = useEmptyDatabase();
const fresh = useDatabase();
const { folderWith } = useSqlFolders();
let logins: Logins;
beforeEach(async () => {
  // Its settings are for a connection of its own.
  await asOwner(db.urlOf(), sql => sql.unsafe(read('database.sql')));
  const connectTo = (role: 'builder_api' | 'builder_jobs') =>
    postgres(loginUrl(db.urlOf(), role, loginPassword), {
      max: 1,
      onnotice: () => {},
      connection: { lock_timeout: 5000 },
    });
  logins = { api: connectTo('builder_api'), jobs: connectTo('builder_jobs') };
});
afterEach(() => Promise.all([logins.api.end(), logins.jobs.end()]));

/** Sends every message, and returns those that failed, or had other rows than when they were recorded. */
async function send(): Promise<string[]> {
  const failed: string[] = [];
  for (const { login, name, text, rows } of messages) {
    const outcome = await tryMessage(logins, login, text).then(
      found => (found.length === rows ? '' : `${found.length} rows, not ${rows}`),
      (error: Error) => error.message,
    );
    if (outcome !== '') {
      failed.push(`${name}: ${outcome}`);
    }
  }
  return failed;
}

/** The rows of each table in the columns that it has before the upgrade, each as text. */
async function readRows(sql: Sql, columns: Map<string, string[]>): Promise<Record<string, string[]>> {
  const rows: Record<string, string[]> = {};
  for (const [table, names] of columns) {
    const list = sql(names.map(name => name));
    const found = await sql<{ row: string }[]>`
      select t::text as row from (select ${list} from only builder.${sql(table)}) t order by 1`;
    rows[table] = found.map(({ row }) => row);
  }
  return rows;
}

/** The columns of each table; what a migration itself writes is left out. */
async function readColumns(sql: Sql): Promise<Map<string, string[]>> {
  const rows = await sql<{ table: string; columns: string[] }[]>`
    select table_name::text as table, array_agg(column_name::text order by ordinal_position) as columns
    from information_schema.columns
    where table_schema = 'builder' and table_name not in ('migrations', 'code', 'release', 'notifications_of_customer')
    group by 1 order by 1`;
  return new Map(rows.map(({ table, columns }) => [table, columns]));
}

describe('the dump of the last release', () => {
  it('has rows in every table, and in every state', async () => {
    const rows = await readRows(db.sql, await readColumns(db.sql));
    const empty = Object.entries(rows).filter(([, found]) => found.length === 0);
    // Their columns are inherited.
    expect(empty.map(([table]) => table)).toEqual(['design', 'price', 'terms']);
    const states = async (columns: string, table: string) =>
      (await db.sql.unsafe(`select distinct ${columns} as state from builder.${table} order by 1`)).map(
        ({ state }) => state,
      );
    expect(await states('status', 'quotes')).toEqual(statuses.toSorted());
    expect(await states('fulfillment_status', 'quotes')).toEqual([...fulfillmentStatuses.toSorted(), null]);
    expect(await states("kind || ' ' || state", 'deliveries')).toEqual(
      deliveryKinds.flatMap(kind => deliveryStates.map(state => `${kind} ${state}`)).toSorted(),
    );
  });

  it('is upgraded without a change of its rows to what a new database is, and then used by both releases', async () => {
    const columns = await readColumns(db.sql);
    const before = await readRows(db.sql, columns);
    await migrate(db.sql, loginPassword);
    const after = await readRows(db.sql, columns);
    // Messages may be added, and a line to default texts; what there was stays.
    const kept = new Set(before['event_messages']);
    after['event_messages'] = (after['event_messages'] ?? [])
      .map(row => row.replace('\nOpen or print the offer without signing in: {offer_url}', ''))
      .filter(row => kept.has(row));
    expect(after).toEqual(before);
    expect(await readStructure(db.sql)).toEqual(await readStructure(fresh.sql));
    expect(await db.sql`select number from builder.release`).toEqual([{ number: releaseOfFiles().number }]);
    expect(await send()).toEqual([]);
    const account = randomUUID();
    const customer = claimsOf(account);
    const id = await asCustomer(db.sql, customer, own => insert(own, 'quotes', aQuote(account)));
    const move = (status: string) =>
      asCustomer(db.sql, customer, own => update(own, 'quotes', id, { status }));
    const offer = { status: 'quoted', unit_price: 1, total_price: 12 };
    expect(await move('submitted')).toBe(1);
    expect(await asStaff(db.sql, {}, own => update(own, 'quotes', id, offer))).toBe(1);
    expect(await move('approved')).toBe(1);
    const calls = await db.sql`select from builder.claim_calls(50)`;
    expect(calls.length).toBeGreaterThan(0);
  });

  it('is upgraded while its workers use it, and none of their messages fails', async () => {
    const later = 'alter table builder.quotes add column season text;';
    const folder = await folderWith({ 'migrations/900.do.later.sql': later }, '\n-- A later version.\n');
    await migrate(db.sql, loginPassword);
    let isDone = false;
    const failed: string[] = [];
    const traffic = (async () => {
      while (!isDone) {
        failed.push(...(await send()));
      }
    })();
    const { applied } = await migrate(db.sql, loginPassword, { folder, tries: 20 });
    isDone = true;
    await traffic;
    expect(applied).toContain('migrations/900.do.later.sql');
    expect([...failed, ...(await send())]).toEqual([]);
  });

  it('is of the release that the files say', async () => {
    expect(await db.sql`select number from builder.release`).toEqual([{ number: lastRelease().number }]);
  });
});
