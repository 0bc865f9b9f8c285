/** The sweep's two functions: what is due, in which batches, and what others meanwhile do and suffer. */
import { randomUUID } from 'node:crypto';
import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useDatabase } from '../setup/database.ts';
import { rounds } from '../setup/full-size.ts';
import { aNotification, aQuote } from '../setup/rows.ts';
import { asCustomer, asStaff, claimsOf, insert, update } from './roles.ts';

const database = useDatabase();
let sql: Sql;
let sweeper: Sql;
let otherSweeper: Sql;
beforeAll(async () => {
  sql = database.sql;
  sweeper = postgres(database.sweeperUrl, { max: 1 });
  otherSweeper = postgres(database.sweeperUrl, { max: 1 });
});
afterAll(async () => {
  await sweeper.end();
  await otherSweeper.end();
});
beforeEach(() => sql`truncate builder.quotes, builder.notifications`);

const account = randomUUID();
const past = '2020-01-01';

type Sweep = 'expire_quotes' | 'prune_notifications';
async function sweep(name: Sweep, batch: number, by = sweeper): Promise<number> {
  const [row] = await by<{ swept: number }[]>`select builder.${by(name)}(${batch}) as swept`;
  return row?.swept ?? -1;
}

/** Batch after batch, until nothing is left that others do not hold; returns the batches. */
async function sweepAll(name: Sweep, batch: number, by = sweeper): Promise<number[]> {
  const batches: number[] = [];
  do {
    batches.push(await sweep(name, batch, by));
  } while (batches.at(-1));
  return batches;
}

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);

/** Quotes that are due, as a bulk. */
const addDueQuotes = (count: number) => sql`
  insert into builder.quotes (account_id, quote_number, product_id, sport, customization, status, expires_at)
  select ${account}, 'QT-2026-' || lpad((n % 100000)::text, 5, '0'), gen_random_uuid(), 'baseball', '{}',
    (array['draft', 'submitted'])[1 + n % 2], ${past}::timestamptz + n * interval '1 second'
  from generate_series(1, ${count}::int) n`;
const addDueNotifications = (count: number) => sql`
  insert into builder.notifications (account_id, body, dismissed, expires_at)
  select ${account}, 'Ready', false, ${past}::timestamptz + n * interval '1 second' from generate_series(1, ${count}::int) n`;

const statusesLeft = async (): Promise<Record<string, number>> => {
  const rows = await sql<{ status: string; count: number }[]>`
    select status, count(*)::int from builder.quotes group by status`;
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
};
const newQuote = (status: string, expires_at: string | null, more: object = {}) =>
  insert(sql, 'quotes', aQuote(account, { status, expires_at, unit_price: 1, total_price: 1, ...more }));

it('expire_quotes leaves quotes that are not due, never expire, are approved or deleted', async () => {
  for (const expires_at of [null, 'tomorrow', 'infinity']) {
    await newQuote('draft', expires_at);
  }
  await newQuote('draft', past, { deleted_at: 'now' });
  const id = await newQuote('quoted', 'tomorrow');
  await asCustomer(sql, claimsOf(account), async as => {
    await update(as, 'quotes', id, { status: 'approved' });
    expect(await sweep('expire_quotes', 10)).toBe(0);
  });
  await update(sql, 'quotes', id, { expires_at: past });
  expect(await sweepAll('expire_quotes', 10)).toEqual([0]);
});

it('expire_quotes sets updated_at, and names no user', async () => {
  const id = await newQuote('draft', past);
  await sweep('expire_quotes', 1);
  const [row] = await sql`
    select updated_at > created_at as stamped, quoted_by, created_by, submitted_at, deleted_at, expires_at < now() as due
    from builder.quotes where id = ${id}`;
  const untouched = { quoted_by: null, created_by: null, submitted_at: null, deleted_at: null };
  expect(row).toEqual({ stamped: true, due: true, ...untouched });
});

it('expire_quotes expires the longest due first, at most a batch', async () => {
  await addDueQuotes(5);
  expect(await sweep('expire_quotes', 2)).toBe(2);
  const rows = await sql<{ status: string }[]>`select status from builder.quotes order by expires_at`;
  expect(rows.map(({ status }) => status === 'expired')).toEqual([true, true, false, false, false]);
  expect(await sweepAll('expire_quotes', 2)).toEqual([2, 1, 0]);
});

it('prune_notifications removes only those past their expires_at, dismissed or not, in batches', async () => {
  await addDueNotifications(5);
  await insert(sql, 'notifications', aNotification(account, { dismissed: true, expires_at: past }));
  const kept = [
    await insert(sql, 'notifications', aNotification(account)),
    await insert(sql, 'notifications', aNotification(account, { expires_at: null })),
  ];
  expect(await sweepAll('prune_notifications', 4)).toEqual([4, 2, 0]);
  const left = await sql`select id from builder.notifications order by id`;
  expect(left.map(({ ['id']: id }) => id)).toEqual(kept);
});

describe.each([
  ['expire_quotes', 'quotes', addDueQuotes],
  ['prune_notifications', 'notifications', addDueNotifications],
] as const)('%s, among others at work', (name, table, addDue) => {
  /** How many are due still. */
  const due = async (): Promise<number> => {
    const isDue = table === 'quotes' ? sql`status <> 'expired'` : sql`true`;
    return (await sql`select from builder.${sql(table)} where ${isDue}`).count;
  };

  it('skips a locked row without waiting, and sweeps it in the next call', async () => {
    await addDue(3);
    await sql.begin(async holder => {
      await holder`select from builder.${holder(table)} order by expires_at limit 1 for update`;
      expect(await sweep(name, 1)).toBe(1);
      expect(await sweepAll(name, 10)).toEqual([1, 0]);
    });
    expect(await sweep(name, 10)).toBe(1);
  });

  it('sweeps each row once in two concurrent calls, and all rows together', async () => {
    await addDue(600);
    const swept = await Promise.all([sweepAll(name, 7, sweeper), sweepAll(name, 11, otherSweeper)]);
    expect(sum(swept.flat())).toBe(600);
    expect(await due()).toBe(0);
  });

  it('is rolled back when it is killed half way, and the next call does all of it', async () => {
    await addDue(50);
    // Not begin(): postgres.js writes a rollback to the closed connection, which is an uncaught exception.
    const dying = postgres(database.sweeperUrl, { max: 1 });
    await dying`begin`;
    expect(await sweep(name, 20, dying)).toBe(20);
    expect(await sweepAll(name, 100)).toEqual([30, 0]);
    const [self] = await dying<{ pid: number }[]>`select pg_backend_pid() as pid`;
    await sql`select pg_terminate_backend(${self?.pid ?? 0}, 5000)`;
    await dying.end({ timeout: 1 });
    expect(await due()).toBe(20);
    expect(await sweepAll(name, 100)).toEqual([20, 0]);
  });
});

const backlog = rounds(20_000, 30_000);

it(`${backlog} due quotes are swept in batches of 500 while others read and write`, {
  timeout: 240_000,
}, async () => {
  await addDueQuotes(backlog);
  const own = await insert(sql, 'quotes', aQuote(account, { expires_at: 'infinity' }));
  let sweeping = true;
  let written = 0;
  const others = (async () => {
    while (sweeping) {
      await asCustomer(sql, claimsOf(account), async as => {
        expect(await update(as, 'quotes', own, { customer_notes: `note ${written}` })).toBe(1);
        await insert(as, 'quotes', aQuote(account));
        await as`select id from builder.quotes order by created_at desc, id limit 20`;
      });
      const pick = await sql<{ id: string }[]>`
        select id from builder.quotes where status <> 'expired' and expires_at < now() limit 1`;
      for (const { id } of pick) {
        expect(await asStaff(sql, {}, as => update(as, 'quotes', id, { internal_notes: 'late' }))).toBe(1);
      }
      written += 1;
    }
  })();
  const batches = await sweepAll('expire_quotes', 500).finally(() => {
    sweeping = false;
  });
  await others;
  await sweepAll('expire_quotes', 500);
  expect(await statusesLeft()).toEqual({ expired: backlog, draft: written + 1 });
  expect(Math.max(...batches)).toBeLessThanOrEqual(500);
  expect(sum(batches)).toBeGreaterThan(0.9 * backlog);
  // If they waited for the whole sweep they would write twice.
  expect(written).toBeGreaterThan(5);
});
